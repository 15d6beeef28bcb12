"""The command `competition plugin`: list, create and remove plugins."""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Connection

from competition.cli import removal
from competition.cli.database import connection
from competition.cli.ini import Ini, ini_argument
from competition.core.commands import print_table
from competition.core.database import modules_of_tables
from competition.core.histories.history import History, MigrationError, histories, left_behind
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

# The files that `new` copies, replacing NAME, VERSION and END. Their suffix hides them from tools
# that read Python code.
TEMPLATE = Path(__file__).with_name("plugin_template")
SUFFIX = ".template"
NAME = r"[a-z][a-z0-9_]{0,23}"


@click.group()
def plugin() -> None:
    """List, create and remove plugins."""


@plugin.command("list")
@ini_argument
def list_plugins(ini: Ini) -> None:
    """List the plugins and the state of their migrations.

    Plugins that are no longer installed, and still have tables in the database, come last.
    """
    available = installed()
    on = ini.settings()[ServiceSettings].plugins.split()
    with connection(ini) as connected:
        states = dict(_states(connected, available.values()))
        left = left_behind(connected, available.values())
    print_table(
        ("name", "package", "state", "requires", "migrations"),
        [
            (
                name,
                each.package or None,
                name in on,
                ", ".join(each.requires) or None,
                states.get(name),
            )
            for name, each in available.items()
        ],
    )
    for name, tables in left.items():
        click.echo(f"\n{name} is not installed. Its tables: {', '.join(sorted(tables)) or 'none'}")


def _states(connected: Connection, plugins: Iterable[Plugin]) -> Iterator[tuple[str, str]]:
    """The name of each plugin with the state of its migrations, such as "up to date". All built-in
    plugins have the same state, because they share one history. Other plugins without migrations
    are left out."""
    plugins = list(plugins)
    ours, *others = histories(plugins)
    state = _state(connected, ours)
    yield from ((each.name, state) for each in plugins if each.is_ours)
    yield from ((each.name, _state(connected, each)) for each in others)


def _state(connected: Connection, history: History) -> str:
    try:
        pending = history.pending(connected)
    except MigrationError:
        return "unknown to its package"
    if pending:
        return f"{pending} pending"
    return "none written" if history.tables and not history.revisions() else "up to date"


@plugin.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@ini_argument
def remove(name: str, yes: bool, ini: Ini) -> None:
    """Delete everything that a third-party plugin has in the database.

    The command undoes the plugin's migrations, and deletes its jobs, emails, flags, aggregates,
    files and granted permissions. The plugin must be installed and disabled. Make a backup first.
    """
    history = removal.find(name, installed(), ini.settings()[ServiceSettings].plugins.split())
    tables = ", ".join(sorted(history.tables)) if history else ""
    click.echo(f"Tables of {name} that will be deleted: {tables or 'none'}")
    if not yes and click.prompt("To delete them, type the name of the plugin") != name:
        raise click.ClickException(
            "The name does not match. Nothing was removed. Run the command again."
        )
    with connection(ini) as connected:
        counted = removal.remove(connected, name, history)
    click.echo(f"{name} is removed. Deleted rows in tables of the service:")
    for table, count in counted.items():
        click.echo(f"  {table}  {count}")


@plugin.command()
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="The folder for the package; by default competition-NAME in the current folder.",
)
def new(name: str, folder: Path | None) -> None:
    """Create a package with a small plugin to start from.

    It has endpoints, a table, a migration, an event and its subscriber, a task, an email, and
    tests.
    """
    if not re.fullmatch(NAME, name):
        raise click.BadParameter(
            "a plugin's name consists of small letters, digits and underscores, begins with a"
            " letter, and has at most 24 characters"
        )
    if name in installed():
        raise click.BadParameter(f"there is already a plugin {name}")
    if name in _words_of_the_service():
        raise click.BadParameter(
            f"the service has commands, settings or tables named {name}: choose another name"
        )
    folder = folder or Path(f"competition-{name}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.ClickException(f"{folder} exists already, and is not empty. Use --folder.")
    try:
        _write_package(name, folder)
    except OSError as error:
        raise click.ClickException(f"{folder} can't be written: {error.strerror}.") from None
    click.echo(f"Created {folder}. Its README.md explains the next steps.")


def _words_of_the_service() -> set[str]:
    """The names that a plugin can't have: reserved names, and those of commands, of sections of
    settings and of tables."""
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
    """The first version of the service that may be incompatible with a plugin for version
    `made_on`: two minor versions later."""
    major, minor, *_ = made_on.split(".")
    return f"{major}.{int(minor) + 2}"
