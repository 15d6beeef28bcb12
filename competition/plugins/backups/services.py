from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.auth.access import StaffRole
from competition.core.mail import mails
from competition.core.preflight import Finding, preflight_check
from competition.core.users.models import Staff
from competition.core.work import Work
from competition.plugins.backups.models import BackupReport

# So many in so long.
MOST_ALARMS = 10
ALARMS_COUNT = timedelta(hours=1)
BACKUP_IS_FRESH = timedelta(days=2)
REPORTS_KEPT = timedelta(days=400)


def receive(work: Work, fields: Mapping[str, Any]) -> None:
    """Keep a report; superadmins are mailed when it says that the last try failed (decisions
    M12), unless they were so often of late. The same report once more changes nothing."""
    alarmed = fields["status"] == "final_failure" and not _is_flooded(work)
    values = {
        **fields,
        "error_message": fields["error_message"] or "",
        "received_at": work.now,
        "alarmed": alarmed,
    }
    report_id = work.db.scalar(
        insert(BackupReport).values(values).on_conflict_do_nothing().returning(BackupReport.id)
    )
    if report_id is not None and alarmed:
        _alarm(work, report_id)


def newest(work: Work, most: int) -> list[BackupReport]:
    """The latest reports, in the order in which they came."""
    reports = select(BackupReport).order_by(BackupReport.id.desc()).limit(most)
    return list(reversed(work.db.scalars(reports).all()))


@preflight_check("backups", level="warning")
def a_backup_was_made(work: Work, subject: int) -> Finding:
    latest = work.db.scalar(
        select(func.max(BackupReport.received_at)).where(BackupReport.status == "success")
    )
    if latest is None or latest < work.now - BACKUP_IS_FRESH:
        return Finding(False, "No backup was reported within two days.")
    return Finding(True)


def delete_old_reports(work: Work) -> None:
    work.db.execute(delete(BackupReport).where(BackupReport.received_at < work.now - REPORTS_KEPT))


def _is_flooded(work: Work) -> bool:
    """Whether there were too many alarms of late: an API key that was made without scopes reports
    too, and whoever takes it from an application has the superadmins' mailboxes."""
    alarms = select(func.count()).where(
        BackupReport.alarmed, BackupReport.received_at > work.now - ALARMS_COUNT
    )
    return work.db.scalars(alarms).one() >= MOST_ALARMS


def _alarm(work: Work, report_id: int) -> None:
    superadmins = select(Staff.email).where(Staff.role == StaffRole.SUPERADMIN, Staff.is_active)
    for email in work.db.scalars(superadmins.order_by(Staff.email)).all():
        mails.send(work, "backups.backup_failed", email, report_id=report_id)
