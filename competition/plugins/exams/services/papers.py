"""The frozen paper: what every candidate of an exam gets and is scored on (decisions G11)."""

from functools import partial

from sqlalchemy import select

from competition.core.work import Work
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.events import PaperFrozen
from competition.plugins.exams.models import AnyExam, Exam, ExamQuestion, Paper
from competition.plugins.questions.models import Question
from competition.plugins.questions.presenters import paper_question

# In the memory of a process, each of some 20 KiB.
MOST_PAPERS_KEPT = 100


class KnownPapers(dict[int, Paper]):
    """Once somebody has started, papers never change: they are read once a process."""

    def keep(self, paper: Paper) -> None:
        # Of several threads at once each may clear it: what is missing is read again.
        if len(self) >= MOST_PAPERS_KEPT:
            self.clear()
        self[paper.exam_id] = paper


def frozen(work: Work, exam_id: int) -> Paper | None:
    """The paper, if there is one: once somebody has started there is."""
    known = work.runtime.part(KnownPapers)
    if (kept := known.get(exam_id)) is not None:
        return kept
    paper = work.db.get(Paper, exam_id)
    if paper is not None and work.db.get_one(Exam, exam_id).first_started_at is not None:
        # Before somebody has started it may be taken back, and so may all of this transaction.
        work.after_commit(partial(known.keep, paper))
    return paper


def freeze(work: Work, exam: AnyExam) -> Paper:
    """The paper, made now if there is none.

    The exam's row is locked, as it is when its set of questions changes, or somebody has started,
    and then there is a paper. Raises ExamNotOpen without a question.
    """
    if (kept := frozen(work, exam.id)) is not None:
        return kept
    draft = work.db.execute(
        select(ExamQuestion.position, Question)
        .join(Question, Question.id == ExamQuestion.question_id)
        .where(ExamQuestion.exam_id == exam.id, Question.archived_at.is_(None))
        .order_by(Question.id)
        .with_for_update(read=True, of=Question)
    )
    questions = [question for _, question in sorted(draft, key=lambda row: row.position)]
    if not questions:
        raise ExamNotOpen("The exam has no questions.")
    paper = Paper(
        exam_id=exam.id,
        question_ids=[question.id for question in questions],
        questions=[paper_question(question) for question in questions],
        answer_key="".join(question.correct_answer for question in questions),
        frozen_at=work.now,
    )
    work.db.add(paper)
    work.db.flush()
    work.emit(PaperFrozen(work, exam.id))
    return paper
