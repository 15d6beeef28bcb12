from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.db import Base


class VerificationRequest(Base):
    """A user's only request. Its state and the documents stand on the user, who is asked for them
    far more often."""

    __tablename__ = "verification_request"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    rejection_reason: Mapped[str | None]
    submitted_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    reviewed_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    reviewed_at: Mapped[datetime | None]

    __table_args__ = (Index("ix_verification_request_submitted_at", "submitted_at", "user_id"),)
