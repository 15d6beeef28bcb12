"""The catalogue: the tasks, emails, flags, feeds, commands and so on that core and the enabled
plugins have registered.

Directives and decorators register these things while the application is being configured. The
*kind* of a thing is a class, such as Task. Two things of the same kind can't have the same name.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import venusian
from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

T = TypeVar("T")
# The function or class that a decorator registers.
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Assembled:
    """Event: core and all enabled plugins have been configured, and nothing runs yet. A subscriber
    that finds an inconsistency raises ConfigurationError."""

    registry: Any


class ApiAssembled(Assembled):
    """Event: like `Assembled`, in a process that has the endpoints."""


def plugin_of(name: str) -> str:
    """The plugin that a registered name belongs to: `name` itself, or the part before its dot."""
    return name.partition(".")[0]


class OwnName:
    """Base class of things that a third-party plugin may register only under names that begin with
    the name of the plugin, such as ``notes`` or ``notes.draw``.

    So the names of two plugins never clash. A name that is stored, such as in a database row, also
    shows which plugin it belongs to after the plugin was uninstalled.
    """


class Catalogue:
    def __init__(self) -> None:
        self._things: defaultdict[type[Any], dict[str, Any]] = defaultdict(dict)
        # The plugin that is being included; "" for core.
        self._plugin = ""
        self._is_ours = True

    def add(self, kind: type[T], name: str, thing: T) -> None:
        """Register a thing of this kind.

        Raises ConfigurationError if another thing of this kind has the name, or if `kind` is an
        OwnName and a third-party plugin registers a name that does not begin with its own.
        """
        own = self._is_ours or plugin_of(name) == self._plugin
        if issubclass(kind, OwnName) and not own:
            raise ConfigurationError(
                f"The plugin {self._plugin} registers a {kind.__name__} named {name!r}. The name"
                f" must be {self._plugin}, or begin with {self._plugin} and a dot."
            )
        if name in self._things[kind]:
            registrant = f"The plugin {self._plugin}" if self._plugin else "The service"
            raise ConfigurationError(
                f"{registrant} registers a {kind.__name__} named {name!r}, but there is one"
                " already."
            )
        self._things[kind][name] = thing

    @contextmanager
    def registered_by(self, plugin: str, *, is_ours: bool) -> Iterator[None]:
        """Context manager: everything added inside is registered by this plugin. If `is_ours`,
        the plugin is built in, and may use any name."""
        self._plugin, self._is_ours = plugin, is_ours
        try:
            yield
        finally:
            self._plugin, self._is_ours = "", True

    def __getitem__(self, kind: type[T]) -> dict[str, T]:
        """All things of a kind by name, in the order of registration."""
        return self._things[kind]

    def named(self, kind: type[T], name: str) -> T:
        """The thing of this kind that is registered under `name`.

        Raises LookupError if there is none. The message lists the names that the plugin has
        registered.
        """
        things = self[kind]
        if name not in things:
            plugin = plugin_of(name)
            known = [each for each in things if plugin_of(each) == plugin]
            raise LookupError(
                f"There is no {kind.__name__} named {name!r}. Registered by {plugin}:"
                f" {', '.join(known) or 'none. Is the plugin enabled?'}"
            )
        return things[name]

    def copy(self) -> "Catalogue":
        copied = Catalogue()
        for kind, things in self._things.items():
            copied._things[kind].update(things)
        return copied


def catalogue_of(config: Any) -> Catalogue:
    """The Catalogue of the application that a Configurator configures."""
    catalogue: Catalogue = config.registry.runtime.catalogue
    return catalogue


def when_scanned(thing: T, register: Callable[[Configurator], object]) -> T:
    """Call ``register(config)`` when a scan finds `thing` in its module, and return `thing`.

    Call this directly from a decorator, or from a method that creates `thing`: the scan looks for
    `thing` in the module that has called the decorator or method.
    """

    def found(scanner: Any, _name: str, _thing: Any) -> None:
        register(scanner.config)

    # `venusian.attach` would do the same, but also look up the caller's line in the source code.
    # Python searches all modules for it, which takes a twelfth of the time of a start.
    module = sys._getframe(2).f_globals["__name__"]  # noqa: SLF001  # as venusian finds it
    attached = getattr(thing, venusian.ATTACH_ATTR, None)
    if attached is None or not attached.attached_to(module, "", thing):
        attached = venusian.Categories(thing)
        setattr(thing, venusian.ATTACH_ATTR, attached)
    attached.setdefault("pyramid", []).append((found, module, "", "module"))
    return thing


def declaration(kind: type[T], name: str, make: Callable[[F], T]) -> Callable[[F], F]:
    """A decorator that declares a thing: a scan of the decorated function's module registers
    ``make(function)`` as a thing of this kind under `name`."""

    def decorate(function: F) -> F:
        return when_scanned(
            function, lambda config: catalogue_of(config).add(kind, name, make(function))
        )

    return decorate
