"""API keys of client applications."""

import hashlib
import secrets
import threading
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from competition.core import audit, security_log
from competition.core.auth.models import ApiKey
from competition.core.errors import AuthenticationFailed, NotAuthenticated
from competition.core.work import Work

PREFIX_LENGTH = 8
CACHED_FOR = timedelta(seconds=15)


class ApiKeyError(Exception):
    """What is wrong with an operator's request, for the command line."""


class KnownKeys:
    """Cache of the process: digests of keys that were found good a moment ago."""

    def __init__(self) -> None:
        self._known: dict[str, datetime] = {}
        self._lock = threading.Lock()

    def has(self, digest: str, now: datetime) -> bool:
        until = self._known.get(digest)
        return until is not None and now < until

    def add(self, digest: str, now: datetime, expires_at: datetime | None) -> None:
        until = now + CACHED_FOR
        with self._lock:
            # Only good keys come in, so it can't grow beyond the table.
            self._known[digest] = min(until, expires_at) if expires_at else until


def check(work: Work, key: str | None) -> None:
    """Raises NotAuthenticated without a key, AuthenticationFailed for a wrong, revoked or expired
    one (decisions C1)."""
    if not key:
        raise NotAuthenticated("The X-Api-Key header is missing.")
    known = work.runtime.part(KnownKeys)
    digest = _digest(key)
    if known.has(digest, work.now):
        return
    row = work.db.execute(
        select(ApiKey.name, ApiKey.expires_at, ApiKey.revoked_at).where(ApiKey.digest == digest)
    ).one_or_none()
    if row is None:
        raise AuthenticationFailed("The API key is not valid.")
    ended = row.revoked_at is not None or (
        row.expires_at is not None and row.expires_at <= work.now
    )
    if ended:
        reason = "revoked" if row.revoked_at else "expired"
        security_log.tell(work, "api_key_refused", key=row.name, reason=reason)
        raise AuthenticationFailed("The API key is not valid.")
    known.add(digest, work.now, row.expires_at)


def create(work: Work, name: str, lifetime: timedelta | None = None) -> str:
    """Make a key and return it, the only time that it can be seen. Raises ApiKeyError."""
    key = secrets.token_urlsafe(32)
    work.db.add(
        ApiKey(
            name=name,
            prefix=key[:PREFIX_LENGTH],
            digest=_digest(key),
            created_at=work.now,
            expires_at=work.now + lifetime if lifetime else None,
        )
    )
    try:
        work.db.flush()
    except IntegrityError:
        raise ApiKeyError(f"There is an API key named {name!r} already.") from None
    audit.record(work, "api_key.create", subject=name)
    return key


def renew(work: Work, name: str) -> str:
    """Replace the key of this name, if there is one, by a new one; returns the new key."""
    work.db.execute(delete(ApiKey).where(ApiKey.name == name))
    return create(work, name)


def listing(work: Work) -> list[ApiKey]:
    return list(work.db.scalars(select(ApiKey).order_by(ApiKey.id)))


def revoke(work: Work, name: str) -> None:
    """Revoke a key; every process refuses it within 15 seconds. Raises ApiKeyError."""
    key = work.db.scalar(select(ApiKey).where(ApiKey.name == name).with_for_update())
    if key is None:
        raise ApiKeyError(f"There is no API key named {name!r}.")
    if key.revoked_at is None:
        key.revoked_at = work.now
        audit.record(work, "api_key.revoke", subject=name)


def fingerprint(key: str) -> str:
    """A short digest that names a key where the key itself must not be shown."""
    return _digest(key)[:16]


def _digest(key: str) -> str:
    # A key has 256 random bits: a plain digest can't be guessed back, and equal ones can be found.
    return hashlib.sha256(key.encode()).hexdigest()
