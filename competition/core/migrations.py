"""Bringing a database up to date."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.script import ScriptDirectory
from pyramid.config import Configurator
from sqlalchemy import Connection, inspect, text

from alembic import command

PACKAGE = Path(__file__).parents[1]


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


def is_behind(connection: Connection) -> bool:
    """Whether our own history has migrations that this database has not seen.

    One that is ahead is fine: so it is while a new version is rolled out.
    """
    if not inspect(connection).has_table("alembic_version"):
        return True
    found = set(connection.scalars(text("select version_num from alembic_version")))
    known = {script.revision for script in _history().walk_revisions()}
    return not found or (_history().get_current_head() not in found and bool(found & known))


@cache
def _history() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(scripts()).replace("%", "%%"))
    return ScriptDirectory.from_config(config)


def check(work: Any) -> str | None:
    """For readiness."""
    return "The database waits for its migrations." if is_behind(work.db.connection()) else None


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


def includeme(config: Configurator) -> None:
    config.add_check("migrations", check)
