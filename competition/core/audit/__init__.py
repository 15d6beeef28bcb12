"""The audit trail: who did and changed what, recorded in the transaction that changed it.

`chain` links the entries by hashes, so that a later change of one shows. `security_log` writes
logins, rejections and similar events to the log of the process.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Identity,
    Index,
    LargeBinary,
    String,
    Uuid,
    func,
    insert,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base
from competition.core.work import Work

# The action of a person's erasure, the one reason to take anything out of the trail.
ERASURE = "account.erase"


class AuditEntry(Base):
    """An act of staff or an operator, or what somebody changed of their own account: who did what
    to whom, from where. Never changed, but that it is sealed and that `forget` takes out what was
    personal."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # No foreign keys: the record outlives the accounts.
    actor_id: Mapped[UUID | None] = mapped_column(index=True)
    target_id: Mapped[UUID | None] = mapped_column(index=True)
    action: Mapped[str] = mapped_column(String(100))
    subject: Mapped[str] = mapped_column(String(200), default="")
    old: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    new: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    address: Mapped[str | None]
    request_id: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime]
    # The entry's link in the chain of `audit.chain`: its number there, the salted digest of what is
    # personal (the salt goes with that), and the hash over it, the rest, and the hash before.
    seal: Mapped[int | None] = mapped_column(BigInteger, unique=True)
    salt: Mapped[bytes | None] = mapped_column(LargeBinary)
    digest: Mapped[str | None] = mapped_column(String(64))
    hash: Mapped[str | None] = mapped_column(String(64))

    __table_args__ = (
        CheckConstraint("num_nulls(seal, digest, hash) in (0, 3)", name="sealed_whole"),
        Index("ix_audit_created_at_id", "created_at", "id"),
        # What the sealer looks for.
        Index("ix_audit_unsealed", "id", postgresql_where=text("seal is null")),
    )


def record(
    work: Work,
    action: str,
    *,
    target: UUID | None = None,
    subject: str = "",
    old: Any = None,
    new: Any = None,
) -> None:
    """Write an audit entry. `target` is the user acted upon; `subject` names anything else, such as
    ``exam 7``. `old` and `new` are kept as JSON has them."""
    work.db.add(AuditEntry(**_entry(work, action, target, subject, old, new)))


def record_each(
    work: Work, action: str, targets: Collection[UUID], *, old: Any = None, new: Any = None
) -> None:
    """Write an entry for each of the users acted upon, with the same old and new: by one statement,
    as they may be a hundred thousand."""
    columns = AuditEntry.__table__.columns
    same = _entry(work, action, None, "", old, new)
    values: dict[str, Any] = {
        name: literal(value, columns[name].type) for name, value in same.items()
    }
    values["target_id"] = func.unnest(literal([*targets], ARRAY(Uuid())))
    work.db.execute(insert(AuditEntry).from_select([*values], select(*values.values())))


def _entry(
    work: Work, action: str, target: UUID | None, subject: str, old: Any, new: Any
) -> dict[str, Any]:
    return {
        "actor_id": work.actor.user_id if work.actor else None,
        "target_id": target,
        "action": action,
        "subject": subject,
        "old": msgspec.to_builtins(old),
        "new": msgspec.to_builtins(new),
        "address": work.address,
        "request_id": work.request_id,
        "created_at": work.now,
    }


def record_change(
    work: Work,
    action: str,
    subject: str,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    *,
    target: UUID | None = None,
) -> tuple[str, ...]:
    """Record the fields that differ between `old` and `new`, and return their names; no entry when
    none does."""
    names = tuple(name for name in old if old[name] != new[name])
    if names:
        record(
            work,
            action,
            target=target,
            subject=subject,
            old={name: old[name] for name in names},
            new={name: new[name] for name in names},
        )
    return names


def forget(work: Work, action: str, target: UUID) -> None:
    """Take out of these acts what is personal, for somebody who is being erased: that they were
    done to them, when and by whom stays on record, what they changed and from where does not. The
    digest stays too, so that the chain holds; without the salt nobody can try values on it."""
    work.db.execute(
        update(AuditEntry)
        .where(AuditEntry.action == action, AuditEntry.target_id == target)
        .values(old=None, new=None, address=None, salt=None),
        execution_options={"synchronize_session": False},
    )
