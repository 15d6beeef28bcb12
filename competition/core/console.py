"""The command line: commands that plugins bring to it, and tables on a terminal."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click
from pyramid.config import Configurator

from competition.core.catalogue import catalogue_of


def print_table(titles: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Columns as wide as they have to be; times in UTC."""
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


def add_command(config: Configurator, command: click.Command) -> None:
    """Configuration directive ``config.add_command``; the command finds the process's Runtime in
    ``click.Context.obj``."""
    catalogue_of(config).add(click.Command, str(command.name), command)


def includeme(config: Configurator) -> None:
    config.add_directive("add_command", add_command)
