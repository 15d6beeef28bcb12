"""The list of verification requests."""

from sqlalchemy import case, or_, select
from sqlalchemy.orm import contains_eager, joinedload

from competition.core.auth.access import StaffRole
from competition.core.lists import Column, Page, Query, contains_every_word, paginate
from competition.core.todo import Waiting, todo, waiting
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.verification.models import VerificationRequest

ORDERING: dict[str, Column] = {
    "created_at": VerificationRequest.submitted_at,
    "updated_at": VerificationRequest.updated_at,
    # NULL for a pending request, even if the row still has the time of an earlier decision.
    "reviewed_at": case((User.verification != "pending", VerificationRequest.reviewed_at)),
    "email": User.email,
    "role": User.role,
}
HAS_CHANGES = VerificationRequest.changes.is_not(None)
IS_WAITING = or_(User.verification == "pending", HAS_CHANGES)


@todo("verification.documents", rank=StaffRole.MANAGER, link="documents")
def documents_to_review(work: Work) -> Waiting:
    """The users whose documents are pending, or who have requested changes to an approved
    identity."""
    return waiting(
        work,
        select(VerificationRequest.submitted_at, VerificationRequest.user_id)
        .join(VerificationRequest.user)
        .where(IS_WAITING),
        link="documents/{}",
    )


def page_of_requests(work: Work, query: Query) -> Page[VerificationRequest]:
    """A page of verification requests, the oldest pending request first."""
    statement = (
        select(VerificationRequest)
        .join(VerificationRequest.user)
        .options(
            contains_eager(VerificationRequest.user), joinedload(VerificationRequest.reviewed_by)
        )
        .where(*contains_every_word(query["search"], User.search_text))
    )
    if query["has_changes"] is not None:
        statement = statement.where(query["has_changes"] == HAS_CHANGES)
    if query["is_waiting"] is not None:
        statement = statement.where(query["is_waiting"] == IS_WAITING)
    if query["user_id"] is not None:
        statement = statement.where(VerificationRequest.user_id == query["user_id"])
    for state in ("pending", "approved", "rejected"):
        wanted = query[f"is_{state}"]
        if wanted is not None:
            statement = statement.where((User.verification == state) == wanted)
    return paginate(
        work,
        statement,
        query,
        key=VerificationRequest.user_id,
        created=VerificationRequest.submitted_at,
        ordering=ORDERING,
        default=[
            (User.verification == "pending").desc(),
            HAS_CHANGES.desc(),
            VerificationRequest.submitted_at,
        ],
    )
