"""The audit trail proves itself: each entry carries a hash over what it says and over the hash of
the entry that was sealed before it. Whoever changes, removes or inserts one breaks the chain there.

One sealer at a time makes it, of entries that are committed: so those who write them never wait for
each other. It can't be made of entries alone, as they are known only when they are committed, in
any order; the order of sealing is a column, `seal`, which counts from 1 without a gap.

What is personal enters the hash as a salted digest. Who is erased takes values and salt along; the
digest stays, and the chain with it. Why it is so: docs/decisions/0023-audit-chain.md.
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
# In one transaction; `BATCH` are read at a time where the whole chain is.
MOST_SEALED_AT_ONCE = 5_000
BATCH = 5_000
SALT_BYTES = 32
# What the first entry has for the hash before it.
NOTHING_BEFORE = ""

Entry = Row[*tuple[Any, ...]]


class BrokenChain(Exception):
    """The audit trail is not what was sealed; the text says where."""


@task("core.seal_audit", every=timedelta(seconds=10))
def seal(work: Work) -> None:
    """Give the entries that are committed and have none yet their place in the chain and their
    hash; in the first run, those from before there was a chain."""
    if not work.lock(LOCK, wait=False):
        return
    # One that is just being erased waits for the next run, instead of this one for it.
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
    """The hash of the last entry of the chain, which is over all others: kept elsewhere, it proves
    that none of them was removed. Raises BrokenChain while nothing is sealed."""
    _, found = _last(work)
    if not found:
        raise BrokenChain("No entry is sealed yet.")
    return found


def verify(work: Work, head: str | None = None) -> int:
    """Walk the chain, and return how many entries are in it. `head` is what `head` returned once:
    the chain may be longer by now, but has to contain it.

    Raises BrokenChain, which names the first entry that is not as it was sealed.
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
            " or all of it was made anew."
        )
    return number


def unsealed(work: Work) -> int:
    """How many entries are not in the chain yet: nothing proves them. Few, while a worker runs."""
    waiting = select(func.count()).select_from(AuditEntry).where(AuditEntry.seal.is_(None))
    return work.db.scalars(waiting).one()


def _check(entry: Entry, number: int, before: str, before_that: str) -> None:
    """`number` and `before` are number and hash of the entry before. Raises BrokenChain."""
    name = f"Entry {entry.seal} of the chain (id {entry.id})"
    if entry.seal <= number:
        raise BrokenChain(f"{name} was inserted: there is another one with this number.")
    if entry.seal > number + 1:
        raise BrokenChain(f"Entry {number + 1} of the chain is missing: it was removed.")
    if entry.hash != _hash(entry, entry.seal, entry.digest, before):
        # Whoever inserts one can compute its hash, but not make the next one follow it.
        if number and entry.hash == _hash(entry, number, entry.digest, before_that):
            raise BrokenChain(f"Entry {number} of the chain was inserted.")
        raise BrokenChain(f"{name} was changed or inserted.")
    if not _is_as_sealed(entry):
        raise BrokenChain(f"{name} was changed, or emptied though nobody was erased.")


def _is_as_sealed(entry: Entry) -> bool:
    """Whether what is personal is what was sealed, or has gone with the person."""
    if entry.salt is None:
        is_empty = entry.old is entry.new is entry.address is None
        return is_empty and bool(entry.is_of_erased)
    return bool(entry.digest == _digest(entry, entry.salt))


def _content() -> Select[*tuple[Any, ...]]:
    """What the hashes are over; JSON as the text that PostgreSQL makes of it, in which every digit
    of a number stays."""
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
    """The sealed entries in the order of the chain, as one statement sees them; few at a time."""
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
    """Number and hash of the last entry that is sealed."""
    found = work.db.execute(
        select(AuditEntry.seal, AuditEntry.hash)
        .where(AuditEntry.seal.is_not(None))
        .order_by(AuditEntry.seal.desc())
        .limit(1)
    ).one_or_none()
    return (found.seal, found.hash) if found else (0, NOTHING_BEFORE)


def _digest(entry: Entry, salt: bytes) -> str:
    """Of what is personal: SHA-256 of the salt and, in JSON, `old`, `new` and the address."""
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
