"""Changes to an approved identity, which a manager has to approve."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import select

from competition.core import audit
from competition.core.texts import name_key
from competition.core.users import accounts, schools
from competition.core.users.models import Candidate, User
from competition.core.work import Work
from competition.plugins.verification import VerificationSettings, reasons
from competition.plugins.verification.events import ChangesDecided
from competition.plugins.verification.models import REVIEWED, VerificationRequest


def hold_back(work: Work, user_id: UUID, values: dict[str, Any]) -> None:
    """Move the fields that a manager has to approve from `values` to the user's request.

    Does nothing unless `review_changes` is set and users change their own approved identity. If
    users set a field back to its current value, their earlier request to change it is dropped. The
    caller must have locked the account.
    """
    user = work.db.get_one(User, user_id)
    if (
        not work.settings[VerificationSettings].review_changes
        or not user.is_user_verified
        or user.id != work.identity.user_id
    ):
        return
    wanted: dict[str, str] = {name: values.pop(name) for name in REVIEWED if name in values}
    if not wanted:
        return
    request = current_request(work, user)
    waiting = (request.changes if request else None) or {}
    changes = {
        name: value for name, value in {**waiting, **wanted}.items() if value != getattr(user, name)
    }
    if request is None and changes:
        # The user was approved without documents, such as the first superadmin.
        request = VerificationRequest(user_id=user.id, submitted_at=work.now)
        work.db.add(request)
    if request is not None:
        request.changes = changes or None
        request.updated_at = work.now


def decide(
    work: Work,
    user: User,
    request: VerificationRequest,
    approved: bool,
    reason: str | None,
) -> None:
    """Approve or reject the requested changes to an approved identity. The caller must have locked
    the user."""
    changes = request.changes or {}
    request.changes = None
    request.updated_at = work.now
    # Record only the names here. The values are recorded below, if they are applied.
    decided = "approved" if approved else "rejected"
    names = sorted(changes)
    audit.record(work, "verification.decide_changes", target=user.id, old=names, new=decided)
    if approved:
        before = {name: getattr(user, name) for name in changes}
        for name, value in changes.items():
            if isinstance(user, Candidate) and name == "school":
                # Since the request, the requested name may have become an alias of a school.
                own = schools.own_name(work, value)
                accounts.change_school(work, user, own, vouched=True)
            else:
                setattr(user, name, value)
        user.updated_at = work.now
        audit.record_change(
            work, accounts.CHANGE, "", before, changes, target=user.id, erasable=True
        )
    work.db.flush()
    work.emit(ChangesDecided(work, user.id, approved, reasons.in_words(reason)))


def rename_schools(work: Work, keys: Collection[str], name: str) -> None:
    """Give a school its new name in the changes that wait for a decision."""
    waiting = select(VerificationRequest).where(VerificationRequest.changes.has_key("school"))
    for request in work.db.scalars(waiting.with_for_update()):
        changes = request.changes or {}
        if name_key(changes["school"]) in keys:
            request.changes = {**changes, "school": name}


def current_request(work: Work, user: User) -> VerificationRequest | None:
    """The request of a locked user, reloaded, because it may have changed before the lock."""
    return work.db.get(VerificationRequest, user.id, populate_existing=True)
