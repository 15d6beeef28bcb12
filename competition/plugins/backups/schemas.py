from competition.core.schemas import Choice, Nullable, Schema, Text, Timestamp, node
from competition.plugins.backups.models import Environment, Outcome


class BackupReport(Schema):
    # Large enough for the longest error message with each character escaped, and the other fields.
    largest = 256 * 1024

    status = node(Choice(Outcome))
    environment = node(Choice(Environment))
    timestamp = node(Timestamp())
    # Empty if the script failed before it had a file name.
    backup_filename = node(Text(0, 1000))
    error_message = node(Nullable(Text(0, 20_000, lines=True)), missing=None)
