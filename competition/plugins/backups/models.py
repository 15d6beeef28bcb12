from datetime import datetime
from typing import Literal

from sqlalchemy import Identity, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.choices import one_of
from competition.core.database import Base

Outcome = Literal["success", "first_failure", "final_failure"]
Environment = Literal["prod", "staging"]


class BackupReport(Base):
    """A report of a backup script. `timestamp` is the script's time, `received_at` ours."""

    __tablename__ = "backup_report"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    status: Mapped[Outcome] = mapped_column(String(20))
    environment: Mapped[Environment] = mapped_column(String(20))
    timestamp: Mapped[datetime]
    backup_filename: Mapped[str] = mapped_column(String(1000))
    error_message: Mapped[str]
    received_at: Mapped[datetime]
    # Whether the superadmins were mailed.
    alarmed: Mapped[bool]

    __table_args__ = (
        one_of("status", Outcome),
        one_of("environment", Environment),
        # A script that heard no answer reports again. A file name is longer than an index takes.
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
