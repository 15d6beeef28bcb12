"""What core and the plugins that are on brought to a process: tasks, mails, flags, feeds, commands.

It is filled by the directives and declarations of each kind while the application is put together,
and read by whoever runs them. A kind is a class; its things have names, each of them once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import venusian
from pyramid.exceptions import ConfigurationError

T = TypeVar("T")


@dataclass(frozen=True)
class Assembled:
    """Told once when core and all plugins that are on have brought what they have, and nothing runs
    yet. Whoever finds that something does not fit together raises ConfigurationError."""

    registry: Any


class OwnName:
    """A kind whose things are named after their plugin, where that is of another package: ``notes``
    or ``notes.draw``. Two plugins are never in each other's way; and what is kept of a name, in
    a row or a key, says whose it is when the plugin is gone."""


class Catalogue:
    def __init__(self) -> None:
        self._things: defaultdict[type[Any], dict[str, Any]] = defaultdict(dict)
        self._bringing = ""
        self._is_ours = True

    def add(self, kind: type[T], name: str, thing: T) -> None:
        """Raises ConfigurationError when there is one of this kind and name, or it is a name that
        the plugin may not give."""
        own = self._is_ours or f"{name}.".startswith(f"{self._bringing}.")
        if issubclass(kind, OwnName) and not own:
            raise ConfigurationError(
                f"The plugin {self._bringing} brings a {kind.__name__} named {name!r}: the name has"
                f" to be {self._bringing}, or to begin with {self._bringing} and a dot."
            )
        if name in self._things[kind]:
            raise ConfigurationError(
                f"{self.bringing} brings a {kind.__name__} named {name!r}: there is one already."
            )
        self._things[kind][name] = thing

    @contextmanager
    def brought_by(self, plugin: str, *, is_ours: bool) -> Iterator[None]:
        """Context: what is added meanwhile is registered by this plugin."""
        self._bringing, self._is_ours = plugin, is_ours
        try:
            yield
        finally:
            self._bringing, self._is_ours = "", True

    @property
    def bringing(self) -> str:
        """Who brings something now, as an error names it."""
        return f"The plugin {self._bringing}" if self._bringing else "The service"

    def __getitem__(self, kind: type[T]) -> dict[str, T]:
        """What is registered of a kind, by name, in the order of registration."""
        return self._things[kind]

    def named(self, kind: type[T], name: str) -> T:
        """Raises LookupError."""
        things = self[kind]
        if name not in things:
            plugin = name.partition(".")[0]
            known = [each for each in things if each.partition(".")[0] == plugin]
            raise LookupError(
                f"There is no {kind.__name__} named {name!r}. Of {plugin} there are:"
                f" {', '.join(known) or 'none; is the plugin on?'}"
            )
        return things[name]

    def copy(self) -> "Catalogue":
        """A Catalogue of its own with the same contents."""
        copied = Catalogue()
        for kind, things in self._things.items():
            copied._things[kind].update(things)
        return copied


def catalogue_of(config: Any) -> Catalogue:
    """The Catalogue of the application that a Configurator, or a scan's ``scanner.config``,
    builds."""
    catalogue: Catalogue = config.registry.runtime.catalogue
    return catalogue


def declare(function: object, kind: type[T], name: str, thing: Callable[[], T]) -> None:
    """Have a scan of the function's module add what `thing` makes. For decorators."""

    def register(scanner: Any, _name: str, _function: Any) -> None:
        catalogue_of(scanner.config).add(kind, name, thing())

    # The module is found by its frame: beyond this function and the decorator.
    venusian.attach(function, register, category="pyramid", depth=2)
