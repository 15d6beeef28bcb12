from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from competition.core import mail
from competition.core.models import Staff
from competition.core.roles import StaffRole
from competition.core.work import Work
from competition.plugins.webhooks.models import BackupReport


def receive(work: Work, fields: Mapping[str, Any]) -> None:
    """Keep a report; superadmins are mailed when it says that the last try failed (decisions
    M12). The same report once more changes nothing."""
    values = {**fields, "error_message": fields["error_message"] or "", "received_at": work.now}
    report_id = work.db.scalar(
        insert(BackupReport).values(values).on_conflict_do_nothing().returning(BackupReport.id)
    )
    if report_id is not None and fields["status"] == "final_failure":
        _alarm(work, report_id)


def newest(work: Work, most: int) -> list[BackupReport]:
    """In the order in which they came."""
    reports = select(BackupReport).order_by(BackupReport.id.desc()).limit(most)
    return list(reversed(work.db.scalars(reports).all()))


def _alarm(work: Work, report_id: int) -> None:
    superadmins = select(Staff.email).where(Staff.role == StaffRole.SUPERADMIN, Staff.is_active)
    for email in work.db.scalars(superadmins.order_by(Staff.email)).all():
        mail.send(work, "webhooks.backup_failed", email, report_id=report_id)
