"""The hash chain of the audit trail, which reveals entries that were changed, removed or inserted.

Each entry has a hash over its content and over the hash of the entry before it in the chain. The
hash has a key (HMAC), so that a user who can only write to the database can't compute it.

A periodic task adds committed entries to the chain, one run at a time. So transactions that write
entries never wait for each other. Entries are committed in any order, so their position in the
chain is a column, `seal`, which counts from 1 without gaps.

Personal values enter the hash as a salted digest. When a person is erased, the values and the salt
are deleted, and the digest stays, so the chain stays valid (docs/decisions/0023-audit-chain.md).

Another periodic task writes the head of the chain, its last number and hash, to the security log.
"""

import hmac
import json
import logging
import secrets
from datetime import UTC, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Result,
    Row,
    Select,
    Text,
    Uuid,
    and_,
    case,
    cast,
    column,
    delete,
    exists,
    func,
    or_,
    select,
    table,
    update,
)
from sqlalchemy.orm import aliased

from competition.core import audit
from competition.core.audit import (
    EMPTIED,
    ERASED_DOMAIN,
    ERASURE,
    AuditEntry,
    AuditKey,
    security_log,
)
from competition.core.auth.keyring import UnknownKey
from competition.core.jobs import jobs
from competition.core.jobs.housekeeping import retention
from competition.core.jobs.tasks import task
from competition.core.work import Work

LOCK = "core.seal_audit"
# How many entries one transaction adds to the chain at most.
MOST_SEALED_AT_ONCE = 5_000
# How many entries are fetched at a time while the whole chain is verified.
BATCH = 5_000
SALT_BYTES = 32
KEY_BYTES = 32
# The purpose for which the keyring encrypts the key of the chain.
ENCRYPTED_FOR = "audit chain"
# What the hash of the first entry covers instead of the hash of a previous entry.
NOTHING_BEFORE = ""

Entry = Row[*tuple[Any, ...]]

log = logging.getLogger(__name__)

# The table of accounts. The class User can't be imported, because its package imports `audit`.
ACCOUNTS = table("user", column("id", Uuid), column("email", Text))


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
    if not entries:
        return
    number, before = _last(work)
    try:
        key_id, key = _key(work) or _new_key(work, number)
    except BrokenChain as broken:
        log.error("no entry is added to the chain of the audit trail: %s", broken)
        return
    sealed = []
    for entry in entries:
        number, salt = number + 1, secrets.token_bytes(SALT_BYTES)
        digest = _digest(entry, salt)
        before = _hash(key, entry, number, digest, before)
        sealed.append(
            {
                **{"id": entry.id, "seal": number, "salt": salt, "digest": digest},
                **{"hash": before, "key_id": key_id},
            }
        )
    work.db.execute(update(AuditEntry), sealed)
    if len(sealed) == MOST_SEALED_AT_ONCE:
        jobs.enqueue(work, "core.seal_audit")


@task("core.log_audit_head", every=timedelta(minutes=1))
def log_head(work: Work) -> None:
    """Write the head of the chain to the security log. Operators should send this log to another
    machine.

    If a head from the log is no longer in the chain, entries were removed, or the chain was
    rebuilt.
    """
    number, found = _last(work)
    if number:
        security_log.record_committed(work, "audit_head", number=number, head=found)


@retention("core.audit_key")
def renew_encryption(work: Work) -> None:
    """Encrypt the key of the chain with the first signing key, so that an old signing key can be
    removed after a rotation."""
    for key in work.db.scalars(select(AuditKey).with_for_update()):
        try:
            key.encrypted = work.runtime.keyring.renewed(ENCRYPTED_FOR, key.encrypted)
        except UnknownKey:
            log.error("the audit trail: no signing key decrypts the key of its chain")


def reseal(work: Work) -> int:
    """Take all entries out of the chain, delete its key, and return how many entries were in it.
    Workers then build the chain again with a new key. The entries stay in the audit trail.

    Only operators who have lost the signing keys need this. Earlier changes to the trail can't be
    detected any longer. The audit trail and the security log record the head of the old chain.
    """
    work.lock(LOCK)
    number, found = _last(work)
    work.db.execute(
        update(AuditEntry)
        .where(AuditEntry.seal.is_not(None))
        .values(seal=None, salt=None, digest=None, hash=None, key_id=None),
        execution_options={"synchronize_session": False},
    )
    work.db.execute(delete(AuditKey))
    audit.record(work, "audit.reseal", old={"number": number, "head": found})
    security_log.record_committed(work, "audit_resealed", number=number, head=found)
    return number


def head(work: Work) -> str:
    """The hash of the last entry in the chain. The hash covers all entries. If it is stored in
    another place, it can prove later that none of them was removed.

    Raises BrokenChain if no entry is in the chain yet.
    """
    _, found = _last(work)
    if not found:
        raise BrokenChain("No entry is in the chain yet.")
    return found


def verify(work: Work, head: str | None = None) -> int:
    """Verify the chain, and return the number of its entries.

    Each entry must continue the chain, with a hash made with the key of the chain, and its personal
    values must match their digest. Personal values may be missing only if the entry was recorded as
    erasable, the account is erased or deleted, and a later entry about the erasure lists the
    emptied entry.

    `head` is an earlier result of the function `head`. The chain may be longer now, but must
    contain it. Raises BrokenChain, which names the first entry that does not match, or says that
    the chain does not contain `head`, or that no signing key decrypts the key of the chain.
    """
    number, is_head_found = 0, head is None
    key_id, key = _key(work) or (0, b"")
    with _chain(work) as chain:
        before = before_that = NOTHING_BEFORE
        for entry in chain:
            if entry.key_id != key_id:
                raise BrokenChain(
                    f"{_name(entry)} has another key than the chain: the entry was changed, or the"
                    " key of the chain was replaced or removed."
                )
            _check(key, entry, number, before, before_that)
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


def _key(work: Work) -> tuple[int, bytes] | None:
    """The id of the chain's key, and the decrypted key. None if there is no key yet. Raises
    BrokenChain if no signing key decrypts it."""
    found = work.db.execute(
        select(AuditKey.id, AuditKey.encrypted).order_by(AuditKey.id.desc()).limit(1)
    ).one_or_none()
    if found is None:
        return None
    try:
        text = work.runtime.keyring.decrypt(ENCRYPTED_FOR, found.encrypted)
    except UnknownKey:
        raise BrokenChain(
            "No signing key decrypts the key of the chain. If you have removed a signing key, add"
            " it again after the first key, and keep it for two hours."
        ) from None
    return found.id, bytes.fromhex(text)


def _new_key(work: Work, number: int) -> tuple[int, bytes]:
    """Create the key of the chain, and return its id and the key. `number` is the number of entries
    in the chain. Raises BrokenChain if there are any, because then the key was removed."""
    if number:
        raise BrokenChain("The key of the chain was removed.")
    key = secrets.token_bytes(KEY_BYTES)
    encrypted = work.runtime.keyring.encrypt(ENCRYPTED_FOR, key.hex())
    row = AuditKey(encrypted=encrypted, created_at=work.now)
    work.db.add(row)
    work.db.flush()
    return row.id, key


def _name(entry: Entry) -> str:
    return f"Entry {entry.seal} of the chain (id {entry.id})"


def _check(key: bytes, entry: Entry, number: int, before: str, before_that: str) -> None:
    """Check that the entry continues the chain, and that its personal values match their digest.

    `number` and `before` are the number and hash of the previous entry, and `before_that` is the
    hash of the entry before that. Raises BrokenChain otherwise; its message names the entry that
    was changed, inserted or removed.
    """
    name = _name(entry)
    if entry.seal <= number:
        raise BrokenChain(f"{name} was inserted: another entry has this number.")
    if entry.seal > number + 1:
        raise BrokenChain(f"Entry {number + 1} of the chain is missing: it was removed.")
    if entry.hash != _hash(key, entry, entry.seal, entry.digest, before):
        # A worker may have added the inserted entry with the right hash, but the entry after it
        # still has the hash of its old place in the chain.
        if number and entry.hash == _hash(key, entry, number, entry.digest, before_that):
            raise BrokenChain(f"Entry {number} of the chain was inserted.")
        raise BrokenChain(f"{name} was changed or inserted.")
    if not _is_as_sealed(entry):
        raise BrokenChain(
            f"{name} was changed, or its personal values were deleted although no erasure lists it."
        )


def _is_as_sealed(entry: Entry) -> bool:
    """Whether the personal values match their digest, or were deleted by an erasure."""
    if entry.salt is None:
        is_empty = entry.old is entry.new is entry.address is None
        return is_empty and bool(entry.was_erased)
    return bool(entry.digest == _digest(entry, entry.salt))


def _content() -> Select[*tuple[Any, ...]]:
    """A SELECT of the content that the hashes cover. PostgreSQL casts JSON columns to text, which
    preserves every digit of a number."""
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
        AuditEntry.is_erasable,
    )


def _chain(work: Work) -> Result[*tuple[Any, ...]]:
    """The entries in the order of the chain. A single query reads them, `BATCH` rows at a time."""
    chain = _content().add_columns(
        AuditEntry.seal,
        AuditEntry.salt,
        AuditEntry.digest,
        AuditEntry.hash,
        AuditEntry.key_id,
        case((AuditEntry.salt.is_(None), _was_erased())).label("was_erased"),
    )
    return work.db.execute(
        chain.where(AuditEntry.seal.is_not(None)).order_by(AuditEntry.seal, AuditEntry.id),
        execution_options={"yield_per": BATCH},
    )


def _was_erased() -> ColumnElement[bool]:
    """SQL condition: the entry is erasable, a later entry about the erasure of its target lists it
    as emptied, and the target's account is erased or deleted. The later entry may be too recent to
    be in the chain."""
    erasure = aliased(AuditEntry)
    listed = func.jsonb_build_object(EMPTIED, func.jsonb_build_array(AuditEntry.seal))
    of_target = ACCOUNTS.c.id == AuditEntry.target_id
    erased_email = cast(AuditEntry.target_id, Text) + f"@{ERASED_DOMAIN}"
    return and_(
        AuditEntry.is_erasable,
        exists().where(
            erasure.action == ERASURE,
            erasure.target_id == AuditEntry.target_id,
            or_(erasure.seal.is_(None), erasure.seal > AuditEntry.seal),
            erasure.new.contains(listed),
        ),
        ~exists().where(of_target, ACCOUNTS.c.email != erased_email),
    )


def _last(work: Work) -> tuple[int, str]:
    """The number and the hash of the last entry in the chain; 0 and "" if the chain is empty."""
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


def _hash(key: bytes, entry: Entry, seal: int, digest: str, before: str) -> str:
    covered = _canonical(
        *(before, seal, entry.id),
        *(entry.actor_id, entry.target_id, entry.action, entry.subject),
        *(digest, entry.request_id, entry.created_at.astimezone(UTC).isoformat()),
        entry.is_erasable,
    )
    return hmac.digest(key, covered, "sha256").hex()


def _canonical(*values: Any) -> bytes:
    """The values as JSON. UUIDs are written as strings."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=str).encode()
