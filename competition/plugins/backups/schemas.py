from competition.core.schemas import Choice, Nullable, Schema, Text, Timestamp, node
from competition.plugins.backups.models import Environment, Outcome


class BackupReport(Schema):
    # Room for the longest error message, whose characters may come as escapes, and for the rest.
    largest = 256 * 1024

    status = node(Choice(Outcome))
    environment = node(Choice(Environment))
    timestamp = node(Timestamp())
    # Empty from a script that failed before it had one.
    backup_filename = node(Text(0, 1000))
    error_message = node(Nullable(Text(0, 20_000, lines=True)), missing=None)
