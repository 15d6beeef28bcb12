"""The frozen paper: the questions that every candidate gets and is scored on (decisions G11)."""

from functools import partial
from threading import Lock
from typing import Any

from cachetools import TTLCache
from sqlalchemy import Row, Select, bindparam, insert, literal, select

from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.events import PaperFrozen
from competition.plugins.exams.models import (
    EXAMS,
    Exam,
    ExamQuestion,
    FrozenPaper,
    Paper,
    PaperImage,
)
from competition.plugins.questions.models import ImageUse, Question
from competition.plugins.questions.presenters import paper_question

# How many papers a process caches, about 20 KiB each, and for how many seconds.
MOST_CACHED = 100
CACHED_FOR = 60

NOT_IN_PAPER = Message(
    "This question is not in the paper. Choose a question of this exam.", "not_in_paper"
)

PAPERS = Paper.metadata.tables["paper"]
PAPER: Select[*tuple[Any, ...]] = (
    select(*PAPERS.c, EXAMS.c.first_started_at)
    .join(EXAMS, EXAMS.c.id == PAPERS.c.exam_id)
    .where(PAPERS.c.exam_id == bindparam("exam_id"))
)


class PaperCache:
    """Cache for the papers of exams that candidates have started. The process has one instance.

    Thousands of candidates open the same paper within a minute. The cache saves loading the
    paper from PostgreSQL for each of them; a started exam's paper never changes. Entries expire
    after a minute, so that a restored backup takes effect soon.
    """

    def __init__(self) -> None:
        self._papers: TTLCache[int, FrozenPaper] = TTLCache(MOST_CACHED, CACHED_FOR)
        # Threads share the cache, and cachetools does not lock.
        self._lock = Lock()

    def get(self, exam_id: int) -> FrozenPaper | None:
        with self._lock:
            return self._papers.get(exam_id)

    def add(self, paper: FrozenPaper) -> None:
        with self._lock:
            self._papers[paper.exam_id] = paper


def frozen(work: Work, exam_id: int) -> FrozenPaper | None:
    """The exam's paper, or None if it is not frozen. A started exam always has a frozen paper."""
    cache = work.runtime.part(PaperCache)
    if (cached := cache.get(exam_id)) is not None:
        return cached
    found = work.db.execute(PAPER, {"exam_id": exam_id}).one_or_none()
    if found is None:
        return None
    paper = value(work, found)
    if found.first_started_at is not None:
        # Cached only after the commit: if the first start belongs to this transaction and is rolled
        # back, the paper can still be withdrawn.
        work.after_commit(partial(cache.add, paper))
    return paper


def check_question(work: Work, exam_id: int, question_id: int | None) -> None:
    """Raise Invalid if a request names a question that is not in the exam's paper."""
    paper = frozen(work, exam_id)
    if question_id is not None and (paper is None or question_id not in paper.positions):
        raise Invalid.field("question", NOT_IN_PAPER)


def value(work: Work, row: Paper | Row[Any]) -> FrozenPaper:
    """The FrozenPaper of a row of the table of papers."""
    return FrozenPaper(
        exam_id=row.exam_id,
        question_ids=row.question_ids,
        stored=row.questions,
        answer_key=row.answer_key,
        frozen_at=row.frozen_at,
        api_url=work.runtime.api_url,
    )


def freeze(work: Work, exam: Exam | Row[Any]) -> FrozenPaper:
    """Return the exam's paper, freezing it first if necessary.

    If no candidate has started the exam, the caller must have locked the exam's row, so that no
    other transaction can change the exam or its questions. A started exam always has a paper.

    Raises ExamNotOpen if the exam has no questions.
    """
    if (paper := frozen(work, exam.id)) is not None:
        return paper
    draft = work.db.execute(
        select(ExamQuestion.position, Question)
        .join(Question, Question.id == ExamQuestion.question_id)
        .where(ExamQuestion.exam_id == exam.id, Question.archived_at.is_(None))
        # Questions are always locked in the order of their ids; they are sorted by position below.
        .order_by(Question.id)
        .with_for_update(read=True, of=Question)
    )
    questions = [question for _, question in sorted(draft, key=lambda row: row.position)]
    if not questions:
        raise ExamNotOpen(Message("This exam has no questions yet, so nobody can start it."))
    row = Paper(
        exam_id=exam.id,
        question_ids=[question.id for question in questions],
        questions=[paper_question(question) for question in questions],
        answer_key="".join(question.correct_answer for question in questions),
        frozen_at=work.now,
    )
    work.db.add(row)
    work.db.flush()
    _store_images(work, row)
    work.emit(PaperFrozen(work, exam.id))
    return value(work, row)


def _store_images(work: Work, paper: Paper) -> None:
    """Store which images the paper shows. Its questions are locked, so their images can't change at
    the same time."""
    shown = (
        select(literal(paper.exam_id), ImageUse.image_id)
        .where(ImageUse.question_id.in_(paper.question_ids))
        .distinct()
    )
    work.db.execute(insert(PaperImage).from_select(["exam_id", "image_id"], shown))
