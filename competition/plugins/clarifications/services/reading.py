"""List the questions of candidates, for candidates and for staff."""

from sqlalchemy import ColumnElement, Select, case, func, or_, select
from sqlalchemy.orm import joinedload

from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.seasons import current as seasons
from competition.core.work import Work
from competition.plugins.clarifications.models import Clarification
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import rows
from competition.plugins.sittings.errors import ExamNotStarted
from competition.plugins.sittings.services import taking

ORDERING = {
    "id": Clarification.id,
    "asked_at": Clarification.asked_at,
    "status": Clarification.status,
}
# Conditions on a question and its exam: the question is open, and staff can still answer it.
IS_WAITING = (
    Clarification.status == "open",
    Exam.deleted_at.is_(None),
    Exam.published_at.is_(None),
)


def check_reader(work: Work, exam_id: int) -> Exam | None:
    """Guard: check that the caller may read the clarifications and announcements of an exam. Staff
    may read them in any exam, which is returned; candidates in exams that they have started.

    Raises NotFound if there is no such exam, and ExamNotStarted for a candidate who has not started
    it.
    """
    if work.identity.kind != "candidate":
        return rows.get(work, exam_id)
    if taking.find(work, exam_id).started_at is None:
        raise ExamNotStarted
    return None


def page_of_exam(work: Work, exam_id: int, query: Query) -> Page[Clarification]:
    """A page of the questions of an exam.

    Staff see all questions. Candidates see their own questions, and questions with a public answer.
    """
    statement = select(Clarification).where(Clarification.exam_id == exam_id)
    text: ColumnElement[str] = Clarification.text + " "
    if work.identity.kind == "candidate":
        is_own = Clarification.candidate_id == work.identity.user_id
        statement = statement.where(or_(is_own, Clarification.is_public))
        # A search must not find the hidden texts of other candidates' questions either.
        text = case((is_own, text), else_="")
    else:
        statement = statement.options(joinedload(Clarification.candidate))
    if query["status"]:
        statement = statement.where(Clarification.status == query["status"])
    text = text + func.coalesce(Clarification.answer, "")
    return _page(work, statement.where(*contains_every_word(query["search"], text)), query)


def page_of_open(work: Work, query: Query) -> Page[tuple[Clarification, Exam]]:
    """A page of the open questions of a season that staff can still answer, each with its exam. If
    the query names a candidate, the page has all questions of this candidate instead, also closed
    ones, and of all seasons unless the query names one.

    Raises Invalid if there is no such season.
    """
    candidate = query["candidate"]
    conditions = (
        IS_WAITING
        if candidate is None
        else (Clarification.candidate_id == candidate, Exam.deleted_at.is_(None))
    )
    statement = (
        select(Clarification, Exam)
        .join(Exam, Exam.id == Clarification.exam_id)
        .where(*conditions)
        .where(*contains_every_word(query["search"], Clarification.text))
        .options(joinedload(Clarification.candidate))
    )
    if candidate is None or query["season"] is not None:
        statement = statement.where(seasons.wanted(work, query["season"], Exam))
    key, created = Clarification.id, Clarification.asked_at
    page = paginate(work, statement, query, key=key, created=created, ordering=ORDERING)
    return page.map(lambda row: (row.Clarification, row.Exam))


def count_open(work: Work, exam_id: int) -> int:
    """How many questions of an exam are open."""
    open_ones = select(func.count()).where(
        Clarification.exam_id == exam_id, Clarification.status == "open"
    )
    return work.db.scalar(open_ones) or 0


def _page(work: Work, statement: Select[Clarification], query: Query) -> Page[Clarification]:
    key, created = Clarification.id, Clarification.asked_at
    return paginate(work, statement, query, key=key, created=created, ordering=ORDERING)
