"""The hash chain of the audit trail, which reveals entries that were changed, removed or inserted.

Each entry has a hash over its content and over the hash of the entry before it in the chain.

A periodic task adds committed entries to the chain, one run at a time. So transactions that write
entries never wait for each other. Entries are committed in any order, so their position in the
chain is a column, `seal`, which counts from 1 without gaps.

Personal values enter the hash as a salted digest. When a person is erased, the values and the salt
are deleted, and the digest stays, so the chain stays valid (docs/decisions/0023-audit-chain.md).
"""

import json
import secrets
from datetime import UTC, timedelta
from hashlib import sha256
from typing import Any

from pyramid.config import Configurator
from sqlalchemy import Result, Row, Select, Text, case, cast, exists, func, select, update
from sqlalchemy.orm import aliased

from competition.core.audit import ERASURE, AuditEntry
from competition.core.jobs import jobs
from competition.core.jobs.tasks import task
from competition.core.work import Work

LOCK = "core.seal_audit"
# How many entries one transaction adds to the chain at most.
MOST_SEALED_AT_ONCE = 5_000
# How many entries are fetched at a time while the whole chain is verified.
BATCH = 5_000
SALT_BYTES = 32
# The previous hash of the first entry.
NOTHING_BEFORE = ""

Entry = Row[*tuple[Any, ...]]


class BrokenChain(Exception):
    """The audit trail does not match its hash chain. The message says where."""


@task("core.seal_audit", every=timedelta(seconds=10))
def seal(work: Work) -> None:
    """Add the committed entries that are not in the chain yet, at most 5,000, to its end."""
    if not work.lock(LOCK, wait=False):
        return
    # Skip locked entries, which an erasure is changing. The next run adds them.
    unsealed = _content().where(AuditEntry.seal.is_(None)).order_by(AuditEntry.id)
    entries = work.db.execute(
        unsealed.limit(MOST_SEALED_AT_ONCE).with_for_update(skip_locked=True, of=AuditEntry)
    ).all()
    number, before = _last(work)
    sealed = []
    for entry in entries:
        number, salt = number + 1, secrets.token_bytes(SALT_BYTES)
        digest = _digest(entry, salt)
        before = _hash(entry, number, digest, before)
        sealed.append(
            {"id": entry.id, "seal": number, "salt": salt, "digest": digest, "hash": before}
        )
    if sealed:
        work.db.execute(update(AuditEntry), sealed)
    if len(sealed) == MOST_SEALED_AT_ONCE:
        jobs.enqueue(work, "core.seal_audit")


def head(work: Work) -> str:
    """The hash of the last entry in the chain. It covers all entries, so if it is stored elsewhere,
    it proves later that none of them was removed.

    Raises BrokenChain if no entry is in the chain yet.
    """
    _, found = _last(work)
    if not found:
        raise BrokenChain("No entry is in the chain yet.")
    return found


def verify(work: Work, head: str | None = None) -> int:
    """Verify the chain, and return the number of its entries.

    `head` is an earlier result of the function `head`. The chain may be longer now, but must
    contain it. Raises BrokenChain, naming the first entry that does not match.
    """
    number, is_head_found = 0, head is None
    with _chain(work) as chain:
        before = before_that = NOTHING_BEFORE
        for entry in chain:
            _check(entry, number, before, before_that)
            number, before, before_that = number + 1, entry.hash, before
            is_head_found = is_head_found or entry.hash == head
    if not is_head_found:
        raise BrokenChain(
            f"None of the {number} entries has the hash {head}: the end of the chain was removed,"
            " or the whole chain was computed again."
        )
    return number


def unsealed(work: Work) -> int:
    """The number of entries that are not in the chain yet, and so not protected. It is small while
    a worker runs."""
    waiting = select(func.count()).select_from(AuditEntry).where(AuditEntry.seal.is_(None))
    return work.db.scalars(waiting).one()


def _check(entry: Entry, number: int, before: str, before_that: str) -> None:
    """Check that the entry continues the chain.

    `number` and `before` are the number and hash of the previous entry, and `before_that` is the
    hash of the entry before that. Raises BrokenChain.
    """
    name = f"Entry {entry.seal} of the chain (id {entry.id})"
    if entry.seal <= number:
        raise BrokenChain(f"{name} was inserted: there is another one with this number.")
    if entry.seal > number + 1:
        raise BrokenChain(f"Entry {number + 1} of the chain is missing: it was removed.")
    if entry.hash != _hash(entry, entry.seal, entry.digest, before):
        # An attacker can compute the right hash for an inserted entry, but the entry after it still
        # has the hash of its old place in the chain.
        if number and entry.hash == _hash(entry, number, entry.digest, before_that):
            raise BrokenChain(f"Entry {number} of the chain was inserted.")
        raise BrokenChain(f"{name} was changed or inserted.")
    if not _is_as_sealed(entry):
        raise BrokenChain(f"{name} was changed, or emptied although no person was erased.")


def _is_as_sealed(entry: Entry) -> bool:
    """Whether the personal values match their digest, or were deleted by an erasure."""
    if entry.salt is None:
        is_empty = entry.old is entry.new is entry.address is None
        return is_empty and bool(entry.is_of_erased)
    return bool(entry.digest == _digest(entry, entry.salt))


def _content() -> Select[*tuple[Any, ...]]:
    """A SELECT of the content that the hashes cover. JSON columns are cast to text by PostgreSQL,
    which preserves every digit of a number."""
    return select(
        AuditEntry.id,
        AuditEntry.actor_id,
        AuditEntry.target_id,
        AuditEntry.action,
        AuditEntry.subject,
        cast(AuditEntry.old, Text).label("old"),
        cast(AuditEntry.new, Text).label("new"),
        AuditEntry.address,
        AuditEntry.request_id,
        AuditEntry.created_at,
    )


def _chain(work: Work) -> Result[*tuple[Any, ...]]:
    """The entries in the order of the chain. A single query reads them, `BATCH` rows at a time."""
    erasure = aliased(AuditEntry)
    is_of_erased = exists().where(
        erasure.action == ERASURE, erasure.target_id == AuditEntry.target_id
    )
    chain = _content().add_columns(
        AuditEntry.seal,
        AuditEntry.salt,
        AuditEntry.digest,
        AuditEntry.hash,
        case((AuditEntry.salt.is_(None), is_of_erased)).label("is_of_erased"),
    )
    return work.db.execute(
        chain.where(AuditEntry.seal.is_not(None)).order_by(AuditEntry.seal, AuditEntry.id),
        execution_options={"yield_per": BATCH},
    )


def _last(work: Work) -> tuple[int, str]:
    """The number and the hash of the last entry in the chain."""
    found = work.db.execute(
        select(AuditEntry.seal, AuditEntry.hash)
        .where(AuditEntry.seal.is_not(None))
        .order_by(AuditEntry.seal.desc())
        .limit(1)
    ).one_or_none()
    return (found.seal, found.hash) if found else (0, NOTHING_BEFORE)


def _digest(entry: Entry, salt: bytes) -> str:
    """The digest of the personal values: SHA-256 of the salt and of `old`, `new` and `address` as
    JSON."""
    return sha256(salt + _canonical(entry.old, entry.new, entry.address)).hexdigest()


def _hash(entry: Entry, seal: int, digest: str, before: str) -> str:
    return sha256(
        _canonical(
            *(before, seal, entry.id),
            *(_text(entry.actor_id), _text(entry.target_id), entry.action, entry.subject),
            *(digest, entry.request_id, entry.created_at.astimezone(UTC).isoformat()),
        )
    ).hexdigest()


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _canonical(*values: str | int | None) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()


def includeme(config: Configurator) -> None:
    config.scan(__name__)
