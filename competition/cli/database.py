"""The command `competition db`: upgrade and check the tables, and write migrations."""

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
    """Create and check the tables of the database."""


@db.command("upgrade")
@ini_argument
def upgrade_command(ini: Ini) -> None:
    """Create and update the tables.

    The command runs the migrations of core and of every installed plugin, enabled or not, and lists
    them. Only one upgrade runs at a time. A second one waits, and then finds nothing to do.
    """
    upgrade(ini, lambda revision, what: click.echo(f"{revision}  {what}"))
    click.echo("The database is up to date.")


@db.command("stamp")
@ini_argument
def stamp_command(ini: Ini) -> None:
    """Mark a database from before the first release as being at the migration 0001.

    Only a database at the migration 0045 is accepted. Its tables are those that 0001 creates, so
    they stay as they are.
    """
    with connection(ini) as connected:
        migrations.stamp(connected, _say_that_it_waits)
    click.echo("The database is at 0001. Run `competition db upgrade` now.")


@db.command()
@ini_argument
def check(ini: Ini) -> None:
    """Compare the tables with the models.

    This includes the models of third-party plugins.
    """
    with connection(ini) as connected:
        migrations.check(connected, installed().values())
    click.echo("The tables match the models.")


@db.command()
@click.argument("plugin")
@click.option(
    "-m",
    "--message",
    required=True,
    help="What the migration does. The file's name contains it.",
)
@click.option("--empty", is_flag=True, help="Write an empty migration; don't compare the tables.")
@ini_argument
def revision(plugin: str, message: str, empty: bool, ini: Ini) -> None:
    """Write a migration for the models of PLUGIN.

    The migration changes the tables to match the models. For a third-party plugin, the file is
    written to the folder that its MIGRATIONS names. All built-in plugins share one history. The
    database must be up to date.
    """
    with connection(ini) as connected:
        history = _history(plugin, installed())
        path = migrations.revise(connected, history, message, empty)
        click.echo(f"Written: {path}. Check it before you run it.")


def _history(name: str, available: dict[str, Plugin]) -> History:
    """The history that contains the plugin's tables. Raises MigrationError if there is none."""
    if name not in available:
        raise MigrationError(
            f"There is no plugin {name!r}. The plugins are {', '.join(available)}."
        )
    plugin = available[name]
    ours, *others = histories(available.values())
    if plugin.is_ours:
        return ours
    if plugin.migrations is None:
        raise MigrationError(
            f"The plugin {name} has no migrations. Set MIGRATIONS in its module to the folder for"
            ' them, for example MIGRATIONS = Path(__file__).parent / "migrations".'
        )
    [history] = [each for each in others if each.plugin == name]
    return history


def upgrade(ini: Ini, ran: Callable[[str, str], None] = lambda revision, what: None) -> None:
    """Upgrade the database, and call `ran` with the revision and message of each migration.

    Raises SettingsError if a setting is missing or wrong, and MigrationError if a migration fails.
    """
    with connection(ini) as connected:
        migrations.upgrade(
            connected, installed().values(), _say_that_it_waits, ran, _say_what_blocks
        )


def _say_that_it_waits() -> None:
    click.echo("Another upgrade of this database is running. Waiting until it ends.", err=True)


def _say_what_blocks(by: str) -> None:
    click.echo(
        "A table is in use, so the migration was rolled back, and will be tried again. The oldest"
        f" open transaction: {by}.",
        err=True,
    )


@contextmanager
def connection(ini: Ini) -> Iterator[Connection]:
    """Context manager: a connection without the time limits of the runtime's connections.

    A migration may take longer than a request. Raises SettingsError if a setting is missing or
    wrong.
    """
    engine = create_engine(
        direct_database_url(ini.settings()), poolclass=NullPool, hide_parameters=True
    )
    with engine.connect() as connected:
        yield connected
