"""The rules of verification. What moves a request holds the lock on its user's row."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import contains_eager, joinedload

from competition.core import audit
from competition.core.auth.access import check_self_or_manager
from competition.core.errors import (
    EmailNotVerified,
    Invalid,
    NotFound,
    PermissionDenied,
)
from competition.core.storage import files
from competition.core.users import accounts, attachments
from competition.core.users.models import User
from competition.core.users.profiles import DOCUMENTS, record_links
from competition.core.web.pagination import Page, Query, contains_every_word, paginate
from competition.core.web.uploads import ReceivedFile
from competition.core.work import Work
from competition.plugins.verification import VerificationSettings
from competition.plugins.verification.errors import AlreadyVerified, PendingVerification
from competition.plugins.verification.events import DocumentsDecided
from competition.plugins.verification.models import VerificationRequest

PLUGIN = "verification"
ORDERING = {
    "created_at": VerificationRequest.submitted_at,
    "updated_at": VerificationRequest.updated_at,
    "reviewed_at": VerificationRequest.reviewed_at,
    "email": User.email,
    "role": User.role,
}

# By field; a field that was sent as a text has that.
Form = Mapping[str, ReceivedFile | str]
Files = Mapping[str, ReceivedFile]


def status(work: Work, user_id: UUID) -> tuple[User, VerificationRequest | None]:
    """Raises PermissionDenied, UnverifiedStaff, NotFound."""
    user = _visible_user(work, user_id)
    return user, work.db.get(VerificationRequest, user_id)


def document_url(work: Work, document: str, user_id: UUID) -> str:
    """A temporary link. Raises PermissionDenied, UnverifiedStaff, NotFound, StorageUnavailable."""
    user = _visible_user(work, user_id)
    key = getattr(user, document) if document in DOCUMENTS else None
    if key is None or not files.exists(work, key):
        raise NotFound("There is no such document.")
    record_links(work, user_id, [document])
    return files.link(work, key)


def _visible_user(work: Work, user_id: UUID) -> User:
    """The user whose documents are asked for: the caller, or for a manager anybody."""
    check_self_or_manager(work.identity, user_id)
    user = work.db.get(User, user_id)
    if user is None:
        raise NotFound
    return user


def check_submission(work: Work) -> None:
    """Refuse a submission before its files are read. Raises EmailNotVerified, PendingVerification,
    AlreadyVerified."""
    _check_may_submit(work.db.get_one(User, work.identity.user_id))


def check_resubmission(work: Work) -> None:
    """Refuse a resubmission before its files are read. Raises EmailNotVerified, NotFound,
    AlreadyVerified."""
    _check_may_resubmit(work.db.get_one(User, work.identity.user_id))


def submit(work: Work, form: Form) -> tuple[User, VerificationRequest]:
    """Raises what `check_submission` does, Invalid for a missing file, StorageUnavailable."""
    user = accounts.locked(work, User, work.identity.user_id)
    _check_may_submit(user)
    if user.verification == "rejected":
        # Taken as a replacement (decisions F6).
        return resubmit(work, form)
    files = _documents(form)
    _check_complete(files)
    return user, _store(work, user, files)


def resubmit(work: Work, form: Form) -> tuple[User, VerificationRequest]:
    """Raises what `check_resubmission` does, Invalid without a file, StorageUnavailable."""
    user = accounts.locked(work, User, work.identity.user_id)
    _check_may_resubmit(user)
    files = _documents(form)
    if not files:
        raise Invalid(f"Send at least one of: {', '.join(DOCUMENTS)}.")
    # What was purged after the last decision has to be sent again.
    _check_complete([name for name in DOCUMENTS if name in files or getattr(user, name)])
    return user, _store(work, user, files)


def _documents(form: Form) -> Files:
    """The files that were sent: a browser sends the empty text for a file that was not chosen."""
    return {name: file for name in DOCUMENTS if isinstance(file := form.get(name), ReceivedFile)}


def _check_may_submit(user: User) -> None:
    if not user.is_email_verified:
        raise EmailNotVerified
    if user.verification == "pending":
        raise PendingVerification
    if user.verification == "approved":
        raise AlreadyVerified


def _check_may_resubmit(user: User) -> None:
    if not user.is_email_verified:
        raise EmailNotVerified
    if user.verification == "not_submitted":
        raise NotFound("There is nothing to replace yet.")
    if user.verification == "approved":
        raise AlreadyVerified


def _check_complete(present: Collection[str]) -> None:
    missing = [name for name in DOCUMENTS if name not in present]
    if missing:
        raise Invalid(
            f"Missing: {', '.join(missing)}.",
            errors={name: ["This file is required."] for name in missing},
        )


def _store(work: Work, user: User, files: Files) -> VerificationRequest:
    for name, file in files.items():
        attachments.replace(work, user, name, file, plugin=PLUGIN, folder=PLUGIN)
    request = work.db.get(VerificationRequest, user.id)
    if request is None:
        request = VerificationRequest(user_id=user.id, submitted_at=work.now)
        work.db.add(request)
    elif user.verification != "pending":
        # It waits in the line anew.
        request.submitted_at = work.now
    request.rejection_reason = None
    request.reviewed_by_id = request.reviewed_at = None
    request.updated_at = user.updated_at = work.now
    user.verification = "pending"
    work.db.flush()
    return request


def purge_documents(work: Work) -> None:
    """Delete the documents of decisions that are older than the retention."""
    days = work.settings[VerificationSettings].retention_days
    if days == 0:
        return
    reviewed = work.db.scalars(
        select(User)
        .join(VerificationRequest, VerificationRequest.user_id == User.id)
        .where(
            User.verification.in_(("approved", "rejected")),
            VerificationRequest.reviewed_at <= work.now - timedelta(days=days),
            or_(*(getattr(User, name).is_not(None) for name in DOCUMENTS)),
        )
        .order_by(User.id)
        .with_for_update(key_share=True, of=User)
    )
    for user in reviewed:
        attachments.remove(work, user, *DOCUMENTS)
    work.db.flush()


def page_of_requests(work: Work, query: Query) -> Page[VerificationRequest]:
    """A page of verification requests, the oldest pending one first."""
    statement = (
        select(VerificationRequest)
        .join(VerificationRequest.user)
        .options(
            contains_eager(VerificationRequest.user), joinedload(VerificationRequest.reviewed_by)
        )
        .where(*contains_every_word(query["search"], User.search_text))
    )
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
        default=[(User.verification == "pending").desc(), VerificationRequest.submitted_at],
    )


def check_decision(work: Work, user_id: UUID) -> None:
    """Refuse a decision before it is read. Raises NotFound, PermissionDenied, AlreadyVerified,
    Invalid."""
    user = work.db.get(User, user_id)
    if user is None:
        raise NotFound
    _check_can_be_decided(work, user)


def decide(work: Work, user_id: UUID, approved: bool, rejected: bool, reason: str | None) -> str:
    """Approve or reject the documents; returns what has become of the request. Of two reviewers the
    first one wins; the second one hears what `check_decision` raises."""
    if approved == rejected:
        raise Invalid("Set either is_approved or is_rejected.")
    user = accounts.locked(work, User, user_id)
    _check_can_be_decided(work, user)
    request = work.db.get_one(VerificationRequest, user_id)
    user.verification = "approved" if approved else "rejected"
    request.rejection_reason = (reason or None) if rejected else None
    request.reviewed_by_id = work.identity.user_id
    request.reviewed_at = request.updated_at = user.updated_at = work.now
    audit.record(work, "verification.decide", target=user_id, old="pending", new=user.verification)
    work.db.flush()
    work.emit(DocumentsDecided(work, user_id, approved, request.rejection_reason))
    return user.verification


def _check_can_be_decided(work: Work, user: User) -> None:
    if user.id == work.identity.user_id:
        raise PermissionDenied("You can't decide on your own documents.")
    if user.verification == "approved":
        raise AlreadyVerified
    if user.verification != "pending":
        raise Invalid("There is nothing to decide: no documents are pending.")


def export_request(work: Work, user: User) -> dict[str, Any] | None:
    """A user's request for the export of personal data; the documents themselves stand in the
    profile."""
    request = work.db.get(VerificationRequest, user.id)
    if request is None:
        return None
    return {
        "submitted_at": request.submitted_at,
        "reviewed_at": request.reviewed_at,
        "rejection_reason": request.rejection_reason,
    }


def erase_request(work: Work, user: User) -> None:
    work.db.execute(delete(VerificationRequest).where(VerificationRequest.user_id == user.id))
