from datetime import datetime
from typing import TypedDict
from uuid import UUID

from competition.core.lists import Page, Pagination
from competition.core.messages import Message
from competition.plugins.privacy.models import Deletion


class PrivacyMessage(TypedDict):
    message: str


class DeletionReceipt(PrivacyMessage):
    """The reply to a requested deletion, which can be cancelled until `erase_at`."""

    erase_at: datetime


class DeletionItem(TypedDict):
    """An account that will be erased."""

    user_id: UUID
    full_name: str
    email: str
    role: str
    is_own: bool
    requested_at: datetime
    erase_at: datetime


class DeletionList(TypedDict):
    """The requested deletions. If a deletion is requested now, the account is erased after
    `deletion_days` days."""

    results: list[DeletionItem]
    pagination: Pagination
    deletion_days: int


class ConsentDemand(TypedDict):
    """Whether candidates need a guardian's consent to register. If so, show `text` to the guardian,
    and send `version` with the registration."""

    required: bool
    text: str | None
    version: str | None


def deletion_receipt(deletion: Deletion) -> DeletionReceipt:
    return DeletionReceipt(
        message=Message("The account has been deactivated and will be erased."),
        erase_at=deletion.erase_at,
    )


def deletion_list(page: Page[Deletion], deletion_days: int, url: str) -> DeletionList:
    return DeletionList(
        results=[
            DeletionItem(
                user_id=deletion.user_id,
                full_name=deletion.user.full_name,
                email=deletion.user.email,
                role=deletion.user.role,
                is_own=deletion.is_own,
                requested_at=deletion.requested_at,
                erase_at=deletion.erase_at,
            )
            for deletion in page.items
        ],
        pagination=page.pagination(url),
        deletion_days=deletion_days,
    )


def consent_demand(text: str, version: str) -> ConsentDemand:
    return ConsentDemand(required=bool(text), text=text or None, version=version if text else None)
