from competition.core.auth.access import KeyScope
from competition.core.jobs.models import JobState
from competition.core.mail.models import MailState
from competition.core.schemas import (
    Boolean,
    Choice,
    Integer,
    Nullable,
    Schema,
    Text,
    Timestamp,
    array,
    node,
)
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.operations.models import Environment, Outcome
from competition.plugins.operations.services.backups import REPORT_ORDERING
from competition.plugins.operations.services.operations import (
    JOB_ORDERING,
    KEY_ORDERING,
    MAIL_ORDERING,
)

LONGEST_LIFETIME = 3650


class FlagState(Schema):
    enabled = node(Boolean())


class NewApiKey(Schema):
    name = node(Text(1, 100))
    scopes = array(
        node(Choice(KeyScope)),
        len(KeyScope),
        shortest=1,
        description="The purposes for which the key may be used.",
    )
    days = node(
        Nullable(Integer(1, LONGEST_LIFETIME)),
        missing=None,
        description="After how many days the key expires; without this field, it never expires.",
    )
    rates = node(
        Nullable(Text(1, 100)),
        missing=None,
        description="The name of the rate limits of requests with the key; without this field,"
        " the limits of the service apply.",
    )


class KeyFilters(ListQuery):
    ordering = ordered_by(KEY_ORDERING)
    search = searched("name")


class JobFilters(ListQuery):
    ordering = ordered_by(JOB_ORDERING)
    search = searched("the name of the task")
    state = node(Choice(JobState), missing=None, description="Only jobs in this state.")


class MailFilters(ListQuery):
    ordering = ordered_by(MAIL_ORDERING)
    search = searched("the name of the template")
    state = node(Choice(MailState), missing=None, description="Only emails in this state.")
    recipient = node(Text(0, 254), missing="", description="Only emails to this address.")


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
    ordering = ordered_by(REPORT_ORDERING)
    search = searched("the name of the backup file")
    status = node(Choice(Outcome), missing=None, description="Only reports with this status.")
