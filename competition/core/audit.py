"""The record of what staff and operators did, written in the transaction that did it."""

from typing import Any
from uuid import UUID

from competition.core.models import AuditEntry
from competition.core.work import Work


def record(
    work: Work,
    action: str,
    *,
    target: UUID | None = None,
    subject: str = "",
    old: Any = None,
    new: Any = None,
) -> None:
    """`target` is the user acted upon; `subject` names anything else, such as ``exam 7``."""
    work.db.add(
        AuditEntry(
            actor_id=work.actor.user_id if work.actor else None,
            target_id=target,
            action=action,
            subject=subject,
            old=old,
            new=new,
            address=work.address,
            request_id=work.request_id,
            created_at=work.now,
        )
    )
