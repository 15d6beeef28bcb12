"""Decide on a user's documents, or on changes to an approved identity."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import any_, update

from competition.core import audit, versions
from competition.core.database import uuids
from competition.core.errors import Invalid, PermissionDenied, existing
from competition.core.messages import Message
from competition.core.users import accounts, schools
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.verification import reasons
from competition.plugins.verification.errors import AlreadyVerified
from competition.plugins.verification.events import DocumentsDecided
from competition.plugins.verification.models import Subject, VerificationRequest
from competition.plugins.verification.services import changes


def check_decision(work: Work, user_id: UUID, if_match: str | None = None) -> None:
    """Check that the actor can decide on this user, before the body is read.

    `if_match` is the version of the account that the actor has reviewed, or None. Raises NotFound,
    PermissionDenied for the actor's own account, AlreadyVerified, Invalid if there is nothing to
    decide, or PreconditionFailed if the user has changed the account or the documents since.
    """
    user = existing(work.db.get(User, user_id))
    _to_be_decided(work, user, if_match)


def decide(
    work: Work,
    user_id: UUID,
    approved: bool,
    rejected: bool,
    reason: str | None,
    if_match: str | None = None,
) -> Subject:
    """Approve or reject the documents or, if the user is already approved, the requested changes.
    Returns which of the two were decided on.

    Raises Invalid unless exactly one of `approved` and `rejected` is true. Also raises the errors
    of `check_decision`, for example if another manager has decided first.
    """
    if approved == rejected:
        raise Invalid.field(
            "is_approved", Message("Set exactly one of is_approved and is_rejected.")
        )
    # Lock the names of schools before accounts, as all transactions do.
    schools.hold_names(work)
    user = accounts.locked(work, User, user_id)
    request = _to_be_decided(work, user, if_match)
    reason = None if approved else reasons.in_english(work, reason)
    if user.is_user_verified:
        changes.decide(work, user, request, approved, reason)
        return "changes"
    _decide_documents(work, user, request, approved, reason)
    return "verification"


def _decide_documents(
    work: Work,
    user: User,
    request: VerificationRequest,
    approved: bool,
    reason: str | None,
) -> None:
    user.verification = "approved" if approved else "rejected"
    request.rejection_reason = reason
    request.reviewed_by_id = work.identity.user_id
    request.reviewed_at = request.updated_at = user.updated_at = work.now
    audit.record(work, "verification.decide", target=user.id, old="pending", new=user.verification)
    work.db.flush()
    work.emit(DocumentsDecided(work, user.id, approved, reasons.in_words(reason)))


def end_reviews(work: Work, user_ids: Collection[UUID]) -> None:
    """Record that staff have approved the identities of users whose documents were pending."""
    work.db.execute(
        update(VerificationRequest)
        .where(VerificationRequest.user_id == any_(uuids(user_ids)))
        .values(
            rejection_reason=None,
            reviewed_by_id=work.identity.user_id,
            reviewed_at=work.now,
            updated_at=work.now,
        ),
        execution_options={"synchronize_session": False},
    )
    for user_id in user_ids:
        work.emit(DocumentsDecided(work, user_id, True, None))


def _to_be_decided(work: Work, user: User, if_match: str | None) -> VerificationRequest:
    """The request that the actor can decide on.

    Raises PermissionDenied for the actor's own account, AlreadyVerified if the user is approved and
    has requested no changes, Invalid if no documents are pending, or PreconditionFailed if the
    actor has reviewed an earlier version.
    """
    if user.id == work.identity.user_id:
        raise PermissionDenied(
            Message("You can't decide on your own documents. Ask another manager.")
        )
    request = changes.current_request(work, user)
    if user.is_user_verified:
        if request is None or request.changes is None:
            raise AlreadyVerified
    elif user.verification != "pending" or request is None:
        raise Invalid(Message("There is nothing to decide: no documents are pending."))
    # Each change of the documents, the name or the school changes the account's version.
    versions.check(user.updated_at, if_match)
    return request
