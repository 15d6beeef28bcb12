"""Analyse an exam: `counting` counts answers in PostgreSQL, `formulas` computes the statistics."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, func, select, tuple_

from competition.core.errors import NotFound
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.analysis.models import Analysis
from competition.plugins.analysis.services import formulas
from competition.plugins.analysis.services.counting import count
from competition.plugins.exams.models import Exam, ExamQuestion, Paper
from competition.plugins.exams.services import papers
from competition.plugins.questions.models import Question
from competition.plugins.scores.models import Correction
from competition.plugins.scores.services import keys
from competition.plugins.sittings.models import Submission


def analyse(work: Work, exam: Exam) -> Analysis:
    """Analyse the submissions to an exam. Raises NotFound if there are none."""
    paper = papers.frozen(work, exam.id)
    counts = count(work, exam.id, keys.key(work, exam.id))
    if paper is None or not counts.scores:
        raise NotFound(Message("No candidate has submitted answers to this exam yet."))
    difficulties = work.db.execute(
        select(Question.id, Question.difficulty).where(Question.id.in_(paper.question_ids))
    )
    return Analysis(
        exam_id=exam.id,
        paper=paper,
        difficulties={question_id: difficulty for question_id, difficulty in difficulties},
        numbers=formulas.numbers(counts),
        items=formulas.items(counts),
    )


def answers_to(
    work: Work, questions: Collection[tuple[int, int]]
) -> dict[tuple[int, int], tuple[dict[str, int], str]]:
    """How often each answer was given to these questions, and which answers count as right now.

    `questions` are pairs of an exam's id and a question's id. The result maps each pair to a dict
    of counts by answer, and the accepted answers as a string. Exams that are not sealed, and exams
    without submissions, are left out.
    """
    return _answers(
        work, tuple_(ExamQuestion.exam_id, ExamQuestion.question_id).in_(list(questions))
    )


def right_answers(work: Work, question_ids: Collection[int]) -> dict[int, tuple[int, int]]:
    """For each question id, the number of candidates who answered the question, and of those who
    answered it right.

    The numbers are totals of all sealed exams in which the question counts. A candidate who left
    the question blank has answered it wrong. Questions without answers are left out.
    """
    found: dict[int, tuple[int, int]] = {}
    answers = _answers(work, ExamQuestion.question_id.in_(question_ids))
    for (_, question_id), (chosen, accepted) in answers.items():
        if accepted:
            candidates, right = found.get(question_id, (0, 0))
            found[question_id] = (
                candidates + sum(chosen.values()),
                right + sum(chosen.get(answer, 0) for answer in accepted),
            )
    return found


def _answers(
    work: Work, wanted: ColumnElement[bool]
) -> dict[tuple[int, int], tuple[dict[str, int], str]]:
    """The same as `answers_to`, for all questions of sealed exams that fulfil the SQL condition
    `wanted` on ExamQuestion."""
    place = func.array_position(Paper.question_ids, ExamQuestion.question_id)
    answer = func.substr(Submission.answers, place, 1)
    accepted = func.coalesce(Correction.accepted, func.substr(Paper.answer_key, place, 1))
    rows = work.db.execute(
        select(ExamQuestion.exam_id, ExamQuestion.question_id, answer, accepted, func.count())
        .join(Exam, Exam.id == ExamQuestion.exam_id)
        .join(Paper, Paper.exam_id == Exam.id)
        .join(Submission, Submission.exam_id == Exam.id)
        .outerjoin(
            Correction,
            (Correction.exam_id == Exam.id) & (Correction.question_id == ExamQuestion.question_id),
        )
        .where(
            wanted,
            Exam.sealed_at.is_not(None),
        )
        .group_by(ExamQuestion.exam_id, ExamQuestion.question_id, answer, accepted)
    )
    found: dict[tuple[int, int], tuple[dict[str, int], str]] = {}
    for exam_id, question_id, letter, right, number in rows:
        chosen, _ = found.setdefault((exam_id, question_id), ({}, right))
        chosen[letter] = number
    return found
