"""Delete identity documents when their retention period is over."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, or_, select

from competition.core.mail import mails
from competition.core.users import attachments
from competition.core.users.models import DOCUMENTS, User
from competition.core.work import Work
from competition.plugins.verification import VerificationSettings
from competition.plugins.verification.models import VerificationRequest
from competition.plugins.verification.services import personal_data


def purge_documents(work: Work) -> None:
    """Delete documents whose decision is at least `retention_days` old."""
    days = work.settings[VerificationSettings].retention_days
    if days == 0:
        return
    reviewed = _locked(
        work,
        User.verification.in_(("approved", "rejected")),
        VerificationRequest.reviewed_at <= work.now - timedelta(days=days),
        or_(*(getattr(User, name).is_not(None) for name in DOCUMENTS)),
    )
    for user in reviewed:
        attachments.remove(work, user, *DOCUMENTS)
    work.db.flush()


def purge_pending(work: Work) -> None:
    """Delete documents that have waited for a decision for `pending_days`, with their request, and
    email the users to upload them again."""
    days = work.settings[VerificationSettings].pending_days
    if days == 0:
        return
    waiting = _locked(
        work,
        User.verification == "pending",
        VerificationRequest.updated_at <= work.now - timedelta(days=days),
    )
    for user in waiting:
        attachments.remove(work, user, *DOCUMENTS)
        personal_data.erase(work, user)
        user.verification = "not_submitted"
        user.updated_at = work.now
        mails.send(work, "verification.lapsed", user.email)
    work.db.flush()


def _locked(work: Work, *conditions: ColumnElement[bool]) -> Sequence[User]:
    """The users whose request meets the conditions, locked."""
    return work.db.scalars(
        select(User)
        .join(VerificationRequest, VerificationRequest.user_id == User.id)
        .where(*conditions)
        .order_by(User.id)
        .with_for_update(key_share=True, of=User)
    ).all()
