"""`competition db`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from sqlalchemy import Connection, NullPool, create_engine

from competition.cli.ini import Ini, ini_argument
from competition.core.histories import migrations
from competition.core.histories.history import History, MigrationError, histories
from competition.core.plugins import Plugin, installed
from competition.core.runtime import direct_database_url


@click.group()
def db() -> None:
    """The database's tables."""


@db.command("upgrade")
@ini_argument
def upgrade_command(ini: Ini) -> None:
    """Run the migrations of core and of every installed plugin, on or off, and say which.

    Only one runs at a time: another one waits, and finds nothing left to do.
    """
    upgrade(ini, lambda revision, what: click.echo(f"{revision}  {what}"))
    click.echo("The database is up to date.")


@db.command()
@ini_argument
def check(ini: Ini) -> None:
    """Compare the tables with the models: ours, and those of each plugin of another package."""
    with connection(ini) as connected:
        migrations.check(connected, installed().values())
    click.echo("The tables are what the models say.")


@db.command()
@click.argument("plugin")
@click.option("-m", "--message", required=True, help="What it does; its file is named after it.")
@click.option("--empty", is_flag=True, help="To be written by hand: compare no tables.")
@ini_argument
def revision(plugin: str, message: str, empty: bool, ini: Ini) -> None:
    """Write a migration that makes the tables what the models of PLUGIN say.

    It goes into the plugin's own folder, MIGRATIONS, or for a plugin of this package into the one
    history that all of those share. The database has to be up to date.
    """
    with connection(ini) as connected:
        history = _history(plugin, installed())
        click.echo(f"{migrations.revise(connected, history, message, empty)} is written: read it.")


def _history(name: str, available: dict[str, Plugin]) -> History:
    """The history that the plugin's tables are in. Raises MigrationError."""
    if name not in available:
        raise MigrationError(f"There is no plugin {name!r}; there are {', '.join(available)}.")
    plugin = available[name]
    ours, *others = histories(available.values())
    if plugin.is_ours:
        return ours
    if plugin.migrations is None:
        raise MigrationError(
            f"The plugin {name} has no MIGRATIONS: its module has to name the folder of its"
            ' migrations, such as MIGRATIONS = Path(__file__).parent / "migrations".'
        )
    [history] = [each for each in others if each.plugin == name]
    return history


def upgrade(ini: Ini, ran: Callable[[str, str], None] = lambda revision, what: None) -> None:
    """`ran` hears of each migration. Raises SettingsError and MigrationError."""
    with connection(ini) as connected:
        migrations.upgrade(connected, installed().values(), _say_that_it_waits, ran)


def _say_that_it_waits() -> None:
    click.echo("Another upgrade of this database is running: waiting for its end.", err=True)


@contextmanager
def connection(ini: Ini) -> Iterator[Connection]:
    """A connection of its own, not the runtime's: a migration may take longer than a request.
    Raises SettingsError."""
    engine = create_engine(
        direct_database_url(ini.settings()), poolclass=NullPool, hide_parameters=True
    )
    with engine.connect() as connected:
        yield connected
