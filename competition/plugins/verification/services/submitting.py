"""Submitting documents, and submitting them again."""

from collections.abc import Collection, Mapping

from competition.core.errors import EmailNotVerified, Invalid, NotFound
from competition.core.storage.pictures import ReceivedFile
from competition.core.users import accounts, attachments
from competition.core.users.models import DOCUMENTS, User
from competition.core.work import Work
from competition.plugins.verification.errors import AlreadyVerified, PendingVerification
from competition.plugins.verification.models import VerificationRequest

PLUGIN = "verification"

# By field; a field that was sent as a text has that.
Form = Mapping[str, ReceivedFile | str]
Files = Mapping[str, ReceivedFile]


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
    if user.is_user_verified:
        raise AlreadyVerified


def _check_may_resubmit(user: User) -> None:
    if not user.is_email_verified:
        raise EmailNotVerified
    if user.verification == "not_submitted":
        raise NotFound("There is nothing to replace yet.")
    if user.is_user_verified:
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
