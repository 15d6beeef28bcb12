"""The command `competition pages`."""

from datetime import timedelta

import click

from competition.core.commands import command, takes_ini
from competition.core.runtime import Runtime
from competition.core.work import begin
from competition.plugins.pages import keys


@command
@click.group("pages")
def pages_group() -> None:
    """Manage the pages of candidates and staff."""


@pages_group.command("rotate-key")
@click.option(
    "--hours",
    type=click.IntRange(min=0),
    default=24,
    show_default=True,
    help="How long the current API key stays valid, in hours, for pages that are open now.",
)
@takes_ini
@click.pass_obj
def rotate_key(runtime: Runtime, hours: int) -> None:
    """Replace the API key of the pages. Pages that are opened at least 15 seconds later use the new
    key."""
    with begin(runtime) as work:
        keys.rotate(work, timedelta(hours=hours))
    click.echo(f"The pages have a new API key. The previous key is valid for {hours} hours.")
