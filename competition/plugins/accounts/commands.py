"""The command `competition user reset-second-factor`."""

import click

from competition.core.commands import command, takes_ini
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
    """Remove the second factor of a member of staff who has lost it.

    All sessions of the account end. The user can then log in with the password alone, and set up a
    new second factor.
    """
    with begin(runtime) as work:
        second_factor.reset(work, accounts.id_of(work, email))
    click.echo(f"The second factor of {email} has been removed, and all their sessions have ended.")
