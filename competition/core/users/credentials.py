"""The tables of who is calling: sessions, tickets of sockets, API keys."""

from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import ARRAY, ForeignKey, Identity, String, false
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


class AuthSession(Base):
    """A login and all tokens that come of it (a session family).

    Refresh tokens rotate; the last two are known by their `jti`, everything older is reuse.
    """

    __tablename__ = "session"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid4)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    refresh_jti: Mapped[UUID]
    previous_jti: Mapped[UUID | None]
    created_at: Mapped[datetime]
    refreshed_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    # Whether a second factor opened it, besides the password.
    # PostgreSQL knows the default, for an api that runs on while the database is upgraded.
    second_factor: Mapped[bool] = mapped_column(default=False, server_default=false())


class SocketTicket(Base):
    """Opens one socket, once, for a client that can't send headers; kept as a digest."""

    __tablename__ = "socket_ticket"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    session_id: Mapped[UUID] = mapped_column(
        ForeignKey("session.id", ondelete="CASCADE"), index=True
    )
    expires_at: Mapped[datetime]
    # When the access token ends that it was made with.
    token_expires_at: Mapped[datetime]
    # The API key that it was made with.
    api_key_id: Mapped[int | None] = mapped_column(
        ForeignKey("api_key.id", ondelete="CASCADE"), index=True
    )


class ApiKey(Base):
    """A client application's key, kept as a digest; `prefix` names it to humans. `scopes` are what
    it opens (`competition.core.auth.access.KeyScope`)."""

    __tablename__ = "api_key"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    prefix: Mapped[str] = mapped_column(String(20))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    scopes: Mapped[list[str]] = mapped_column(ARRAY(String(20)), default=list)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
