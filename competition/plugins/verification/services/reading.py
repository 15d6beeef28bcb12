"""The status of a user's verification, and links to the documents."""

from uuid import UUID

from competition.core.errors import NotFound
from competition.core.messages import Message
from competition.core.storage import files
from competition.core.users import accounts
from competition.core.users.documents import record_links
from competition.core.users.models import DOCUMENTS, Staff, User
from competition.core.users.profiles import staff_profile
from competition.core.work import Work
from competition.plugins.verification import reasons
from competition.plugins.verification.models import VerificationRequest
from competition.plugins.verification.presenters import EarlierDecision


def status(work: Work, user_id: UUID) -> tuple[User, VerificationRequest | None]:
    """A user and their verification request, which is None if there is none.

    Raises the errors of `accounts.visible`.
    """
    user = accounts.visible(work, user_id)
    return user, work.db.get(VerificationRequest, user_id)


def earlier_decision(
    work: Work, user: User, request: VerificationRequest | None
) -> EarlierDecision | None:
    """The rejection after which the user has sent the pending documents again. None if no documents
    are pending, or if they are the first ones."""
    if request is None or request.reviewed_at is None or user.verification != "pending":
        return None
    reviewer_id = request.reviewed_by_id
    reviewer = work.db.get(Staff, reviewer_id) if reviewer_id else None
    return EarlierDecision(
        rejection_reason=reasons.in_words(request.rejection_reason),
        reviewed_by=staff_profile(work, reviewer) if reviewer else None,
        reviewed_at=request.reviewed_at,
    )


def document_url(work: Work, document: str, user_id: UUID) -> str:
    """A temporary link to a document. Each link is recorded.

    Raises the errors of `accounts.visible`, NotFound if there is no such document, and
    StorageUnavailable if the storage fails.
    """
    user = accounts.visible(work, user_id)
    key = getattr(user, document) if document in DOCUMENTS else None
    if key is None or not files.exists(work, key):
        raise NotFound(
            Message("There is no such document. The user's verification lists the documents.")
        )
    record_links(work, user_id, [document])
    return files.link(work, key, private=True)
