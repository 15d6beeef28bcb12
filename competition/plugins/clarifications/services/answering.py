"""Staff read and answer what candidates ask."""

from typing import Any

from sqlalchemy import func, select

from competition.core import audit
from competition.core.auth.access import StaffRole
from competition.core.errors import Invalid, NotFound
from competition.core.lists import Page, Query, contains_every_word
from competition.core.todo import Waiting, todo, waiting
from competition.core.work import Work
from competition.plugins.clarifications.models import Clarification
from competition.plugins.clarifications.services import asking, messages
from competition.plugins.exams.models import Exam

ANSWER = "clarification.answer"


def page_of_all(work: Work, query: Query) -> Page[Clarification]:
    """A page of the clarifications in all exams. Without a status, only open ones, the earliest
    first."""
    statement = select(Clarification).where(
        *contains_every_word(
            query["search"], func.concat_ws(" ", Clarification.text, Clarification.answer)
        )
    )
    return asking.page_of(work, statement, {**query, "status": query["status"] or "open"})


def locked(work: Work, clarification_id: int) -> Clarification:
    """The clarification, locked. Raises NotFound if there is none with this id."""
    found = work.db.get(Clarification, clarification_id, with_for_update=True)
    if found is None:
        raise NotFound("There is no such clarification.")
    return found


def answer(work: Work, clarification: Clarification, given: dict[str, Any]) -> Clarification:
    """Answer or dismiss a locked clarification, and tell the candidates concerned.

    A later answer replaces an earlier one. Raises Invalid if the exam is published.
    """
    exam = work.db.get_one(Exam, clarification.exam_id)
    if exam.published_at is not None:
        raise Invalid("The results of this exam are published. Nothing can be answered any more.")
    was_public = clarification.public
    clarification.status = "dismissed" if given["dismiss"] else "answered"
    clarification.answer = given["answer"]
    clarification.public = given["public"]
    clarification.answered_at = work.now
    audit.record(
        work,
        ANSWER,
        target=clarification.candidate_id,
        subject=f"clarification {clarification.id}",
        new=given,
    )
    work.db.flush()
    # Who has read an answer that is no longer public is told, too.
    concerns_all = clarification.public or was_public
    subject = "Your question was dismissed" if given["dismiss"] else "A question was answered"
    messages.tell(
        work,
        clarification.exam_id,
        subject,
        given["answer"] or "Staff have closed your question without an answer.",
        candidate_id=None if concerns_all else clarification.candidate_id,
        clarification=clarification,
    )
    return asking.one(work, clarification.id)


def open_in(work: Work, exam_id: int) -> int:
    """The number of clarifications in an exam that are waiting for an answer."""
    return work.db.scalars(
        select(func.count()).where(Clarification.exam_id == exam_id, Clarification.status == "open")
    ).one()


@todo("clarifications.open", rank=StaffRole.MODERATOR, link="exams")
def open_clarifications(work: Work) -> Waiting:
    return waiting(work, select(Clarification.asked_at).where(Clarification.status == "open"))
