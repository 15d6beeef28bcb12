from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy import ForeignKey, String
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
