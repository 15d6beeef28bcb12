from competition.core.auth.access import WEBHOOK, StaffRole, staff
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.operations import schemas
from competition.plugins.operations.presenters import backups as presenters
from competition.plugins.operations.services import backups as services

backups = Service("/backups/")
db_backup = Service("/webhooks/db-backup/")


@db_backup.post(
    access=WEBHOOK,
    body=schemas.BackupReport,
    limit="backup report",
)
def report_backup(request: Request) -> presenters.Received:
    """Report the result of a database backup.

    The API key needs the scope `webhook`. Sending the same report again changes nothing.
    """
    services.receive(request.work, request.validated)
    return presenters.Received(status="received")


@backups.get(access=staff(StaffRole.SUPERADMIN), query=schemas.ReportFilters)
def list_reports(request: Request) -> presenters.ReportList:
    """List the reports of the backup script, the latest first."""
    page = services.page_of_reports(request.work, request.validated)
    return presenters.report_list(page, request.public_url)
