from datetime import datetime
from typing import Literal, get_args
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from competition.core.database import Base
from competition.core.users.models import Staff, User

# The fields of an account that the documents prove.
ReviewedField = Literal["first_name", "last_name", "school"]
REVIEWED: tuple[ReviewedField, ...] = get_args(ReviewedField)


class VerificationRequest(Base):
    """A user's request to be verified; each user has at most one. Its status and the documents are
    columns of User, because they are read far more often than the rest. `rejection_reason`,
    `reviewed_by_id` and `reviewed_at` are about the latest decision, also while documents that were
    sent after a rejection are pending."""

    __tablename__ = "verification_request"

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True
    )
    rejection_reason: Mapped[str | None]
    submitted_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    reviewed_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    reviewed_at: Mapped[datetime | None]
    # Requested changes to an approved identity, by field, which a manager has to decide on.
    changes: Mapped[dict[str, str] | None] = mapped_column(JSONB(none_as_null=True))

    user: Mapped[User] = relationship(foreign_keys=user_id, lazy="raise")
    reviewed_by: Mapped[Staff | None] = relationship(foreign_keys=reviewed_by_id, lazy="raise")

    __table_args__ = (
        Index("ix_verification_request_submitted_at", "submitted_at", "user_id"),
        Index(
            "ix_verification_request_reviewed_by_id",
            "reviewed_by_id",
            postgresql_where=text("reviewed_by_id is not null"),
        ),
        Index(
            "ix_verification_request_changes",
            "submitted_at",
            "user_id",
            postgresql_where=text("changes is not null"),
        ),
    )


# What a manager can decide on: the documents, or changes to an approved identity.
Subject = Literal["verification", "changes"]
# The reasons why two accounts may belong to the same person.
Likeness = Literal["phone", "name_and_school", "document"]
LIKENESSES: tuple[Likeness, ...] = get_args(Likeness)
