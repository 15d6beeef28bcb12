"""Build replies with entries of the audit trail."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from competition.core.audit import AuditEntry
from competition.core.lists import Page, Pagination


class AuditItem(TypedDict):
    """An entry of the audit trail. `old` and `new` show what the action changed, in a format that
    depends on the action. The names are null if the account has been erased."""

    id: int
    actor_id: UUID | None
    actor_name: str | None
    target_id: UUID | None
    target_name: str | None
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


def audit_list(page: Page[AuditEntry], names: Mapping[UUID, str], url: str) -> AuditList:
    """A page of the audit trail. `names` has the users' names by id, without erased accounts."""
    return AuditList(
        results=[_audit_item(entry, names) for entry in page.items],
        pagination=page.pagination(url),
    )


def _audit_item(entry: AuditEntry, names: Mapping[UUID, str]) -> AuditItem:
    return AuditItem(
        id=entry.id,
        actor_id=entry.actor_id,
        actor_name=names.get(entry.actor_id) if entry.actor_id else None,
        target_id=entry.target_id,
        target_name=names.get(entry.target_id) if entry.target_id else None,
        action=entry.action,
        subject=entry.subject,
        old=entry.old,
        new=entry.new,
        address=entry.address,
        request_id=entry.request_id,
        created_at=entry.created_at,
        hash=entry.hash,
    )
