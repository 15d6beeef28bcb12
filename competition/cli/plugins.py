"""`competition plugin`."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

import click
from psycopg.errors import DependentObjectsStillExist, ForeignKeyViolation, LockNotAvailable
from pyramid.config import Configurator
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from competition.cli.database import connection
from competition.cli.ini import Ini, ini_argument
from competition.core.console import print_table
from competition.core.database import modules_of_tables
from competition.core.histories import migrations, removal
from competition.core.histories.history import History, MigrationError
from competition.core.plugins import (
    OURS,
    RESERVED,
    Plugin,
    core_sections,
    declaring,
    import_models,
    installed,
)
from competition.core.runtime import ServiceSettings
from competition.core.web.service import endpoints

# What `new` copies, with NAME and VERSION in it; the suffix hides it from tools that read code.
TEMPLATE = Path(__file__).with_name("plugin_template")
SUFFIX = ".template"
# Of a plugin that has models.
NO_MIGRATION = "none written"
NAME = r"[a-z][a-z0-9_]{0,23}"


@click.group()
def plugin() -> None:
    """The features: what is installed, what is on, and what was left behind."""


@plugin.command("list")
@ini_argument
def list_plugins(ini: Ini) -> None:
    """Every plugin: what brings it, what it brings, how far its tables are.

    Plugins that are not installed any more, and have tables in the database, come at the end.
    """
    available = installed()
    with ini.config() as config, connection(ini) as connected:
        on = {*config.registry.runtime.packages.values()}
        states = dict(_states(connected, available.values()))
        brought = _brought(config, available.values())
        left = migrations.left_behind(connected, available.values())
    print_table(
        ("name", "package", "state", "requires", "migrations", "brings"),
        [
            (
                name,
                each.package or None,
                name in on,
                ", ".join(each.requires) or None,
                states.get(name) or (NO_MIGRATION if brought[name]["table"] else None),
                ", ".join(_counted(count, kind) for kind, count in brought[name].items()) or None,
            )
            for name, each in available.items()
        ],
    )
    for name, record in left.items():
        tables = ", ".join(record.tables) or "none"
        click.echo(f"\n{name} ({record.package}) is gone, its tables are there: {tables}")


def _brought(config: Configurator, plugins: Iterable[Plugin]) -> dict[str, Counter[str]]:
    """How many endpoints, tables, tasks and so on each plugin registers, by plugin name."""
    plugins = list(plugins)
    catalogue = config.registry.runtime.catalogue
    kinds = {each.name: Counter[str]() for each in plugins}
    modules = [("endpoint", each.view.__module__) for each in endpoints(config.registry)]
    modules += [("table", module) for module in modules_of_tables().values()]
    for kind, module in modules:
        if found := declaring(module, plugins):
            kinds[found.name][kind] += 1
    for name, counted in kinds.items():
        counted.update(_words(kind) for kind in catalogue.kinds_of(name))
    return kinds


def _words(kind: type[Any]) -> str:
    """A class's name in words: ``PeriodicTask`` is a periodic task."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()


def _counted(count: int, kind: str) -> str:
    if count == 1:
        return f"1 {kind}"
    return f"{count} {kind[:-1]}ies" if kind.endswith("y") else f"{count} {kind}s"


def _states(connected: Connection, plugins: Iterable[Plugin]) -> Iterator[tuple[str, str]]:
    """What each plugin's history lacks in the database; ours have one history together."""
    plugins = list(plugins)
    our, *others = migrations.histories(plugins)
    state = _state(connected, our)
    yield from ((each.name, state) for each in plugins if each.is_ours)
    yield from ((each.name, _state(connected, each)) for each in others)


def _state(connected: Connection, history: History) -> str:
    try:
        pending = len(history.pending(connected))
    except MigrationError:
        return "unknown to its package"
    if pending:
        return f"{pending} pending"
    return NO_MIGRATION if history.tables and not history.revisions() else "up to date"


@plugin.command()
@click.argument("name")
@click.option(
    "--to",
    "file",
    type=click.Path(path_type=Path),
    help="Where its tables are kept; by default a new file here.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@ini_argument
def remove(name: str, file: Path | None, yes: bool, ini: Ini) -> None:
    """Take the tables of a plugin of another package out of the database, and what it left in those
    of the service: its jobs, mails, switched flags, aggregates, files and granted permissions.

    It has to be off, and may be uninstalled already. All is written to a file of SQL first, which
    psql reads.
    """
    available = installed()
    on = ini.settings()[ServiceSettings].plugins.split()
    with connection(ini) as connected:
        found = removal.find(connected, name, available, on)
        click.echo(f"{name} ({found.package}) has so many rows, by their tables:")
        for table, rows in found.rows(connected).items():
            click.echo(f"  {table}  {rows}")
        if not yes and click.prompt("They will be gone. Type the name of the plugin") != name:
            raise click.ClickException("That is another name: nothing was removed.")
        file = file or Path(f"{name}-{datetime.now(UTC):%Y%m%d-%H%M%S}.sql")
        try:
            with _new(file) as stream:
                removal.remove(connected, found, stream)
        except DBAPIError as error:
            raise _refusal(name, error) from None
    click.echo(f"{name} is removed. What there was of it is in {file.resolve()}.")


@plugin.command()
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="Where it is written; by default competition-NAME here.",
)
def new(name: str, folder: Path | None) -> None:
    """Write a package with a plugin to begin with: one of most things that a plugin brings.

    It has an endpoint with a table, a migration, an event that is heard, a task, a mail and tests.
    """
    if not re.fullmatch(NAME, name):
        raise click.BadParameter(
            "a plugin's name has small letters, digits and underscores, a letter first, and 24"
            " characters at most"
        )
    if name in installed():
        raise click.BadParameter(f"there is a plugin {name} already")
    if name in _words_of_the_service():
        raise click.BadParameter(
            f"the service has commands, settings or tables named {name} itself: take another name"
        )
    folder = folder or Path(f"competition-{name}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.ClickException(f"{folder} is there already, and not empty.")
    try:
        _write_package(name, folder)
    except OSError as error:
        raise click.ClickException(f"{folder} can't be written: {error.strerror}.") from None
    click.echo(f"{folder} is written. Its README.md says how to go on.")


def _words_of_the_service() -> set[str]:
    """What a plugin of that name would be in the way of."""
    import_models()
    service: Any = click.get_current_context().find_root().command
    settings = {section.prefix.partition(".")[2].partition(".")[0] for section in core_sections()}
    tables = {
        table.partition("_")[0]
        for table, module in modules_of_tables().items()
        if declaring(module, installed().values()) is None
    }
    return {*service.commands, *settings, *tables, *RESERVED}


def _write_package(name: str, folder: Path) -> None:
    for source in sorted(TEMPLATE.rglob(f"*{SUFFIX}")):
        place = str(source.relative_to(TEMPLATE)).removesuffix(SUFFIX)
        target = folder / place.replace("NAME", name)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text().replace("NAME", name).replace("VERSION", version(OURS))
        target.write_text(text.replace("END", _end(version(OURS))))


def _end(made_on: str) -> str:
    """The first version that what was made on this one may not run with: two minor ones on."""
    major, minor, *_ = made_on.split(".")
    return f"{major}.{int(minor) + 2}"


@contextmanager
def _new(file: Path) -> Iterator[IO[bytes]]:
    """Open a new file for the owner alone, on the disk in the end; none is left if something
    fails."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise click.ClickException(f"{file} can't be written: {error.strerror}.") from None
    try:
        with open(descriptor, "wb") as stream:
            yield stream
    except BaseException:
        file.unlink()
        raise


def _refusal(name: str, error: DBAPIError) -> click.ClickException:
    if isinstance(error.orig, DependentObjectsStillExist | ForeignKeyViolation):
        detail = " ".join((error.orig.diag.message_detail or "").splitlines())
        return click.ClickException(f"Something else needs the tables of {name}: {detail}")
    if isinstance(error.orig, LockNotAvailable):
        return click.ClickException(
            f"The tables of {name} are in use: restart the processes that had it on."
        )
    return click.ClickException(f"{name} was not removed: {error.orig}")
