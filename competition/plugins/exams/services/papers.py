"""The frozen paper: what every candidate of an exam gets and is scored on (decisions G11)."""

import threading

from sqlalchemy import select

from competition.core.work import Work
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.events import PaperFrozen
from competition.plugins.exams.models import (
    Exam,
    ExamQuestion,
    FrozenPaper,
    Paper,
    PaperQuestion,
)
from competition.plugins.questions.models import Question

# In the memory of a process; a paper of forty questions has some 20 KiB.
MOST_PAPERS_KEPT = 100


class KnownPapers:
    """Papers never change, so they are read once a process."""

    def __init__(self) -> None:
        self._papers: dict[int, FrozenPaper] = {}
        self._lock = threading.Lock()

    def get(self, exam_id: int) -> FrozenPaper | None:
        return self._papers.get(exam_id)

    def keep(self, exam_id: int, paper: FrozenPaper) -> None:
        with self._lock:
            if len(self._papers) >= MOST_PAPERS_KEPT:
                self._papers.clear()
            self._papers[exam_id] = paper


def frozen(work: Work, exam_id: int) -> FrozenPaper | None:
    """The paper, if there is one: once somebody has started there is."""
    known = work.runtime.part(KnownPapers)
    paper = known.get(exam_id)
    if paper is None:
        row = work.db.get(Paper, exam_id)
        if row is None:
            return None
        paper = FrozenPaper.of(row)
        # Kept once it is committed: a paper of a transaction that fails never was.
        kept = paper
        work.after_commit(lambda: known.keep(exam_id, kept))
    return paper


def freeze(work: Work, exam: Exam) -> FrozenPaper:
    """The paper, made now if there is none.

    The exam's row is locked, as it is when its set of questions changes, or somebody has started,
    and then there is a paper. Raises ExamNotOpen without a question.
    """
    paper = frozen(work, exam.id)
    if paper is not None:
        return paper
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
    row = Paper(
        exam_id=exam.id,
        question_ids=[question.id for question in questions],
        questions=[_as_seen(question) for question in questions],
        answer_key="".join(question.correct_answer for question in questions),
        frozen_at=work.now,
    )
    work.db.add(row)
    work.db.flush()
    work.emit(PaperFrozen(work, exam.id))
    return FrozenPaper.of(row)


def _as_seen(question: Question) -> PaperQuestion:
    return PaperQuestion(
        id=question.id,
        text=question.text,
        option_a=question.option_a,
        option_b=question.option_b,
        option_c=question.option_c,
        option_d=question.option_d,
    )
