"""The histories of migrations: one per package, each with its own version table.

So Alembic never compares the tables of one package with the models of another, and a database can
be upgraded even if it has tables of a plugin that is no longer installed.

See docs/decisions/0009-a-history-for-each-package.md.
"""

from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, column, inspect, select
from sqlalchemy import table as table_of
from sqlalchemy.exc import DBAPIError

from competition.core.database import modules_of_tables
from competition.core.plugins import OURS, Plugin, declaring, import_models, in_order

# Every process imports this module, but few need Alembic, which takes long to import. So the
# functions below import it.
if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

PACKAGE = Path(__file__).parents[2]
VERSIONS = "alembic_version"
PREFIX = f"{VERSIONS}_"


class MigrationError(Exception):
    """A problem with migrations that an operator, or the author of a plugin, has to solve."""


def scripts() -> Path:
    """The folder with Alembic's scripts and the migrations of core and the built-in plugins.

    A wheel has this folder inside the package, as `migrations/`, and a checkout next to the
    package, as `alembic/`. The folder inside is tried first, because next to an installed package
    `alembic/` is the library Alembic.
    """
    inside = PACKAGE / "migrations"
    return inside if inside.is_dir() else PACKAGE.parent / "alembic"


@dataclass(frozen=True)
class History:
    """The migrations of one package.

    `plugin` is None for the history that core and all built-in plugins share. `tables` are the
    tables that the package's models declare.
    """

    plugin: str | None
    folder: Path
    tables: frozenset[str]

    @property
    def name(self) -> str:
        return self.plugin or OURS

    @property
    def title(self) -> str:
        return f"The migrations of {self.name}"

    @property
    def version_table(self) -> str:
        return f"{PREFIX}{self.plugin}" if self.plugin else VERSIONS

    def config(self, connection: Connection | None = None, **attributes: Any) -> "Config":
        """Alembic's configuration for commands on this history. ``alembic/env.py`` uses its
        attributes, such as the connection."""
        from alembic.config import Config

        config = Config(
            cmd_opts=Namespace(quiet=True),
            attributes={"history": self, "connection": connection, **attributes},
        )
        for option, value in (
            ("script_location", str(scripts())),
            ("path_separator", "newline"),
            ("version_locations", str(self.folder)),
        ):
            # Alembic interpolates values as ConfigParser does, so each % has to be doubled.
            config.set_main_option(option, value.replace("%", "%%"))
        return config

    def script_directory(self) -> "ScriptDirectory":
        from alembic.script import ScriptDirectory

        return ScriptDirectory.from_config(self.config())

    def revisions(self) -> list[str]:
        """The ids of all migrations in this history, newest first."""
        with explained(self.title):
            return [each.revision for each in self.script_directory().walk_revisions()]

    def pending(self, connection: Connection) -> int:
        """How many migrations the database lacks.

        Raises MigrationError if the database has a revision that the package does not have.
        """
        found, revisions = {*current(connection, self.version_table)}, self.revisions()
        if not found <= {*revisions}:
            raise MigrationError(
                f"The database has a revision that the installed version of {self.name} lacks."
                " Install the version that has upgraded the database, or a later one."
            )
        return len([*takewhile(lambda each: each not in found, revisions)])


def current(connection: Connection, version_table: str) -> tuple[str, ...]:
    """The revisions in a version table; empty if there is no such table."""
    if not inspect(connection).has_table(version_table):
        return ()
    versions = table_of(version_table, column("version_num"))
    return tuple(connection.scalars(select(versions.c.version_num)))


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Context manager: convert errors of Alembic and PostgreSQL to a MigrationError whose message
    begins with `what`."""
    from alembic.util import CommandError

    try:
        yield
    except CommandError as error:
        raise MigrationError(f"{what}: {error}") from error
    except DBAPIError as error:
        raise MigrationError(f"{what}: {error.orig}") from error


def ours() -> History:
    """The history of core and the built-in plugins."""
    return histories(())[0]


def histories(plugins: Iterable[Plugin]) -> list[History]:
    """All histories: first the history of core and the built-in plugins, then the histories of
    third-party plugins. A plugin's history comes after those of the plugins that it requires.

    Raises MigrationError if a plugin has tables but no migrations, or a table that is not named
    after it.
    """
    import_models()
    foreign = [plugin for plugin in in_order(plugins) if not plugin.is_ours]
    declared: defaultdict[str, set[str]] = defaultdict(set)
    for table, module in modules_of_tables().items():
        if module.partition(".")[0] == OURS:
            declared[OURS].add(table)
        elif plugin := declaring(module, foreign):
            declared[plugin.name].add(table)
    found = [History(None, scripts() / "versions", frozenset(declared[OURS]))]
    for plugin in foreign:
        tables = declared[plugin.name]
        for table in tables:
            if not is_named_after(table, plugin.name):
                raise MigrationError(
                    f"The plugin {plugin.name} has a table {table}. The name of each of its tables"
                    f" must be {plugin.name}, or begin with {plugin.name}_."
                )
        if plugin.migrations is not None:
            found.append(History(plugin.name, Path(plugin.migrations), frozenset(tables)))
        elif tables:
            raise MigrationError(
                f"The plugin {plugin.name} has tables ({', '.join(sorted(tables))}) but no"
                " MIGRATIONS: its module must name the folder of its migrations."
            )
    return found


def is_named_after(table: str, plugin: str) -> bool:
    return f"{table}_".startswith(f"{plugin}_")


def left_behind(connection: Connection, plugins: Iterable[Plugin]) -> dict[str, set[str]]:
    """The tables of plugins that are no longer installed, by the plugins' names.

    `plugins` are the installed plugins. If the database has a version table of another plugin, that
    plugin is no longer installed. Its tables are those that no installed package declares, and that
    are named after it. The version table is not among them.
    """
    plugins = list(plugins)
    existing = {*inspect(connection).get_table_names()}
    undeclared = existing.difference(*(history.tables for history in histories(plugins)))
    found = {each.removeprefix(PREFIX) for each in existing if each.startswith(PREFIX)}
    return {
        name: {table for table in undeclared if is_named_after(table, name)}
        for name in sorted(found - {plugin.name for plugin in plugins})
    }
