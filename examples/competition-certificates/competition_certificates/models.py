from datetime import datetime
from uuid import UUID

from competition.core.database import Base
from sqlalchemy import ForeignKey, Identity, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column


class Certificate(Base):
    """A certificate for a candidate's rank in an exam.

    `full_name` and `exam_title` are copies from the time of the award.
    """

    __tablename__ = "certificates_certificate"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    # Anyone who has the code can check the certificate. Codes can't be guessed.
    code: Mapped[str] = mapped_column(String(20), unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"))
    exam_id: Mapped[int] = mapped_column(ForeignKey("exam.id", ondelete="CASCADE"), index=True)
    exam_title: Mapped[str] = mapped_column(String(255))
    full_name: Mapped[str]
    rank: Mapped[int]
    awarded_at: Mapped[datetime]
    # None until the certificate is drawn, and again after its rank has changed.
    drawn_at: Mapped[datetime | None]
    file_key: Mapped[str | None] = mapped_column(ForeignKey("file.key"), index=True)
    revoked_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("user_id", "exam_id"),
        Index(
            "ix_certificates_certificate_waiting", "id", postgresql_where=text("drawn_at is null")
        ),
    )
