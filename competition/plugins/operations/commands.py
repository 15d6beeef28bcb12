"""The command `competition backups`."""

import click

from competition.core.commands import command, print_table, takes_ini
from competition.core.runtime import Runtime
from competition.core.work import begin
from competition.plugins.operations.services.backups import newest

MOST_REPORTS = 100


@command
@click.group()
def backups() -> None:
    """Show the reports of the backup script."""


@backups.command("list")
@takes_ini
@click.pass_obj
def list_backups(runtime: Runtime) -> None:
    """List the latest 100 reports, the newest last."""
    with begin(runtime) as work:
        found = newest(work, MOST_REPORTS)
    print_table(
        ("id", "time", "environment", "status", "file", "error"),
        [
            (
                each.id,
                each.timestamp,
                each.environment,
                each.status,
                each.backup_filename or None,
                " ".join(each.error_message.split()) or None,
            )
            for each in found
        ],
    )
