"""The commands `competition superadmin` and `competition user`, for accounts."""

import sys
from collections import defaultdict
from collections.abc import Collection

import click
import msgspec
from sqlalchemy import inspect, select, table

from competition.cli import superadmins
from competition.cli.extension import OpenGroup
from competition.cli.ini import Ini, ini_argument
from competition.core.database import modules_of_tables
from competition.core.histories.history import left_behind
from competition.core.plugins import declaring, installed
from competition.core.schemas import Email, Phone, Schema, Text, node
from competition.core.users import accounts, personal_data
from competition.core.web.validation import deserialize
from competition.core.work import Work


class NewSuperadmin(Schema):
    email = node(Email(new=True))
    first_name = node(Text(1, 150))
    last_name = node(Text(1, 150))
    phone = node(Phone())


@click.group()
def superadmin() -> None:
    """Create a superadmin."""


@superadmin.command("create")
@click.option("--email", help="The email address. Without it, the command asks.")
@click.option("--first-name", help="The first name. Without it, the command asks.")
@click.option("--last-name", help="The last name. Without it, the command asks.")
@click.option("--phone", help="The phone number. Without it, the command asks.")
@click.option(
    "--password-stdin",
    is_flag=True,
    help="Read the password as one line, without a prompt. This is the default in a pipe.",
)
@ini_argument
def create_superadmin(password_stdin: bool, ini: Ini, **fields: str | None) -> None:
    """Create a superadmin, whose email address and identity count as verified.

    The command prompts for the password and for each option that you leave out.
    """
    piped = password_stdin or not sys.stdin.isatty()
    missing = [name for name, value in fields.items() if value is None]
    if piped and missing:
        # A prompt for a missing value would read the password from the pipe.
        options = ", ".join(f"--{name.replace('_', '-')}" for name in missing)
        raise click.UsageError(
            "The pipe contains only the password, so the rest must be options."
            f" Please add {options}."
        )
    asked = {name: click.prompt(name.replace("_", " ").capitalize()) for name in missing}
    values = deserialize(NewSuperadmin, fields | asked)
    password = sys.stdin.readline().rstrip("\r\n") if piped else _prompted()
    with ini.work() as work:
        superadmins.create(work, **values, password=password)
    click.echo(f"The superadmin {values['email']} can log in.")


def _prompted() -> str:
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password


@click.group(cls=OpenGroup)
def user() -> None:
    """Manage accounts of candidates and staff."""


@user.command()
@click.argument("email")
@ini_argument
def activate(email: str, ini: Ini) -> None:
    """Let a user log in again."""
    _set_active(ini, email, True)
    click.echo(f"{email} is active.")


@user.command()
@click.argument("email")
@ini_argument
def deactivate(email: str, ini: Ini) -> None:
    """Log a user out everywhere, and reject their logins.

    The results of a deactivated candidate do not count in rankings. A deactivated member of staff
    loses the permissions that were granted in addition to those of the rank.
    """
    _set_active(ini, email, False)
    click.echo(f"{email} is deactivated.")


def _set_active(ini: Ini, email: str, active: bool) -> None:
    with ini.work() as work:
        accounts.set_active(work, accounts.id_of(work, email), active)


@user.command()
@click.argument("email")
@click.argument("permission")
@ini_argument
def grant(email: str, permission: str, ini: Ini) -> None:
    """Grant a PERMISSION to a member of staff, in addition to those of their rank."""
    _set_permission(ini, email, permission, True)
    click.echo(f"{email} has the permission {permission}.")


@user.command()
@click.argument("email")
@click.argument("permission")
@ini_argument
def revoke(email: str, permission: str, ini: Ini) -> None:
    """Revoke a PERMISSION that was granted."""
    taken = _set_permission(ini, email, permission, False)
    now = "no longer has" if taken else "had not been granted"
    click.echo(f"{email} {now} the permission {permission}.")


def _set_permission(ini: Ini, email: str, permission: str, granted: bool) -> bool:
    with ini.work() as work:
        return accounts.set_permission(work, accounts.id_of(work, email), permission, granted)


# Only an enabled plugin can export or erase the personal data that it stores.
without = click.option(
    "--without",
    multiple=True,
    metavar="PLUGIN",
    help="Skip the data of this disabled plugin; may be given several times.",
)


def _check_all_are_enabled(work: Work, without: Collection[str]) -> None:
    """Check that all plugins with rows are enabled, except those in `without`. Raises
    ClickException if one is not."""
    found = _passed_over(work, {*work.runtime.packages.values(), *without})
    if found:
        lines = [f"  {name}: rows in {', '.join(tables)}" for name, tables in found.items()]
        raise click.ClickException(
            "These plugins are not enabled, and may have data about this person:\n"
            + "\n".join(lines)
            + "\nInstall and enable them (for this command alone, in COMPETITION_PLUGINS), or skip"
            f" them with {' '.join(f'--without {name}' for name in found)}."
        )


def _passed_over(work: Work, but: Collection[str]) -> dict[str, list[str]]:
    """The plugins that have rows in the database, except those in `but`: their tables that have
    rows, by the name of the plugin. Some of these plugins may not be installed any longer."""
    connection, plugins = work.db.connection(), list(installed().values())
    tables = defaultdict(set, left_behind(connection, plugins))
    for name, module in modules_of_tables().items():
        if (plugin := declaring(module, plugins)) and inspect(connection).has_table(name):
            tables[plugin.name].add(name)
    found = {
        plugin: [each for each in sorted(tables[plugin]) if _has_rows(work, each)]
        for plugin in sorted({*tables} - {*but})
    }
    return {plugin: each for plugin, each in found.items() if each}


def _has_rows(work: Work, name: str) -> bool:
    return bool(work.db.scalar(select(select(1).select_from(table(name)).exists())))


@user.command()
@click.argument("email")
@without
@ini_argument
def export(email: str, without: tuple[str, ...], ini: Ini) -> None:
    """Print all data about a user, as JSON.

    The command fails if a plugin that is not enabled may have data about the user. Skip such a
    plugin with --without.
    """
    with ini.work() as work:
        _check_all_are_enabled(work, without)
        found = personal_data.export(work, accounts.id_of(work, email))
    click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())


@user.command()
@click.argument("email")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@without
@ini_argument
def erase(email: str, yes: bool, without: tuple[str, ...], ini: Ini) -> None:
    """Erase all personal data of a user. Answers, scores and ranks stay, without a name.

    The command fails if a plugin that is not enabled may have data about the user. Skip such a
    plugin with --without: its data stays.
    """
    if not yes:
        click.confirm(f"Erase all personal data of {email}? You can't undo this.", abort=True)
    with ini.work() as work:
        _check_all_are_enabled(work, without)
        personal_data.erase(work, accounts.id_of(work, email))
    rest = f", except for data of {', '.join(without)}" if without else ""
    click.echo(f"{email} is erased{rest}.")
