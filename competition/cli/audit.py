"""`competition audit`."""

import click

from competition.cli.ini import Ini, ini_argument
from competition.core.audit import chain


@click.group()
def audit() -> None:
    """The record of who did and changed what."""


@audit.command()
@click.option(
    "--head", metavar="HASH", help="What `competition audit head` printed once: it must be there."
)
@ini_argument
def verify(head: str | None, ini: Ini) -> None:
    """Walk the chain of hashes, and name the first entry that was changed, removed or inserted.

    That entries at the end were removed shows only with --head.
    """
    with ini.work() as work:
        count = chain.verify(work, head)
        waiting = chain.unsealed(work)
    click.echo(f"Entries as they were sealed: {count}; not sealed yet: {waiting}")


@audit.command("head")
@ini_argument
def print_head(ini: Ini) -> None:
    """Print the hash of the last entry, to be kept out of reach of who can write here."""
    with ini.work() as work:
        click.echo(chain.head(work))
