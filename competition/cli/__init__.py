"""The command `competition`, for operators and developers of a service."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.exceptions import Exit
from psycopg.errors import UndefinedColumn, UndefinedTable
from sqlalchemy.exc import OperationalError, ProgrammingError

from competition.cli.extension import OpenGroup, commands_of_plugins, explained
from competition.cli.ini import VARIABLE
from competition.collector import collect_seldom
from competition.core.commands import INI

# The modules of `competition.cli` that have the commands of core.
MODULES = {
    "api": "processes",
    "api-key": "keys",
    "audit": "audit",
    "db": "database",
    "doctor": "doctor",
    "flags": "operations",
    "jobs": "operations",
    "mail": "mails",
    "plugin": "plugins",
    "rehearse": "rehearse",
    "routes": "operations",
    "services": "processes",
    "superadmin": "accounts",
    "up": "up",
    "user": "accounts",
    "worker": "processes",
    "ws": "processes",
}


class CoreCommands(Mapping[str, click.Command]):
    """The commands of core, by name.

    The module of a command is imported when the command is used, because each module imports
    libraries that the other commands don't need.
    """

    def __getitem__(self, name: str) -> click.Command:
        module = import_module(f"competition.cli.{MODULES[name]}")
        command: click.Command = getattr(module, name.replace("-", "_"))
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


class Commands(OpenGroup):
    """The commands of the service, and of the plugins that the ini file enables.

    The ini file is one of the arguments, or the default file. A plugin's command finds the Runtime
    of the process in ``click.Context.obj``.
    """

    def added(self, ctx: click.Context) -> dict[str, click.Command]:
        found = commands_of_plugins(ctx)
        return {name: command for name, command in found.items() if " " not in name}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        ctx.meta[INI] = _ini_among(args[1:])
        if self.get_command(ctx, args[0]) is None and ctx.obj is None:
            ctx.fail(
                f"No such command {args[0]!r}. If it is a plugin's command, name the service's ini"
                f" file: as the last argument, or in the variable {VARIABLE}."
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.Abort, Exit):
            raise
        except OperationalError as error:
            raise click.ClickException(
                f"The database can't be reached: {error.orig}\nThe embedded database runs only"
                " while `competition up` or `competition services` runs."
            ) from None
        except ProgrammingError as error:
            if not isinstance(error.orig, UndefinedTable | UndefinedColumn):
                raise
            raise click.ClickException(
                "A table or a column is missing in the database. Run `competition db upgrade`."
            ) from None
        except explained() as error:
            raise click.ClickException(str(error)) from None


def _ini_among(words: Iterable[str]) -> Path | None:
    """The last argument that is the path of an ini file, or None."""
    paths = [Path(word) for word in words if word.endswith(".ini")]
    return next((path for path in reversed(paths) if path.is_file()), None)


@click.group(cls=Commands, commands=CoreCommands())
def main() -> None:
    """Run and operate the service that an ini file describes.

    INI is the path of that file. The default is the path in the variable COMPETITION_INI, or
    development.ini in the current folder.
    """
    collect_seldom()
