"""The command `competition audit`: verify the audit trail, and print or rebuild its chain."""

import click

from competition.cli.ini import Ini, ini_argument
from competition.core.audit import chain


@click.group()
def audit() -> None:
    """Verify the audit trail, and print the end of its hash chain."""


@audit.command()
@click.option(
    "--head",
    metavar="HASH",
    help="A hash that must be in the chain: one that `competition audit head` has printed, or an"
    " `audit_head` of the security log.",
)
@ini_argument
def verify(head: str | None, ini: Ini) -> None:
    """Check the hash chain of the audit trail.

    The command names the first entry that does not match.

    The command checks that

    \b
    - the numbers of the entries have no gap and no repetition;
    - each entry has the hash of its content and of the entry before it, made
      with the key of the chain, which only the signing keys decrypt;
    - personal values are as they were recorded, or were deleted by an erasure:
      the entry can be erased, the person's account is erased, and a later
      entry of the erasure lists the entry;
    - with --head, the chain still contains this hash.

    Without --head, the command can't detect that entries at the end were removed, or were changed
    and then added to the chain again. Pass the hash of the newest `audit_head` in the security log.
    """
    with ini.work() as work:
        count = chain.verify(work, head)
        waiting = chain.unsealed(work)
    click.echo(f"Verified entries: {count}; not in the hash chain yet: {waiting}")


@audit.command("head")
@ini_argument
def print_head(ini: Ini) -> None:
    """Print the hash of the last entry in the hash chain.

    Store the hash in a place that people with write access to the database can't change.
    """
    with ini.work() as work:
        click.echo(chain.head(work))


@audit.command()
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@ini_argument
def reseal(yes: bool, ini: Ini) -> None:
    """Build the hash chain again with a new key.

    Use this only after all signing keys were lost. The new chain accepts the entries as they are
    now. `competition audit verify --head` no longer finds hashes of the old chain.
    """
    if not yes:
        click.confirm("Accept all entries of the audit trail as they are now?", abort=True)
    with ini.work() as work:
        count = chain.reseal(work)
    click.echo(f"Workers will add {count} entries to a new hash chain.")
