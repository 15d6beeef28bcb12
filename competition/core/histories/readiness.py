"""The readiness check of migrations."""

from functools import cache
from importlib import import_module
from pathlib import Path

from sqlalchemy import Connection

from competition.core.histories.history import History, current, scripts
from competition.core.messages import Message
from competition.core.monitoring.readiness import readiness_check
from competition.core.work import Work


@readiness_check("migrations")
def readiness(work: Work) -> str | None:
    """Check that the database has all migrations of the service and of the enabled plugins."""
    folders: dict[str | None, Path | None] = {None: scripts() / "versions"}
    for package, name in work.runtime.packages.items():
        folders[name] = getattr(import_module(package), "MIGRATIONS", None)
    connection = work.db.connection()
    for plugin, folder in folders.items():
        if folder and is_behind(connection, History(plugin, Path(folder), frozenset())):
            return Message("The database lacks migrations. Run `competition db upgrade`.")
    return None


def is_behind(connection: Connection, history: History) -> bool:
    """Whether the database lacks a migration of this history.

    A database with a revision that this version does not know is ahead, not behind. This happens
    while a new version is rolled out.
    """
    found = {*current(connection, history.version_table)}
    heads, known = _revisions(history)
    return found != heads and found <= known


@cache
def _revisions(history: History) -> tuple[frozenset[str], frozenset[str]]:
    """The heads and all revisions of a history. Cached, because its files don't change while the
    process runs."""
    heads = history.script_directory().get_heads()
    return frozenset(heads), frozenset(history.revisions())
