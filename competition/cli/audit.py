"""`competition audit`."""

import click

from competition.cli.ini import Ini, ini_argument
from competition.core.audit import chain


@click.group()
def audit() -> None:
    """Verify the audit trail."""


@audit.command()
@click.option(
    "--head",
    metavar="HASH",
    help="A hash that `competition audit head` printed before; it must be in the chain.",
)
@ini_argument
def verify(head: str | None, ini: Ini) -> None:
    """Check the hash chain, and name the first entry that was changed, removed or inserted.

    Only with --head does the command notice that entries were removed at the end.
    """
    with ini.work() as work:
        count = chain.verify(work, head)
        waiting = chain.unsealed(work)
    click.echo(f"Verified entries: {count}; not in the hash chain yet: {waiting}")


@audit.command("head")
@ini_argument
def print_head(ini: Ini) -> None:
    """Print the hash of the last entry.

    Store it where nobody who can write to the database can change it.
    """
    with ini.work() as work:
        click.echo(chain.head(work))
