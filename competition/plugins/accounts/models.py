"""The tables of one-time passwords and of second factors."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base

Purpose = Literal["email", "password"]


class OneTimePassword(Base):
    """The live code of a user for one purpose; a new one takes its place."""

    __tablename__ = "one_time_password"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    purpose: Mapped[Purpose] = mapped_column(String(10), primary_key=True)
    # A keyed hash: six digits could be guessed from a plain one.
    digest: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[datetime]
    tries: Mapped[int] = mapped_column(default=0)

    __table_args__ = (one_of("purpose", Purpose),)


class SecondFactor(Base):
    """The secret that a member of staff shares with an authenticator app. It is required at logins
    once a code of the app was confirmed."""

    __tablename__ = "second_factor"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    # Encrypted by a key that is derived from the signing keys.
    secret: Mapped[str] = mapped_column(String(300))
    confirmed_at: Mapped[datetime | None]
    # The time step (RFC 6238) of the last accepted code. That code and all earlier ones are
    # rejected.
    last_step: Mapped[int | None] = mapped_column(BigInteger)


class RecoveryCode(Base):
    """A code that replaces one of the app, once. Its digest is stored, and deleted when it is
    used."""

    __tablename__ = "recovery_code"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)


class LoginChallenge(Base):
    """A login with the right password that still needs the second factor. The digest of the
    client's token is stored."""

    __tablename__ = "login_challenge"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)
    tries: Mapped[int] = mapped_column(default=0)
