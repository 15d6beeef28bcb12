"""`competition user reset-second-factor`."""

import click

from competition.core.console import command, takes_ini
from competition.core.runtime import Runtime
from competition.core.users import accounts
from competition.core.work import begin
from competition.plugins.accounts.services import second_factor


@command
@click.command("user reset-second-factor")
@click.argument("email")
@takes_ini
@click.pass_obj
def reset_second_factor(runtime: Runtime, email: str) -> None:
    """Let a member of staff who lost the second factor log in without it, to set up another one."""
    with begin(runtime) as work:
        second_factor.reset(work, accounts.id_of(work, email))
    click.echo(f"{email} has no second factor, and is logged out everywhere.")
