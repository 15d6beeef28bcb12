"""`competition second-factor`."""

import click

from competition.core.console import takes_ini
from competition.core.runtime import Runtime
from competition.core.users import accounts
from competition.core.work import begin
from competition.plugins.accounts.services import second_factor as rules


@click.group("second-factor")
def second_factor() -> None:
    """The second factors of staff."""


@second_factor.command()
@click.argument("email")
@takes_ini
@click.pass_obj
def reset(runtime: Runtime, email: str) -> None:
    """Let a member of staff who lost the second factor log in without it, to set up another one."""
    with begin(runtime) as work:
        rules.reset(work, accounts.id_of(work, email))
    click.echo(f"{email} has no second factor, and is logged out everywhere.")
