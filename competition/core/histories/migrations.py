"""Bringing a database up to date: by our own history of migrations, then by that of each plugin of
another package."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.script import Script
from sqlalchemy import Connection, inspect, select
from sqlalchemy import table as table_of

from alembic import command
from competition.core.database import modules_of_tables
from competition.core.histories.history import (
    VERSIONS,
    History,
    MigrationError,
    Record,
    adopt,
    config_of,
    explained,
    held,
    recorded,
    scripts,
    version_table,
)
from competition.core.histories.source import tidied
from competition.core.plugins import OURS, Plugin, declaring, import_models, in_order

# A name in PostgreSQL has 63 characters; that of the table's key is the longest.
LONGEST_NAME = 63 - len(f"{VERSIONS}__pkc")


def ours() -> History:
    return histories(())[0]


def histories(plugins: Iterable[Plugin]) -> list[History]:
    """All histories: ours, then those of plugins of other packages, each after what it requires.

    Raises MigrationError for a plugin with tables and no migrations, or with names of others'.
    """
    import_models()
    foreign = [plugin for plugin in in_order(plugins) if not plugin.is_ours]
    declared: dict[str, set[str]] = {plugin.name: set() for plugin in foreign}
    our_tables = set()
    for table, module in modules_of_tables().items():
        if module.partition(".")[0] == OURS:
            our_tables.add(table)
        elif plugin := declaring(module, foreign):
            declared[plugin.name].add(table)
    _check_names(declared)
    found = [History(None, OURS, scripts() / "versions", frozenset(our_tables))]
    for plugin in foreign:
        tables = frozenset(declared[plugin.name])
        if plugin.migrations is not None:
            found.append(_history(plugin, plugin.migrations, tables))
        elif tables:
            raise MigrationError(
                f"The plugin {plugin.name} has tables ({', '.join(sorted(tables))}) and no"
                " MIGRATIONS: its module has to name the folder of its migrations."
            )
    return found


def _check_names(declared: Mapping[str, Collection[str]]) -> None:
    """Of plugins of other packages: two of them may have a table of one name."""
    for plugin, tables in declared.items():
        strange = sorted(each for each in tables if not f"{each}_".startswith(f"{plugin}_"))
        if strange:
            raise MigrationError(
                f"The plugin {plugin} has a table {strange[0]}: the name of each of its tables has"
                f" to be {plugin}, or to begin with {plugin}_."
            )


def _history(plugin: Plugin, folder: Path, tables: frozenset[str]) -> History:
    if len(plugin.name.encode()) > LONGEST_NAME:
        raise MigrationError(
            f"The plugin {plugin.name} has migrations, and a name of more than {LONGEST_NAME}"
            " characters: none of its version table can have them all."
        )
    return History(plugin.name, plugin.package or plugin.name, Path(folder), tables)


def configuration(connection: Connection, history: History | None = None) -> Config:
    """Alembic's configuration for commands on one history; ours by default."""
    config = config_of(history or ours())
    config.attributes["connection"] = connection
    return config


def upgrade(
    connection: Connection,
    plugins: Iterable[Plugin] = (),
    waiting: Callable[[], None] = lambda: None,
    ran: Callable[[str, str], None] = lambda revision, what: None,
) -> None:
    """Run what the database lacks, of our own history and of these plugins'; `ran` hears of each
    migration.

    Two at once are one: the second is `waiting`, and finds nothing to do. Raises MigrationError.
    """
    found = histories(plugins)
    with held(connection, waiting):
        adopt(connection, found)
        for history in found:
            _check_files(history)
            with explained(history):
                config = configuration(connection, history)
                config.attributes["ran"] = ran
                command.upgrade(config, "heads")


def check(connection: Connection, plugins: Iterable[Plugin] = ()) -> None:
    """Compare the tables of each history with its models. Raises MigrationError, with all
    differences."""
    problems = []
    for history in histories(plugins):
        _check_files(history)
        try:
            with explained(history):
                command.check(configuration(connection, history))
        except MigrationError as error:
            problems.append(str(error))
    if problems:
        raise MigrationError("\n".join(problems))


def revise(connection: Connection, history: History, message: str, empty: bool = False) -> Path:
    """Write a migration that makes the tables what the models say; returns its file.

    The first one of a plugin begins its history. Raises MigrationError, also when there is nothing
    to do.
    """
    history.folder.mkdir(parents=True, exist_ok=True)
    number = len(history.revisions()) + 1
    # A version table has room for 32 characters.
    revision = f"{history.plugin[:27]}_{number:04}" if history.plugin else f"{number:04}"
    is_first = history.plugin is not None and number == 1

    def keep(context: Any, heads: Any, directives: list[Any]) -> None:
        if not empty and directives[0].upgrade_ops.is_empty():
            directives.clear()

    with explained(history):
        script = command.revision(
            configuration(connection, history),
            message,
            autogenerate=not empty,
            rev_id=revision,
            branch_label=history.plugin if is_first else None,
            version_path=str(history.folder),
            process_revision_directives=keep,
        )
    if not isinstance(script, Script):
        raise MigrationError(
            f"The tables of {history.name} are what its models say: there is nothing to migrate."
            " --empty writes a migration all the same."
        )
    path = Path(script.path)
    path.write_text(tidied(path.read_text(), is_ours=history.plugin is None))
    return path


def _check_files(history: History) -> None:
    if not history.folder.is_dir():
        raise MigrationError(
            f"The plugin {history.name} has its migrations in {history.folder}, which is not"
            " there. Are they packed with it? The first one is made by `competition db revision"
            f" {history.name}`."
        )
    history.revisions()


def passed_over(
    connection: Connection, plugins: Iterable[Plugin], on: Collection[str]
) -> dict[str, list[str]]:
    """The tables with rows of plugins that are off or not even installed, by the plugins' names:
    nobody asks these plugins what they hold about people."""
    import_models()
    plugins = list(plugins)
    tables: defaultdict[str, set[str]] = defaultdict(set)
    for table, module in modules_of_tables().items():
        if plugin := declaring(module, plugins):
            tables[plugin.name].add(table)
    existing = {*inspect(connection).get_table_names()}
    for name in existing:
        if name.startswith(f"{VERSIONS}_"):
            tables[name.removeprefix(f"{VERSIONS}_")].update(recorded(connection, name).tables)
    found = {
        name: [each for each in sorted(tables[name] & existing) if _has_rows(connection, each)]
        for name in sorted({*tables} - {*on})
    }
    return {name: each for name, each in found.items() if each}


def _has_rows(connection: Connection, name: str) -> bool:
    return bool(connection.scalar(select(select(1).select_from(table_of(name)).exists())))


def left_behind(connection: Connection, plugins: Iterable[Plugin]) -> dict[str, Record]:
    """What plugins that are not installed left in the database, by their names."""
    here = {each.name for each in plugins if each.migrations is not None}
    names = [
        table.removeprefix(f"{VERSIONS}_")
        for table in inspect(connection).get_table_names()
        if table.startswith(f"{VERSIONS}_")
    ]
    return {name: recorded(connection, version_table(name)) for name in sorted({*names} - here)}
