"""The audit trail."""

from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from competition.core.audit import AuditEntry
from competition.core.lists import Page, Pagination


class AuditItem(TypedDict):
    """An entry of the audit trail. `old` and `new` show what the action changed, in a format that
    depends on the action."""

    id: int
    actor_id: UUID | None
    target_id: UUID | None
    action: str
    subject: str
    old: Any
    new: Any
    address: str | None
    request_id: str
    created_at: datetime
    hash: str | None


class AuditList(TypedDict):
    results: list[AuditItem]
    pagination: Pagination


def audit_list(page: Page[AuditEntry], url: str) -> AuditList:
    return AuditList(
        results=[_audit_item(entry) for entry in page.items], pagination=page.pagination(url)
    )


def _audit_item(entry: AuditEntry) -> AuditItem:
    return AuditItem(
        id=entry.id,
        actor_id=entry.actor_id,
        target_id=entry.target_id,
        action=entry.action,
        subject=entry.subject,
        old=entry.old,
        new=entry.new,
        address=entry.address,
        request_id=entry.request_id,
        created_at=entry.created_at,
        hash=entry.hash,
    )
