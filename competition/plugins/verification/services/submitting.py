"""Submit identity documents, and replace them."""

from collections.abc import Collection, Mapping

from competition.core.errors import Invalid, NotFound
from competition.core.messages import Message
from competition.core.storage.pictures import ReceivedFile
from competition.core.users import accounts, attachments
from competition.core.users.models import DOCUMENTS, User
from competition.core.work import Work
from competition.plugins.verification.errors import (
    AlreadyVerified,
    EmailNotVerified,
    PendingVerification,
)
from competition.plugins.verification.models import VerificationRequest

PLUGIN = "verification"

# The file of each field, by the field's name; a string if the client sent text instead of a file.
Form = Mapping[str, ReceivedFile | str]
Files = Mapping[str, ReceivedFile]


def check_submission(work: Work) -> None:
    """Check that the actor may submit documents, before the files are read.

    Raises EmailNotVerified if the actor's email address is not verified, PendingVerification if
    documents are waiting for a decision, and AlreadyVerified if the identity is approved.
    """
    _check_may_submit(work.db.get_one(User, work.identity.user_id))


def check_resubmission(work: Work) -> None:
    """Check that the actor may replace documents, before the files are read.

    Raises EmailNotVerified if the actor's email address is not verified, NotFound if the actor has
    not submitted any documents, and AlreadyVerified if the identity is approved.
    """
    _check_may_resubmit(work.db.get_one(User, work.identity.user_id))


def submit(work: Work, form: Form) -> tuple[User, VerificationRequest]:
    """Submit the actor's documents for review.

    Raises the errors of `check_submission`, Invalid if a file is missing, and StorageUnavailable if
    the storage fails.
    """
    user = accounts.locked(work, User, work.identity.user_id)
    _check_may_submit(user)
    if user.verification == "rejected":
        # After a rejection, submitting replaces the documents (decisions F6).
        return resubmit(work, form)
    files = _documents(form)
    _check_complete(files)
    return user, _store(work, user, files)


def resubmit(work: Work, form: Form) -> tuple[User, VerificationRequest]:
    """Replace some or all of the actor's documents.

    Raises the errors of `check_resubmission`, Invalid if no file was sent or a document would be
    missing, and StorageUnavailable if the storage fails.
    """
    user = accounts.locked(work, User, work.identity.user_id)
    _check_may_resubmit(user)
    files = _documents(form)
    if not files:
        message = Message("Send at least one of: ${names}.", "required", names=list(DOCUMENTS))
        raise Invalid(message, errors={name: [message] for name in DOCUMENTS})
    # Documents that were deleted after the last decision have to be sent again.
    _check_complete([name for name in DOCUMENTS if name in files or getattr(user, name)])
    return user, _store(work, user, files)


def _documents(form: Form) -> Files:
    """The files that were sent. For a file that was not chosen, a browser sends an empty string."""
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
        raise NotFound(
            Message("You have not submitted any documents yet. Submit all documents first.")
        )
    if user.is_user_verified:
        raise AlreadyVerified


def _check_complete(present: Collection[str]) -> None:
    missing = [name for name in DOCUMENTS if name not in present]
    if missing:
        raise Invalid(
            Message("Some of the files are missing. Send the files that `errors` names."),
            errors={name: [Message("This file is required.", "required")] for name in missing},
        )


def _store(work: Work, user: User, files: Files) -> VerificationRequest:
    for name, file in files.items():
        attachments.replace(work, user, name, file, plugin=PLUGIN, folder=PLUGIN)
    request = work.db.get(VerificationRequest, user.id)
    if request is None:
        request = VerificationRequest(user_id=user.id, submitted_at=work.now)
        work.db.add(request)
    elif user.verification != "pending":
        # The request goes to the end of the queue.
        request.submitted_at = work.now
    # An earlier decision stays in the row, for the manager who reviews the new documents.
    request.updated_at = user.updated_at = work.now
    user.verification = "pending"
    work.db.flush()
    return request
