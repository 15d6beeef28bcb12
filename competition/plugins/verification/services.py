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
from competition.core.mail import mails
from competition.core.storage import files
from competition.core.users import accounts, attachments
from competition.core.users.models import Candidate, User
from competition.core.users.profiles import DOCUMENTS, record_links
from competition.core.web.pagination import Page, Query, contains_every_word, paginate
from competition.core.web.uploads import ReceivedFile
from competition.core.work import Work
from competition.plugins.verification import VerificationSettings
from competition.plugins.verification.errors import AlreadyVerified, PendingVerification
from competition.plugins.verification.events import ChangesDecided, DocumentsDecided
from competition.plugins.verification.models import REVIEWED, Decision, VerificationRequest

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
    return files.link(work, key, private=True)


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
        message = f"Send at least one of: {', '.join(DOCUMENTS)}."
        raise Invalid(message, errors={name: [message] for name in DOCUMENTS})
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


def purge_pending(work: Work) -> None:
    """Delete what nobody has decided on for too long, as if it had never been sent."""
    days = work.settings[VerificationSettings].pending_days
    if days == 0:
        return
    waiting = work.db.scalars(
        select(User)
        .join(VerificationRequest, VerificationRequest.user_id == User.id)
        .where(
            User.verification == "pending",
            VerificationRequest.updated_at <= work.now - timedelta(days=days),
        )
        .order_by(User.id)
        .with_for_update(key_share=True, of=User)
    ).all()
    for user in waiting:
        attachments.remove(work, user, *DOCUMENTS)
        erase_request(work, user)
        user.verification = "not_submitted"
        user.updated_at = work.now
        mails.send(work, "verification.lapsed", user.email)
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
    if query["has_changes"] is not None:
        statement = statement.where(
            VerificationRequest.changes.is_not(None) == query["has_changes"]
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
        default=[
            (User.verification == "pending").desc(),
            VerificationRequest.changes.is_not(None).desc(),
            VerificationRequest.submitted_at,
        ],
    )


def check_decision(work: Work, user_id: UUID) -> None:
    """Refuse a decision before it is read. Raises NotFound, PermissionDenied, AlreadyVerified,
    Invalid."""
    user = work.db.get(User, user_id)
    if user is None:
        raise NotFound
    _to_be_decided(work, user)


def decide(
    work: Work, user_id: UUID, approved: bool, rejected: bool, reason: str | None
) -> Decision:
    """Approve or reject the documents, or the changes of who is approved. Of two reviewers the
    first one wins; the second one hears what `check_decision` raises."""
    if approved == rejected:
        raise Invalid.field("is_approved", "Set either is_approved or is_rejected.")
    user = accounts.locked(work, User, user_id)
    request = _to_be_decided(work, user)
    if user.verification == "approved":
        _decide_changes(work, user, request, approved, reason)
        return Decision("changes", approved)
    _decide_documents(work, user, request, approved, reason)
    return Decision("verification", approved)


def _request(work: Work, user: User) -> VerificationRequest | None:
    """As the database has it now: its changes go with the lock on the user."""
    return work.db.get(VerificationRequest, user.id, populate_existing=True)


def _decide_documents(
    work: Work,
    user: User,
    request: VerificationRequest,
    approved: bool,
    reason: str | None,
) -> None:
    user.verification = "approved" if approved else "rejected"
    request.rejection_reason = None if approved else reason or None
    request.reviewed_by_id = work.identity.user_id
    request.reviewed_at = request.updated_at = user.updated_at = work.now
    audit.record(work, "verification.decide", target=user.id, old="pending", new=user.verification)
    work.db.flush()
    work.emit(DocumentsDecided(work, user.id, approved, request.rejection_reason))


def _decide_changes(
    work: Work,
    user: User,
    request: VerificationRequest,
    approved: bool,
    reason: str | None,
) -> None:
    changes = request.changes or {}
    request.changes = None
    request.updated_at = work.now
    # Without the values, which nobody has taken over.
    decided = "approved" if approved else "rejected"
    names = sorted(changes)
    audit.record(work, "verification.decide_changes", target=user.id, old=names, new=decided)
    if approved:
        before = {name: getattr(user, name) for name in changes}
        for name, value in changes.items():
            if isinstance(user, Candidate) and name == "school":
                accounts.change_school(work, user, value, vouched=True)
            else:
                setattr(user, name, value)
        user.updated_at = work.now
        audit.record_change(work, accounts.CHANGE, "", before, changes, target=user.id)
    work.db.flush()
    work.emit(ChangesDecided(work, user.id, approved, None if approved else reason or None))


def hold_back(work: Work, user_id: UUID, values: dict[str, Any]) -> None:
    """Take out of `values` what users would change themselves of an identity that was approved: it
    waits for a manager. What they want back as it is does not wait any more. The account is
    locked."""
    user = work.db.get_one(User, user_id)
    if (
        not work.settings[VerificationSettings].review_changes
        or user.verification != "approved"
        or user.id != work.identity.user_id
    ):
        return
    wanted: dict[str, str] = {name: values.pop(name) for name in REVIEWED if name in values}
    if not wanted:
        return
    request = _request(work, user)
    waiting = (request.changes if request else None) or {}
    changes = {
        name: value for name, value in {**waiting, **wanted}.items() if value != getattr(user, name)
    }
    if request is None and changes:
        # Approved without documents, as the first superadmin is.
        request = VerificationRequest(user_id=user.id, submitted_at=work.now)
        work.db.add(request)
    if request is not None:
        request.changes = changes or None
        request.updated_at = work.now


def _to_be_decided(work: Work, user: User) -> VerificationRequest:
    """Raises PermissionDenied, AlreadyVerified, Invalid."""
    if user.id == work.identity.user_id:
        raise PermissionDenied("You can't decide on your own documents.")
    request = _request(work, user)
    if user.verification == "approved":
        if request is None or request.changes is None:
            raise AlreadyVerified
    elif user.verification != "pending" or request is None:
        raise Invalid("There is nothing to decide: no documents are pending.")
    return request


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
        "changes": request.changes,
    }


def erase_request(work: Work, user: User) -> None:
    work.db.execute(delete(VerificationRequest).where(VerificationRequest.user_id == user.id))
