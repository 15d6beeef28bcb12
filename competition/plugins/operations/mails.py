from competition.core.mail.templates import Context, mail_template
from competition.core.work import Work
from competition.plugins.operations.models import BackupReport


@mail_template("backups.backup_failed")
def backup_failed(work: Work, recipient: str, *, report_id: int) -> Context | None:
    """The email about a failed backup. It contains no free text of the report, because anyone with
    the API key may have written it. The command `competition backups list` shows the text."""
    return {"report": work.db.get_one(BackupReport, report_id)}
