"""Declare commands of the command line in plugins, and print tables."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from competition.core.catalogue import catalogue_of, when_scanned

Command = TypeVar("Command", bound=Callable[..., Any])
Declared = TypeVar("Declared", bound=click.Command)

# The key in ``click.Context.meta`` for the path of the ini file, which enables plugins and so their
# commands.
INI = "competition.ini"


def print_table(titles: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows as a table. Times have to be in UTC, and are shown without a time zone. None is
    shown as "-", and a boolean as "on" or "off"."""
    texts = [tuple(titles), *(tuple(map(_text, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return str(value)


def takes_ini(command: Command) -> Command:
    """Add the optional last argument INI to a plugin's command. Core's commands have the same
    argument.

    The function does not receive the argument: ``click.Context.obj`` is a Runtime with the settings
    of that file.
    """
    argument = click.argument(
        "ini",
        required=False,
        type=click.Path(path_type=Path),
        callback=_is_in_use,
        expose_value=False,
        metavar="[INI]",
    )
    return argument(command)


def _is_in_use(context: click.Context, parameter: click.Parameter, path: Path | None) -> None:
    if path is not None and context.meta.get(INI) != path:
        raise click.BadParameter(
            f"{path} is not an ini file. It must exist, and its name must end with .ini."
        )


def command(declared: Declared) -> Declared:
    """Declare a command of the command line. A scan of its module finds it.

        @command
        @click.command("notes")
        @takes_ini
        @click.pass_obj
        def notes(runtime: Runtime) -> None: ...

    ``click.Context.obj`` is the process's Runtime.
    """
    return when_scanned(
        declared,
        lambda config: catalogue_of(config).add(click.Command, str(declared.name), declared),
    )
