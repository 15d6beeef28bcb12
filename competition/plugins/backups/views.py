from competition.core.auth.access import WEBHOOK
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.backups import presenters, schemas, services

db_backup = Service("/webhooks/db-backup/")


@db_backup.post(
    access=WEBHOOK,
    body=schemas.BackupReport,
    limit="backup report",
)
def report_backup(request: Request) -> presenters.Received:
    """Report the result of a database backup.

    The API key needs the scope `webhook`. Sending the same report again changes
    nothing.
    """
    services.receive(request.work, request.validated)
    return presenters.Received(status="received")
