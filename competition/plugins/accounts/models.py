from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


class OneTimePassword(Base):
    """The live code of a user for one purpose; a new one takes its place."""

    __tablename__ = "one_time_password"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    purpose: Mapped[str] = mapped_column(String(10), primary_key=True)
    # A keyed hash: six digits could be guessed from a plain one.
    digest: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[datetime]
    tries: Mapped[int] = mapped_column(default=0)

    __table_args__ = (CheckConstraint("purpose in ('email', 'password')", name="purpose"),)
