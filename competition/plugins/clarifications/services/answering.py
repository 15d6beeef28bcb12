"""Answer or dismiss questions of candidates, and notify the candidates."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from competition.core import audit
from competition.core.auth.access import StaffRole
from competition.core.errors import Invalid, NotFound, PreconditionFailed
from competition.core.messages import Message
from competition.core.todo import Waiting, todo, waiting
from competition.core.users import accounts
from competition.core.work import Work
from competition.plugins.clarifications.models import Clarification
from competition.plugins.clarifications.services import messages, reading
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import rows

ANSWER = "clarification.answer"


def locked(work: Work, clarification_id: int) -> Clarification:
    """Guard: lock the exam of a question and then the question, so that only one answer at a time
    is stored, and return the question. Until the commit, the account of the candidate who asked
    can't be erased.

    Raises NotFound if there is no such question, or if its exam was deleted. Raises SeasonClosed if
    the exam's season is closed.
    """
    found = work.db.get(Clarification, clarification_id)
    if found is None:
        raise NotFound(Message("There is no question with this id. Check the id."))
    rows.locked(work, found.exam_id)
    accounts.keep_from_erasure(work, [found.candidate_id])
    locked = work.db.get(
        Clarification,
        clarification_id,
        options=[joinedload(Clarification.candidate)],
        with_for_update={"of": Clarification},
        populate_existing=True,
    )
    if locked is None:
        raise NotFound(Message("There is no question with this id. Check the id."))
    return locked


def answer(
    work: Work,
    asked: Clarification,
    text: str | None,
    *,
    is_public: bool,
    only_if_open: bool = False,
) -> Clarification:
    """Answer a locked question, or dismiss it if `text` is None. This replaces an earlier answer.

    If nothing changes, for example because a request was repeated, nobody is notified again. Raises
    Invalid if the exam's results are published, or if the answer is not public and the candidate's
    account was erased. Raises PreconditionFailed if `only_if_open` is true and the question has
    another answer or was dismissed.
    """
    exam = rows.get(work, asked.exam_id)
    if exam.published_at is not None:
        raise Invalid(
            Message(
                "The results of this exam are published, so this question can't be answered any"
                " longer."
            )
        )
    if text is not None and not is_public:
        accounts.check_not_erased(asked.candidate)
    before = _values(asked)
    was_open = asked.status == "open"
    asked.status = "dismissed" if text is None else "answered"
    asked.answer = text
    asked.is_public = is_public and text is not None
    after = _values(asked)
    if only_if_open and not was_open and after != before:
        raise PreconditionFailed(
            Message("This question has been answered or dismissed in the meantime. Read it again.")
        )
    subject = f"clarification {asked.id}"
    of = asked.candidate_id
    if audit.record_change(work, ANSWER, subject, before, after, target=of, erasable=True):
        asked.answered_at = work.now
        work.db.flush()
        messages.push_answer(work, exam, asked, was_public=before["public"])
    return asked


def _values(asked: Clarification) -> dict[str, Any]:
    return {"status": asked.status, "answer": asked.answer, "public": asked.is_public}


@todo("clarifications.open", rank=StaffRole.MODERATOR, link="day/questions")
def open_clarifications(work: Work) -> Waiting:
    asked = select(Clarification.asked_at).join(Exam, Exam.id == Clarification.exam_id)
    return waiting(work, asked.where(*reading.IS_WAITING))
