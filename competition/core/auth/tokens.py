"""JWTs: issuing and verifying them (decisions C8 to C15)."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal
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
# A JWT in compact form: three parts in base64url, without padding (RFC 7515, section 7.1). Without
# this check, PyJWT would accept a token with other characters in it, and ignore them.
COMPACT = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
# `Tokens.read` checks the expiry with its argument `now`. PyJWT would use the system time.
OPTIONS: Any = {
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
    "require": ["sub", "sid", "jti", "token_type", "iat", "exp"],
}
# The latest expiry that Python can represent, as a Unix time: the end of the year 9999.
LATEST = 253_402_300_799
# How many tokens a process caches. Each takes about 1 KiB.
MOST_TOKENS_CACHED = 10_000


@dataclass(frozen=True, kw_only=True)
class TokenSettings:
    """Lifetimes of tokens, in seconds."""

    prefix: ClassVar[str] = "competition.tokens"
    access_lifetime: int = setting(2 * 60 * 60, minimum=1)
    refresh_lifetime: int = setting(7 * 24 * 60 * 60, minimum=1)


SETTINGS = TokenSettings


class Claims(msgspec.Struct, frozen=True):
    """The claims of a token. `jti` is the id of the token, `token_type` is a TokenType, and `iat`
    and `exp` are the Unix times of its issue and its expiry."""

    user_id: UUID = msgspec.field(name="sub")
    session_id: UUID = msgspec.field(name="sid")
    jti: UUID
    token_type: str
    iat: int
    exp: Annotated[int, msgspec.Meta(ge=0, le=LATEST)]

    @property
    def expires_at(self) -> datetime:
        return datetime.fromtimestamp(self.exp, UTC)


class Tokens(JWTAuthenticationPolicy):  # type: ignore[misc]  # pyramid_jwt has no types
    """Issues and verifies tokens.

    pyramid_jwt's policy defines the header that contains the token, and PyJWT signs and verifies
    the token. Signing keys can be rotated. Every error is an InvalidToken with the same message.
    """

    def __init__(self, settings: TokenSettings, keyring: Keyring) -> None:
        self._keys = keyring.derived("tokens")
        super().__init__(self._keys[0], algorithm=ALGORITHM, auth_type=SCHEME)
        # Cached, because clients send the same token many times, and PyJWT takes 160 microseconds
        # to verify it. Its expiry and its session are checked each time.
        self._claims = lru_cache(maxsize=MOST_TOKENS_CACHED)(self._verified)
        self._lifetimes = {
            "access": settings.access_lifetime,
            "refresh": settings.refresh_lifetime,
        }

    def issue(
        self, token_type: TokenType, user_id: UUID, session_id: UUID, jti: UUID, now: datetime
    ) -> str:
        """Create and sign a token. The same arguments result in the same token."""
        issued = int(now.timestamp())
        expires = issued + self._lifetimes[token_type]
        claims = Claims(user_id, session_id, jti, token_type, issued, expires)
        return jwt.encode(msgspec.to_builtins(claims), self._keys[0], algorithm=ALGORITHM)

    def from_request(self, request: Request) -> str | None:
        """The bearer token of the request, valid or not; None if there is none."""
        return self.from_header(request.headers.get(self.http_header, ""))

    def from_header(self, header: str) -> str | None:
        """The bearer token in the value of an Authorization header; None if there is none."""
        scheme, _, token = header.partition(" ")
        return token.strip() if scheme.lower() == SCHEME.lower() else None

    def read(self, token: str, token_type: TokenType, now: datetime) -> Claims:
        """The claims of a valid token. Raises InvalidToken if the token is malformed, forged or
        expired, or of another type."""
        claims = self.read_expired(token, token_type)
        if claims.expires_at <= now:
            raise InvalidToken
        return claims

    def read_expired(self, token: str, token_type: TokenType) -> Claims:
        """The claims of a token that may have expired. Raises InvalidToken if the token is
        malformed or forged, or of another type."""
        claims = self._claims(token)
        if claims.token_type != token_type:
            raise InvalidToken
        return claims

    def _verified(self, token: str) -> Claims:
        """The claims of a token. Raises InvalidToken if the token is malformed, or none of the keys
        has signed it."""
        if not COMPACT.fullmatch(token):
            raise InvalidToken
        for key in self._keys:
            try:
                found = jwt.decode(token, key, algorithms=[ALGORITHM], options=OPTIONS)
                return msgspec.convert(found, Claims)
            except jwt.InvalidSignatureError:
                continue
            except (jwt.InvalidTokenError, msgspec.ValidationError, ValueError):
                raise InvalidToken from None
        raise InvalidToken
