"""The tables of credentials: sessions, known networks, tickets and API keys."""

from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import ARRAY, ForeignKey, Identity, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


class AuthSession(Base):
    """A login, with all tokens that are issued for it.

    Each refresh replaces the refresh token. The row has the ids (`jti`) of the current and the
    previous one. If an older refresh token is used, it counts as stolen, and the session ends.
    """

    __tablename__ = "session"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    refresh_jti: Mapped[UUID]
    previous_jti: Mapped[UUID | None]
    created_at: Mapped[datetime]
    refreshed_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    # When the session of a shared computer ends if nobody uses it before; null for other sessions.
    ends_at: Mapped[datetime | None]
    # The device that logged in, such as "Chrome on Android"; null if it is not known.
    device: Mapped[str | None] = mapped_column(String(60))
    # Whether the user proved a second factor in addition to the password.
    second_factor: Mapped[bool] = mapped_column(default=False)


class KnownNetwork(Base):
    """A network from which an account was registered or has logged in.

    The digest is keyed. From a plain digest, the network could be found by computing the digests of
    all networks.
    """

    __tablename__ = "known_network"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    last_login_at: Mapped[datetime] = mapped_column(index=True)


class SocketTicket(Base):
    """A ticket that opens a socket once, or downloads one path once, for a client that can't send
    headers. Only its digest is stored, which for a download includes the path."""

    __tablename__ = "socket_ticket"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    session_id: Mapped[UUID] = mapped_column(
        ForeignKey("session.id", ondelete="CASCADE"), index=True
    )
    expires_at: Mapped[datetime]
    # When the access token with which the ticket was requested expires.
    token_expires_at: Mapped[datetime]
    # The API key with which the ticket was requested.
    api_key_id: Mapped[int | None] = mapped_column(
        ForeignKey("api_key.id", ondelete="CASCADE"), index=True
    )


class ApiKey(Base):
    """The key of a client application. Only its digest is stored, and a `prefix` by which people
    can recognise it. `scopes` are values of `competition.core.auth.access.KeyScope`. `rates` is the
    name of the key's own rate limits (`competition.core.limits.counters.KeyRates`); None if the
    general rate limits apply."""

    __tablename__ = "api_key"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    prefix: Mapped[str] = mapped_column(String(20))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    scopes: Mapped[list[str]] = mapped_column(ARRAY(String(20)), default=list)
    rates: Mapped[str | None] = mapped_column(String(100))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
