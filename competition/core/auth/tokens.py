"""JWTs: what they say and who signed them (decisions C8 to C15)."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import ClassVar, Literal
from uuid import UUID

import jwt
import msgspec
from pyramid.request import Request
from pyramid_jwt.policy import JWTAuthenticationPolicy

from competition.core.auth.keyring import Keyring
from competition.core.errors import InvalidToken
from competition.core.settings import setting

TokenType = Literal["access", "refresh"]
ALGORITHM = "HS256"
SCHEME = "Bearer"
# In the memory of a process; one has a KiB.
MOST_TOKENS_KEPT = 10_000


@dataclass(frozen=True, kw_only=True)
class TokenSettings:
    """Lifetimes in seconds. Within `refresh_grace` of a rotation the old refresh token gets the
    same successor again (two tabs refreshing at once)."""

    prefix: ClassVar[str] = "competition.tokens"
    access_lifetime: int = setting(2 * 60 * 60, minimum=1)
    refresh_lifetime: int = setting(7 * 24 * 60 * 60, minimum=1)
    refresh_grace: int = setting(10, minimum=0)


SETTINGS = TokenSettings


class Payload(msgspec.Struct):
    """As it is in a token."""

    sub: UUID
    sid: UUID
    jti: UUID
    token_type: str
    iat: int
    exp: int


@dataclass(frozen=True)
class Claims:
    user_id: UUID
    session_id: UUID
    jti: UUID
    token_type: str
    expires_at: datetime


class Tokens(JWTAuthenticationPolicy):  # type: ignore[misc]  # pyramid_jwt has no types
    """pyramid_jwt's token object: it finds the token in the request. All have the one header that
    PyJWT signs with, or are refused: no algorithm is anybody's choice. Keys can rotate, and every
    refusal is one InvalidToken."""

    def __init__(self, settings: TokenSettings, keyring: Keyring) -> None:
        self._keys = keyring.derived("tokens")
        super().__init__(self._keys[0], algorithm=ALGORITHM, auth_type=SCHEME)
        self._head = jwt.encode({}, self._keys[0], algorithm=ALGORITHM).partition(".")[0] + "."
        # Clients send theirs again and again, and what it says and who signed it never changes;
        # whether it has expired, or its session has ended, is asked each time.
        self._claims = lru_cache(maxsize=MOST_TOKENS_KEPT)(self._verified)
        self._lifetimes = {
            "access": timedelta(seconds=settings.access_lifetime),
            "refresh": timedelta(seconds=settings.refresh_lifetime),
        }

    def issue(
        self, token_type: TokenType, user_id: UUID, session_id: UUID, jti: UUID, now: datetime
    ) -> str:
        """Sign a token: the one that PyJWT would make, in a quarter of the time. The same
        arguments make the same token."""
        issued = int(now.timestamp())
        expires = issued + int(self._lifetimes[token_type].total_seconds())
        payload = Payload(user_id, session_id, jti, token_type, issued, expires)
        signed = self._head + _encoded(msgspec.json.encode(payload)).decode()
        return f"{signed}.{_signature(self._keys[0], signed.encode()).decode()}"

    def from_request(self, request: Request) -> str | None:
        """The bearer token of the request, valid or not; None when there is none."""
        return self.from_header(request.headers.get("Authorization", ""))

    def from_header(self, header: str) -> str | None:
        scheme, _, token = header.partition(" ")
        return token.strip() if scheme.lower() == SCHEME.lower() else None

    def read(self, token: str, token_type: TokenType, now: datetime) -> Claims:
        """The claims of a valid token. Raises InvalidToken for one that is malformed, forged,
        expired, or of another type."""
        claims = self._claims(token)
        # Compared with the clock of the work, like every other time.
        if claims.token_type != token_type or claims.expires_at <= now:
            raise InvalidToken
        return claims

    def _verified(self, token: str) -> Claims:
        """Not by PyJWT, which looks at each character of a token by itself: that takes five times
        as long, a tenth of `candidates/me`. Raises InvalidToken."""
        signed, _, signature = token.rpartition(".")
        if not signed.startswith(self._head):
            raise InvalidToken
        encoded = signed.removeprefix(self._head)
        try:
            if not _is_signed(self._keys, signed.encode(), signature.encode()):
                raise InvalidToken
            payload = msgspec.json.decode(
                urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)), type=Payload
            )
            expires_at = datetime.fromtimestamp(payload.exp, UTC)
        except (msgspec.DecodeError, ValueError, OverflowError, OSError):
            raise InvalidToken from None
        return Claims(payload.sub, payload.sid, payload.jti, payload.token_type, expires_at)


def _is_signed(keys: tuple[bytes, ...], signed: bytes, signature: bytes) -> bool:
    # A list, not a generator: every key is tried, so that the time tells nothing.
    return any([hmac.compare_digest(_signature(key, signed), signature) for key in keys])


def _signature(key: bytes, signed: bytes) -> bytes:
    return _encoded(hmac.digest(key, signed, "sha256"))


def _encoded(part: bytes) -> bytes:
    return urlsafe_b64encode(part).rstrip(b"=")
