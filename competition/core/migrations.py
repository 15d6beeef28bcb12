"""Bringing a database up to date."""

from collections.abc import Iterable
from pathlib import Path

from alembic.config import Config
from sqlalchemy import Connection

import competition
from alembic import command

PACKAGE = Path(competition.__file__).parent


def scripts() -> Path:
    """The folder of our own linear history.

    A wheel has it inside the package; a checkout beside it, as `alembic/`. In this order: beside
    an installed package, `alembic/` is the library.
    """
    inside = PACKAGE / "migrations"
    return inside if inside.is_dir() else PACKAGE.parent / "alembic"


def upgrade(connection: Connection, branches: Iterable[Path] = ()) -> None:
    """Run every head: our own linear history, and the branches that plugins of other packages
    bring (``MIGRATIONS``, a folder)."""
    command.upgrade(configuration(connection, branches), "heads")


def configuration(connection: Connection, branches: Iterable[Path] = ()) -> Config:
    config = Config()
    locations = [scripts() / "versions", *branches]
    for option, value in (
        ("script_location", str(scripts())),
        ("path_separator", "newline"),
        ("version_locations", "\n".join(map(str, locations))),
    ):
        # Alembic reads a % as a ConfigParser does.
        config.set_main_option(option, value.replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
