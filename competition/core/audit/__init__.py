"""The audit trail: acts and changes with their authors, recorded in the transaction of the change.

`chain` links the entries by hashes, which reveals later changes of entries. `security_log` writes
logins, rejections and similar events to the log of the process.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    String,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base, uuids
from competition.core.work import Work

# The action of an entry about the erasure of a person, the only reason to remove values from the
# trail. Under the key EMPTIED, the `new` of this entry lists the entries that the erasure emptied,
# by their numbers in the hash chain.
ERASURE = "account.erase"
EMPTIED = "emptied"
# The email address of an erased account is its id at this domain.
ERASED_DOMAIN = "erased.invalid"


class AuditKey(Base):
    """The key of the hash chain, encrypted with a key that is derived from the signing keys.

    The key of the chain is random, and stays the same when the signing keys are rotated, so that
    older entries can still be verified. An attacker who can read only the database can't decrypt
    it.
    """

    __tablename__ = "audit_key"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    encrypted: Mapped[str]
    created_at: Mapped[datetime]


class AuditEntry(Base):
    """An act of a member of staff or an operator, or a user's change of their own account.

    An entry never changes, with two exceptions: `chain` sets its place in the hash chain, and
    `erase` removes personal values.
    """

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # No foreign keys, because the entries remain when the accounts are deleted.
    actor_id: Mapped[UUID | None] = mapped_column(index=True)
    target_id: Mapped[UUID | None] = mapped_column(index=True)
    action: Mapped[str] = mapped_column(String(100))
    subject: Mapped[str] = mapped_column(String(200), default="")
    old: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    new: Mapped[Any | None] = mapped_column(JSONB(none_as_null=True))
    address: Mapped[str | None]
    request_id: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime]
    # Whether an erasure of the target deletes `old`, `new` and `address`. The hash covers this
    # column.
    is_erasable: Mapped[bool] = mapped_column(default=False)
    # The entry's place in the hash chain (`audit.chain`): its number, the salt and the digest of
    # the personal values, and the hash over the digest, the other values and the previous hash. An
    # erasure deletes the salt with the personal values. `key_id` is the key of the hash.
    seal: Mapped[int | None] = mapped_column(BigInteger, unique=True)
    salt: Mapped[bytes | None] = mapped_column(LargeBinary)
    digest: Mapped[str | None] = mapped_column(String(64))
    hash: Mapped[str | None] = mapped_column(String(64))
    key_id: Mapped[int | None] = mapped_column(ForeignKey(AuditKey.id))

    __table_args__ = (
        CheckConstraint("num_nulls(seal, digest, hash, key_id) in (0, 4)", name="sealed_whole"),
        Index("ix_audit_created_at_id", "created_at", "id"),
        # Finds the entries that are not in the chain yet, for the task that adds them.
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
    erasable: bool = False,
) -> None:
    """Write an audit entry. `target` is the user acted upon, and `subject` names any other object,
    such as ``exam 7``. `old` and `new` are stored as JSON.

    If they contain personal data about the target, such as a name or a reason, set `erasable`:
    `erase` then deletes them when the target's account is erased. Otherwise they are never deleted.
    """
    work.db.add(AuditEntry(**_entry(work, action, target, subject, old, new, erasable)))


def record_each(
    work: Work,
    action: str,
    targets: Collection[UUID],
    *,
    subject: str = "",
    old: Any = None,
    new: Any = None,
) -> None:
    """Write an audit entry for each of the users acted upon, with the same values. One
    statement writes all of them, because there may be a hundred thousand users.

    The entries are not erasable, so `old` and `new` must not contain personal data.
    """
    columns = AuditEntry.__table__.columns
    same = _entry(work, action, None, subject, old, new, False)
    values: dict[str, Any] = {
        name: literal(value, columns[name].type) for name, value in same.items()
    }
    values["target_id"] = func.unnest(uuids(targets))
    work.db.execute(insert(AuditEntry).from_select([*values], select(*values.values())))


def _entry(
    work: Work,
    action: str,
    target: UUID | None,
    subject: str,
    old: Any,
    new: Any,
    erasable: bool,
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
        "is_erasable": erasable,
    }


def record_change(
    work: Work,
    action: str,
    subject: str,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    *,
    target: UUID | None = None,
    erasable: bool = False,
) -> tuple[str, ...]:
    """Write an audit entry with the fields that differ between `old` and `new`, and return their
    names. If none differs, there is no entry."""
    names = tuple(name for name in old if old[name] != new[name])
    if names:
        record(
            work,
            action,
            target=target,
            subject=subject,
            old={name: old[name] for name in names},
            new={name: new[name] for name in names},
            erasable=erasable,
        )
    return names


def erase(work: Work, target: UUID) -> None:
    """Remove the personal values from the entries about a user who is being erased, and record the
    erasure.

    The action, its time and its author stay on record. Only entries that were recorded as erasable
    are emptied: their old and new values and the address are deleted. The digest stays, so that the
    hash chain stays valid. The salt is deleted, so that nobody can guess the values and compare
    their digest. The entry about the erasure lists the emptied entries of the chain: `chain.verify`
    accepts no other emptied entries.
    """
    emptied = work.db.scalars(
        update(AuditEntry)
        .where(AuditEntry.target_id == target, AuditEntry.is_erasable)
        # Entries of the chain without a salt were emptied, and listed, by an earlier erasure.
        .where(or_(AuditEntry.seal.is_(None), AuditEntry.salt.is_not(None)))
        .values(old=None, new=None, address=None, salt=None)
        .returning(AuditEntry.seal),
        execution_options={"synchronize_session": False},
    ).all()
    record(work, ERASURE, target=target, new={EMPTIED: sorted(filter(None, emptied))})
