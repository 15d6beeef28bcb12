"""Analyse an exam: `counting` counts answers in PostgreSQL, `formulas` computes the statistics."""

from collections.abc import Collection

from sqlalchemy import func, select, tuple_

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

    `questions` are pairs of an exam's id and a question's id. Exams that are not sealed, and exams
    without submissions, are left out.
    """
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
            tuple_(ExamQuestion.exam_id, ExamQuestion.question_id).in_(list(questions)),
            Exam.sealed_at.is_not(None),
        )
        .group_by(ExamQuestion.exam_id, ExamQuestion.question_id, answer, accepted)
    )
    found: dict[tuple[int, int], tuple[dict[str, int], str]] = {}
    for exam_id, question_id, letter, right, number in rows:
        chosen, _ = found.setdefault((exam_id, question_id), ({}, right))
        chosen[letter] = number
    return found
