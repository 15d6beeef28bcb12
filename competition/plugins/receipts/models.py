from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKeyConstraint, Identity, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base
from competition.plugins.sittings.models import HandedInBy


class Receipt(Base):
    """The fields of a receipt that are not in the submission, and the signature. Strings are
    base64url without padding."""

    __tablename__ = "receipt"

    exam_id: Mapped[int] = mapped_column(primary_key=True)
    candidate_id: Mapped[UUID] = mapped_column(primary_key=True, index=True)
    questions: Mapped[int]
    answered: Mapped[int]
    salt: Mapped[str] = mapped_column(String(22))
    digest: Mapped[str] = mapped_column(String(43))
    key_id: Mapped[str] = mapped_column(String(43))
    signature: Mapped[str] = mapped_column(String(86))

    __table_args__ = (
        # If a submission is withdrawn, its receipt becomes an EarlierReceipt, and this row is
        # deleted.
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["submission.exam_id", "submission.candidate_id"],
            ondelete="CASCADE",
        ),
    )


class EarlierReceipt(Base):
    """A receipt of a submission that was withdrawn. It still proves which answers were submitted,
    and when."""

    __tablename__ = "earlier_receipt"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    exam_id: Mapped[int]
    candidate_id: Mapped[UUID] = mapped_column(index=True)
    submitted_at: Mapped[datetime]
    handed_in_by: Mapped[HandedInBy] = mapped_column(String(20))
    questions: Mapped[int]
    answered: Mapped[int]
    salt: Mapped[str] = mapped_column(String(22))
    digest: Mapped[str] = mapped_column(String(43))
    key_id: Mapped[str] = mapped_column(String(43))
    signature: Mapped[str] = mapped_column(String(86))

    __table_args__ = (
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"], ["attempt.exam_id", "attempt.candidate_id"]
        ),
        Index("ix_earlier_receipt_exam_id_candidate_id", "exam_id", "candidate_id"),
    )
