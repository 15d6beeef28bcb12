"""API keys of client applications."""

import hashlib
import secrets
import threading
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from cachetools import LRUCache
from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.exc import IntegrityError

from competition.core import audit
from competition.core.audit import security_log
from competition.core.auth.access import KeyScope
from competition.core.errors import (
    AuthenticationFailed,
    Invalid,
    NotAuthenticated,
    NotFound,
    PermissionDenied,
)
from competition.core.messages import Message
from competition.core.users.credentials import ApiKey
from competition.core.work import Work

PREFIX_LENGTH = 8
CACHED_FOR = timedelta(seconds=15)
MOST_KEYS_CACHED = 1000
# The scopes of a key that was created without scopes. Other scopes must be requested explicitly.
UNSCOPED = frozenset({KeyScope.CLIENT})
NOT_VALID = Message("The API key is not valid. Ask the operator of the service for a new key.")


@dataclass(frozen=True)
class KnownKey:
    """The stored data about a key that was valid when it was last looked up. After `until`, the
    database is queried again. `rates` is the name of the key's own rate limits (`KeyRates`); None
    if the general rate limits apply."""

    id: int
    scopes: frozenset[str]
    rates: str | None
    until: datetime


class KnownKeys(LRUCache[str, KnownKey]):
    """The process's cache of valid keys by digest (`Runtime.part`).

    Most requests have one of a few keys, and looking up a key takes a query. An entry is used for
    15 seconds, but not after the key has expired: so each entry has its own end, `KnownKey.until`,
    which is compared with `work.now`.
    """

    def __init__(self) -> None:
        super().__init__(MOST_KEYS_CACHED)
        self.lock = threading.Lock()


def check(work: Work, key: str | None, scope: KeyScope = KeyScope.CLIENT) -> KnownKey:
    """Check an API key, and return the stored data about it.

    Raises NotAuthenticated if no key was sent, AuthenticationFailed if it is unknown, revoked or
    expired (decisions C1), and PermissionDenied if it does not have the `scope`.
    """
    if not key:
        raise NotAuthenticated(Message("The X-Api-Key header is missing. Send an API key in it."))
    known_keys = work.runtime.part(KnownKeys)
    digest = digest_of(key)
    with known_keys.lock:
        known = known_keys.get(digest)
    if known is None or known.until <= work.now:
        known = _looked_up(work, ApiKey.digest == digest)
        with known_keys.lock:
            known_keys[digest] = known
    _check_scope(known, scope)
    return known


def check_id(work: Work, key_id: int, scope: KeyScope) -> KnownKey:
    """The stored data of the API key with this id, for a request that has a ticket instead of the
    key. This queries the database, not the cache.

    Raises AuthenticationFailed if the key is unknown, revoked or expired, and PermissionDenied if
    it does not have the `scope`.
    """
    known = _looked_up(work, ApiKey.id == key_id)
    _check_scope(known, scope)
    return known


def _check_scope(known: KnownKey, scope: KeyScope) -> None:
    if scope not in known.scopes:
        raise PermissionDenied(
            Message(
                "The API key does not have the scope ${scope}. Use a key that has it.", scope=scope
            )
        )


def _looked_up(work: Work, condition: ColumnElement[bool]) -> KnownKey:
    """The key that meets the condition. Raises AuthenticationFailed if it is unknown, revoked or
    expired."""
    row = work.db.execute(
        select(
            *(ApiKey.id, ApiKey.name, ApiKey.scopes, ApiKey.rates),
            *(ApiKey.expires_at, ApiKey.revoked_at),
        ).where(condition)
    ).one_or_none()
    if row is None:
        security_log.record(work, "api_key_refused", reason="unknown")
        raise AuthenticationFailed(NOT_VALID)
    has_expired = row.expires_at is not None and row.expires_at <= work.now
    if row.revoked_at is not None or has_expired:
        reason = "revoked" if row.revoked_at else "expired"
        security_log.record(work, "api_key_refused", key=row.name, reason=reason)
        raise AuthenticationFailed(NOT_VALID)
    until = work.now + CACHED_FOR
    return KnownKey(
        row.id,
        opened_by(row.scopes),
        row.rates,
        min(until, row.expires_at) if row.expires_at else until,
    )


def good(work: Work, key_ids: Collection[int]) -> set[int]:
    """Return the ids of the keys that are valid now: not revoked, replaced or expired.

    This queries the database, not the cache.
    """
    return set(work.db.scalars(select(ApiKey.id).where(ApiKey.id.in_(key_ids), is_good(work))))


def opened_by(scopes: Collection[str]) -> frozenset[str]:
    """The effective scopes of a key that was created with these scopes: `UNSCOPED` if there are
    none."""
    return frozenset(scopes) or UNSCOPED


def is_good(work: Work) -> ColumnElement[bool]:
    """SQL condition on ApiKey: whether the key is valid now."""
    return and_(
        ApiKey.revoked_at.is_(None),
        or_(ApiKey.expires_at.is_(None), ApiKey.expires_at > work.now),
    )


def create(
    work: Work,
    name: str,
    lifetime: timedelta | None = None,
    scopes: Collection[KeyScope] = (),
    rates: str | None = None,
) -> str:
    """Create a key and return it. It can't be shown again later, because only its digest is stored.

    With `lifetime` None, the key never expires. `rates` is the name of its own rate limits
    (`KeyRates`); with None, the general rate limits apply. Raises Invalid if the name is taken.
    """
    key = secrets.token_urlsafe(32)
    work.db.add(
        ApiKey(
            name=name,
            prefix=key[:PREFIX_LENGTH],
            digest=digest_of(key),
            scopes=sorted({scope.value for scope in scopes}),
            rates=rates,
            created_at=work.now,
            expires_at=work.now + lifetime if lifetime else None,
        )
    )
    try:
        work.db.flush()
    except IntegrityError:
        taken = Message(
            "There is an API key named ${name} already. Choose another name.",
            "taken",
            name=repr(name),
        )
        raise Invalid.field("name", taken) from None
    with_rates = [f"rates {rates}"] if rates else []
    audit.record(work, "api_key.create", subject=name, new=sorted(opened_by(scopes)) + with_rates)
    return key


def renew(work: Work, name: str, scopes: Collection[KeyScope] = ()) -> str:
    """Create a key of this name, and return it. An existing key of this name is deleted."""
    work.db.execute(delete(ApiKey).where(ApiKey.name == name))
    return create(work, name, scopes=scopes)


def listing(work: Work) -> list[ApiKey]:
    return list(work.db.scalars(select(ApiKey).order_by(ApiKey.id)))


def revoke(work: Work, name: str) -> None:
    """Revoke a key. Every process rejects it within 15 seconds. Raises NotFound if there is no such
    key."""
    key = work.db.scalar(select(ApiKey).where(ApiKey.name == name).with_for_update())
    if key is None:
        raise NotFound(
            Message("There is no API key named ${name}. Check the name.", name=repr(name))
        )
    if key.revoked_at is None:
        key.revoked_at = work.now
        audit.record(work, "api_key.revoke", subject=name)


def fingerprint(key: str) -> str:
    """A short digest that names a key where the key itself must not be shown."""
    return digest_of(key)[:16]


def digest_of(key: str) -> str:
    # A key has 256 random bits, so its digest needs no salt, and can be looked up.
    return hashlib.sha256(key.encode()).hexdigest()
