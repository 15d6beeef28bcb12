"""Bringing a database up to date."""

from collections.abc import Iterable
from pathlib import Path

from alembic.config import Config
from sqlalchemy import Connection

from alembic import command


def upgrade(connection: Connection, scripts: Path, branches: Iterable[Path] = ()) -> None:
    """Run every head: our own linear history in `scripts`, and the branches that plugins of other
    packages bring (``MIGRATIONS``, a folder)."""
    command.upgrade(configuration(connection, scripts, branches), "heads")


def configuration(connection: Connection, scripts: Path, branches: Iterable[Path] = ()) -> Config:
    config = Config()
    config.set_main_option("script_location", str(scripts))
    config.set_main_option("path_separator", "newline")
    locations = [scripts / "versions", *branches]
    config.set_main_option("version_locations", "\n".join(map(str, locations)))
    config.attributes["connection"] = connection
    return config
