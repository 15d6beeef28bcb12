"""`competition db`."""

import click
from sqlalchemy import NullPool, create_engine

from competition.cli.ini import Ini, ini_argument
from competition.core import migrations
from competition.core.plugins import installed
from competition.core.runtime import database_url


@click.group()
def db() -> None:
    """The database's tables."""


@db.command("upgrade")
@ini_argument
def upgrade_command(ini: Ini) -> None:
    """Run the migrations of core and of every installed plugin, on or off."""
    upgrade(ini)
    click.echo("The database is up to date.")


def upgrade(ini: Ini) -> None:
    """Raises SettingsError."""
    url = database_url(ini.settings())
    branches = [plugin.migrations for plugin in installed().values() if plugin.migrations]
    # Not the runtime's engine: a migration may take longer than a request.
    with create_engine(url, poolclass=NullPool).connect() as connection:
        migrations.upgrade(connection, branches)
