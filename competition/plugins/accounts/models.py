"""The tables of one-time passwords and of second factors."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, String, false
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base
from competition.core.users.models import Candidate

Purpose = Literal["email", "password"]


class OneTimePassword(Base):
    """A user's current code for one purpose. A new code replaces it."""

    __tablename__ = "one_time_password"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    purpose: Mapped[Purpose] = mapped_column(String(10), primary_key=True)
    # A keyed hash, because six digits are easy to find from a plain hash.
    digest: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[datetime]
    tries: Mapped[int] = mapped_column(default=0)

    __table_args__ = (one_of("purpose", Purpose),)


class SecondFactor(Base):
    """The secret that a member of staff shares with an authenticator app. Logins require a code
    once a code of the app has been confirmed."""

    __tablename__ = "second_factor"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    # Encrypted with a key that is derived from the signing keys.
    secret: Mapped[str] = mapped_column(String(300))
    confirmed_at: Mapped[datetime | None]
    # When the secret was created, and the session that may confirm it.
    begun_at: Mapped[datetime | None]
    begun_in: Mapped[UUID | None] = mapped_column(
        ForeignKey("session.id", ondelete="SET NULL"), index=True
    )
    # The time step (RFC 6238) of the last accepted code. That code and all earlier codes are
    # rejected.
    last_step: Mapped[int | None] = mapped_column(BigInteger)


class RecoveryCode(Base):
    """A code that can be used once instead of a code from the app. Only its digest is stored; using
    the code deletes the row."""

    __tablename__ = "recovery_code"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)


class LoginChallenge(Base):
    """A login with the right password that still needs the second factor. Only the digest of the
    client's token is stored."""

    __tablename__ = "login_challenge"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)
    tries: Mapped[int] = mapped_column(default=0)
    # The default is for processes of the previous release, which do not insert the column.
    shared_device: Mapped[bool] = mapped_column(server_default=false())


@dataclass(frozen=True)
class Slip:
    """The values on the slip of a candidate without email: the login, and the code (a generated
    password) if it was issued now. `is_used` is whether the candidate has signed in; it is None
    unless the slips were requested with `unused`."""

    candidate: Candidate
    login: str
    code: str | None
    is_used: bool | None
