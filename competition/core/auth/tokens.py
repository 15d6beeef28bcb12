"""JWTs: what they say and who signed them (decisions C8 to C15)."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, ClassVar, Literal
from uuid import UUID

import jwt
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
CLAIMS = ("sub", "sid", "jti", "token_type", "exp", "iat")


@dataclass(frozen=True, kw_only=True)
class TokenSettings:
    """Lifetimes in seconds. Within `refresh_grace` of a rotation the old refresh token gets the
    same successor again (two tabs refreshing at once)."""

    prefix: ClassVar[str] = "competition.tokens"
    access_lifetime: int = setting(2 * 60 * 60, minimum=1)
    refresh_lifetime: int = setting(7 * 24 * 60 * 60, minimum=1)
    refresh_grace: int = setting(10, minimum=0)


SETTINGS = TokenSettings


@dataclass(frozen=True)
class Claims:
    user_id: UUID
    session_id: UUID
    jti: UUID
    expires_at: datetime


class Tokens(JWTAuthenticationPolicy):  # type: ignore[misc]  # pyramid_jwt has no types
    """pyramid_jwt's token object: it finds the token in the request. The decoding is PyJWT's own,
    so that keys can rotate and every refusal is one InvalidToken."""

    def __init__(self, settings: TokenSettings, keyring: Keyring) -> None:
        self._keys = keyring.derived("tokens")
        super().__init__(self._keys[0], algorithm=ALGORITHM, auth_type=SCHEME)
        # Clients send theirs again and again, and what it says and who signed it never changes;
        # whether it has expired, or its session has ended, is asked each time.
        self._decoded = lru_cache(maxsize=MOST_TOKENS_KEPT)(self._decode)
        self._lifetimes = {
            "access": timedelta(seconds=settings.access_lifetime),
            "refresh": timedelta(seconds=settings.refresh_lifetime),
        }

    def issue(
        self, token_type: TokenType, user_id: UUID, session_id: UUID, jti: UUID, now: datetime
    ) -> str:
        """Sign a token. The same arguments make the same token."""
        issued = int(now.timestamp())
        payload = {
            "sub": str(user_id),
            "sid": str(session_id),
            "jti": str(jti),
            "token_type": token_type,
            "iat": issued,
            "exp": issued + int(self._lifetimes[token_type].total_seconds()),
        }
        return jwt.encode(payload, self._keys[0], algorithm=ALGORITHM)

    def from_request(self, request: Request) -> str | None:
        """The bearer token of the request, valid or not; None when there is none."""
        return self.from_header(request.headers.get("Authorization", ""))

    def from_header(self, header: str) -> str | None:
        scheme, _, token = header.partition(" ")
        return token.strip() if scheme.lower() == SCHEME.lower() else None

    def read(self, token: str, token_type: TokenType, now: datetime) -> Claims:
        """The claims of a valid token. Raises InvalidToken for one that is malformed, forged,
        expired, or of another type."""
        payload = self._decoded(token)
        try:
            claims = Claims(
                user_id=UUID(payload["sub"]),
                session_id=UUID(payload["sid"]),
                jti=UUID(payload["jti"]),
                expires_at=datetime.fromtimestamp(payload["exp"], UTC),
            )
        except (ValueError, TypeError, AttributeError):
            raise InvalidToken from None
        if payload["token_type"] != token_type or claims.expires_at <= now:
            raise InvalidToken
        return claims

    def _decode(self, token: str) -> dict[str, Any]:
        # Expiry is compared with the clock of the work, like every other time.
        options: Any = {"require": list(CLAIMS), "verify_exp": False, "verify_iat": False}
        for key in self._keys:
            try:
                return jwt.decode(token, key, algorithms=[ALGORITHM], options=options)
            except jwt.InvalidSignatureError:
                continue
            except jwt.InvalidTokenError:
                break
        raise InvalidToken
