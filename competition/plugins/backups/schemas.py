from competition.core.schemas import Choice, Nullable, Schema, Text, Timestamp, node
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.backups.models import Environment, Outcome
from competition.plugins.backups.services import ORDERING


class BackupReport(Schema):
    # In bytes: enough for the longest error message with each character escaped, and for the other
    # fields.
    largest = 256 * 1024

    status = node(Choice(Outcome))
    environment = node(Choice(Environment))
    timestamp = node(Timestamp())
    # Empty if the script failed before it had a file name.
    backup_filename = node(Text(0, 1000))
    error_message = node(Nullable(Text(0, 20_000, lines=True)), missing=None)


class ReportFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("the name of the backup file")
    status = node(Choice(Outcome), missing=None, description="Only reports with this status.")
