from datetime import datetime
from typing import Literal

from sqlalchemy import Identity, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base

Outcome = Literal["success", "first_failure", "final_failure"]
Environment = Literal["prod", "staging"]


class BackupReport(Base):
    """A report of a backup script. `timestamp` is by the script's clock, `received_at` by the
    service's."""

    __tablename__ = "backup_report"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    status: Mapped[Outcome] = mapped_column(String(20))
    environment: Mapped[Environment] = mapped_column(String(20))
    timestamp: Mapped[datetime]
    backup_filename: Mapped[str] = mapped_column(String(1000))
    error_message: Mapped[str]
    received_at: Mapped[datetime]
    # Whether the superadmins were emailed.
    alarmed: Mapped[bool]

    __table_args__ = (
        one_of("status", Outcome),
        one_of("environment", Environment),
        # A script that gets no reply sends its report again, and this index keeps the second copy
        # out. The file name is hashed, because it may be too long for an index.
        Index(
            "uq_backup_report_content",
            "environment",
            "status",
            "timestamp",
            text("md5(backup_filename)"),
            unique=True,
        ),
        Index(None, "received_at", postgresql_where=text("alarmed")),
    )
