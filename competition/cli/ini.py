"""The INI argument of the commands, and the objects that they build from the ini file."""

import configparser
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from pyramid.config import Configurator
from pyramid.paster import get_appsettings, setup_logging

from competition.core.plugins import build, load_settings
from competition.core.runtime import Runtime
from competition.core.settings import Settings, SettingsError
from competition.core.work import Work, begin

VARIABLE = "COMPETITION_INI"
DEFAULT = Path("development.ini")
# The scheme of URIs that names the package which reads ini files. Without it, plaster searches all
# installed packages for such a package, which takes a tenth of a second.
SCHEME = "plaster-pastedeploy+file+ini"

Command = TypeVar("Command", bound=Callable[..., Any])


class Ini:
    """The ini file that describes a service, and the objects that commands build from it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._uri = f"{SCHEME}:{path}"

    def raw(self) -> dict[str, Any]:
        """The settings of the file, as strings. Raises SettingsError if it can't be read."""
        if not self.path.is_file():
            raise SettingsError([f"{self.path}: this file does not exist"])
        try:
            settings: dict[str, Any] = get_appsettings(self._uri)
        except (LookupError, configparser.Error) as error:
            raise SettingsError([f"{self.path}: {error}"]) from None
        return settings

    def set_up_logging(self) -> None:
        """Configure logging as the file says."""
        setup_logging(self._uri)

    def settings(self) -> Settings:
        """The parsed settings. Raises SettingsError if one is missing or wrong."""
        settings, _ = load_settings(self.raw())
        return settings

    @contextmanager
    def config(self, *, has_endpoints: bool) -> Iterator[Configurator]:
        """Context manager: a Configurator that has configured core and the enabled plugins, with
        their endpoints only if `has_endpoints` is true. Its Runtime is closed at the end.

        Raises SettingsError if a setting is missing or wrong.
        """
        config = build(self.raw(), has_endpoints=has_endpoints)
        try:
            yield config
        finally:
            config.registry.runtime.close()

    @contextmanager
    def runtime(self) -> Iterator[Runtime]:
        """Context manager: the Runtime of the application, which this builds without endpoints.

        Raises SettingsError if a setting is missing or wrong.
        """
        with self.config(has_endpoints=False) as config:
            yield config.registry.runtime

    @contextmanager
    def work(self) -> Iterator[Work]:
        """Context manager: build the application, and begin a Work with one transaction.

        Raises SettingsError if a setting is missing or wrong.
        """
        with self.runtime() as runtime, begin(runtime) as work:
            yield work


def default_ini(default: Path = DEFAULT) -> Ini | None:
    """The ini file for a command without the argument INI: the file that the variable
    COMPETITION_INI names, otherwise `default` if this file exists, otherwise None."""
    if path := os.environ.get(VARIABLE):
        return Ini(Path(path))
    return Ini(default) if default.exists() else None


def ini_argument_or(default: Path) -> Callable[[Command], Command]:
    """A decorator that adds the last argument `ini`, an Ini, to a command.

    Without the argument, the command uses the variable COMPETITION_INI or, if this is not set, the
    file `default` in the current folder.
    """

    def read(context: click.Context, parameter: click.Parameter, path: Path | None) -> Ini:
        ini = Ini(path) if path else default_ini(default)
        if ini is None:
            raise click.UsageError(
                f"Name the service's ini file: as the argument INI, or in the variable {VARIABLE}."
            )
        return ini

    return click.argument(
        "ini", required=False, type=click.Path(path_type=Path), callback=read, metavar="[INI]"
    )


# The argument INI of the commands that use the common default file.
ini_argument = ini_argument_or(DEFAULT)
