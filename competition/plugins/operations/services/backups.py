from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, exists, func, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.auth.access import StaffRole
from competition.core.exam_checks import Finding, preflight_check
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.mail import mails
from competition.core.messages import Message
from competition.core.seasons.blockers import season_warning
from competition.core.todo import Waiting, todo
from competition.core.users.models import Staff
from competition.core.work import Work
from competition.plugins.operations.models import BackupReport

REPORT_ORDERING = {"id": BackupReport.id, "timestamp": BackupReport.timestamp}
# At most this many failures are emailed per period.
MOST_ALARMS = 10
ALARM_PERIOD = timedelta(hours=1)
BACKUP_IS_FRESH = timedelta(days=2)
REPORT_RETENTION = timedelta(days=400)


def receive(work: Work, fields: Mapping[str, Any]) -> None:
    """Store a report. The same report sent again changes nothing.

    If the backup failed permanently, superadmins get an email, unless `MOST_ALARMS` failures were
    emailed within the last hour (decisions M12).
    """
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


def page_of_reports(work: Work, query: Query) -> Page[BackupReport]:
    statement = select(BackupReport).where(
        *contains_every_word(query["search"], BackupReport.backup_filename)
    )
    if query["status"]:
        statement = statement.where(BackupReport.status == query["status"])
    return paginate(
        work,
        statement,
        query,
        key=BackupReport.id,
        created=BackupReport.received_at,
        ordering=REPORT_ORDERING,
    )


def newest(work: Work, most: int) -> list[BackupReport]:
    """The latest reports, the newest last."""
    reports = select(BackupReport).order_by(BackupReport.id.desc()).limit(most)
    return list(reversed(work.db.scalars(reports).all()))


@preflight_check("backups", level="warning")
def a_backup_was_made(work: Work, subject: int) -> Finding:
    latest = _latest_success(work)
    if latest is None or latest < work.now - BACKUP_IS_FRESH:
        return Finding(
            False,
            Message(
                "No successful backup has been reported in the last two days. Check the backup"
                " script."
            ),
        )
    return Finding(True)


@todo("backups.late", rank=StaffRole.SUPERADMIN, link="house/service")
def late_backup(work: Work) -> Waiting:
    """One waiting item if backups have been reported before, but no successful backup in the last
    two days.

    Without any reports, nothing waits: the backups of the service may be reported elsewhere.
    """
    latest = _latest_success(work)
    is_reporting = work.db.scalars(select(exists().select_from(BackupReport))).one()
    is_late = is_reporting and (latest is None or latest < work.now - BACKUP_IS_FRESH)
    return Waiting(1, latest) if is_late else Waiting(0, None)


def _latest_success(work: Work) -> datetime | None:
    return work.db.scalar(
        select(func.max(BackupReport.received_at)).where(BackupReport.status == "success")
    )


def delete_old_reports(work: Work) -> None:
    oldest = work.now - REPORT_RETENTION
    work.db.execute(delete(BackupReport).where(BackupReport.received_at < oldest))


def _is_flooded(work: Work) -> bool:
    """Whether superadmins were emailed too often in the last period.

    A stolen key of a backup script could otherwise be used to flood the superadmins' mailboxes.
    """
    alarms = select(func.count()).where(
        BackupReport.alarmed, BackupReport.received_at > work.now - ALARM_PERIOD
    )
    return work.db.scalars(alarms).one() >= MOST_ALARMS


def _alarm(work: Work, report_id: int) -> None:
    superadmins = select(Staff.email).where(Staff.role == StaffRole.SUPERADMIN, Staff.is_active)
    for email in work.db.scalars(superadmins.order_by(Staff.email)).all():
        mails.send(work, "backups.backup_failed", email, report_id=report_id)


@season_warning("backups")
def no_backup_today(work: Work) -> str | None:
    latest = _latest_success(work)
    if latest is not None and latest.date() == work.now.date():
        return None
    return Message("No successful backup has been reported today. Check the backup script.")
