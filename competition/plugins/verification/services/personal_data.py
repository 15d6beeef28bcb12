"""Export and erase the personal data of a user's verification."""

from typing import Any

from sqlalchemy import delete

from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.verification import reasons
from competition.plugins.verification.models import VerificationRequest


def export(work: Work, user: User) -> dict[str, Any] | None:
    """The user's verification request. The documents are exported with the profile."""
    request = work.db.get(VerificationRequest, user.id)
    if request is None:
        return None
    return {
        "submitted_at": request.submitted_at,
        "reviewed_at": request.reviewed_at,
        "rejection_reason": reasons.in_words(request.rejection_reason),
        "changes": request.changes,
    }


@personal_data("verification", export=export)
def erase(work: Work, user: User) -> None:
    """Delete the request. The documents are deleted with the account."""
    work.db.execute(delete(VerificationRequest).where(VerificationRequest.user_id == user.id))
