from uuid import UUID

from sqlalchemy import ForeignKeyConstraint, String
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


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
        # If a submission is withdrawn, its receipt is deleted too.
        ForeignKeyConstraint(
            ["exam_id", "candidate_id"],
            ["submission.exam_id", "submission.candidate_id"],
            ondelete="CASCADE",
        ),
    )
