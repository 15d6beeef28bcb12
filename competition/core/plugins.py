"""The loader: entry points find the plugins, the ini file switches them on.

A plugin is a package, or one module, with an ``includeme(config)``. It may also have ``REQUIRES``
(names of plugins), ``SETTINGS`` (its section) and ``MIGRATIONS`` (the folder of a branch of its
own).
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pyramid_tm
from pyramid.config import Configurator

from competition.core import examples, flags, realtime
from competition.core.auth.tokens import TokenSettings
from competition.core.cors import CorsSettings
from competition.core.db import DatabaseSettings
from competition.core.housekeeping import HousekeepingSettings
from competition.core.jobs import JobSettings
from competition.core.keyring import SigningSettings
from competition.core.metrics import MetricsSettings
from competition.core.outbox import MailSettings
from competition.core.realtime import SocketSettings
from competition.core.request import LARGEST_JSON
from competition.core.runtime import (
    API_PREFIX,
    RedisSettings,
    Runtime,
    ServerSettings,
    ServiceSettings,
)
from competition.core.settings import Settings, SettingsError, overlay, read
from competition.core.storage import StorageSettings
from competition.core.throttle import RateLimitSettings

GROUP = "competition.plugins"
CORE_SECTIONS: tuple[type[Any], ...] = (
    ServiceSettings,
    ServerSettings,
    SigningSettings,
    DatabaseSettings,
    RedisSettings,
    TokenSettings,
    JobSettings,
    MailSettings,
    StorageSettings,
    RateLimitSettings,
    CorsSettings,
    HousekeepingSettings,
    SocketSettings,
    MetricsSettings,
)


@dataclass(frozen=True)
class Plugin:
    name: str
    module: ModuleType

    @property
    def requires(self) -> tuple[str, ...]:
        return tuple(getattr(self.module, "REQUIRES", ()))

    @property
    def section(self) -> type[Any] | None:
        return getattr(self.module, "SETTINGS", None)

    @property
    def migrations(self) -> Path | None:
        """The folder of its own branch; ours share one history."""
        return getattr(self.module, "MIGRATIONS", None)


def installed() -> dict[str, Plugin]:
    """Every plugin there is, on or off, by name. Raises SettingsError."""
    # By name and value: a checkout on the path may be seen beside its installation.
    found = sorted({(each.name, each.value): each for each in entry_points(group=GROUP)}.items())
    plugins: dict[str, Plugin] = {}
    for (name, _), entry_point in found:
        if name in plugins:
            raise SettingsError([f"there are two plugins named {name}: uninstall one of them"])
        try:
            plugins[name] = Plugin(name, entry_point.load())
        except ImportError as error:
            raise SettingsError([f"the plugin {name} can't be loaded: {error}"]) from error
    return plugins


def import_models() -> None:
    """The tables of every installed plugin, on or off, are in the metadata after this."""
    for plugin in installed().values():
        name = f"{plugin.module.__name__}.models"
        # A plugin may be one module.
        if hasattr(plugin.module, "__path__") and find_spec(name):
            import_module(name)


def switched_on(names: Iterable[str], available: Mapping[str, Plugin]) -> list[Plugin]:
    """In an order in which each comes after what it requires.

    Raises SettingsError for an unknown name, for a requirement that is off and for a circle.
    """
    names = list(dict.fromkeys(names))
    problems = [
        f"competition.plugins: there is no plugin {name!r}; there are {', '.join(available)}"
        for name in names
        if name not in available
    ]
    problems += [
        f"competition.plugins: {name} requires {required}, which is not switched on"
        for name in names
        if name in available
        for required in available[name].requires
        if required not in names
    ]
    if problems:
        raise SettingsError(problems)
    ordered: list[Plugin] = []

    def place(name: str, requiring: tuple[str, ...] = ()) -> None:
        if name in requiring:
            circle = " requires ".join((*requiring[requiring.index(name) :], name))
            raise SettingsError([f"competition.plugins: {circle}"])
        plugin = available[name]
        for required in plugin.requires:
            place(required, (*requiring, name))
        if plugin not in ordered:
            ordered.append(plugin)

    for name in names:
        place(name)
    return ordered


def load_settings(raw: Mapping[str, Any]) -> tuple[Settings, list[Plugin]]:
    """Raises SettingsError."""
    available = installed()
    sections = [plugin.section for plugin in available.values() if plugin.section]
    texts = overlay([*CORE_SECTIONS, *sections], raw, os.environ)
    plugins = switched_on(texts.get("competition.plugins", "").split(), available)
    on = [plugin.section for plugin in plugins if plugin.section]
    return read([*CORE_SECTIONS, *on], texts), plugins


def build(raw: Mapping[str, Any], prepare: Callable[[Runtime], None] | None = None) -> Configurator:
    """Core and the plugins that are on, committed; ``registry.runtime`` is the process's Runtime.

    `prepare` sees the runtime before anything is included. Raises SettingsError.
    """
    settings, plugins = load_settings(raw)
    runtime = Runtime(settings)
    if prepare is not None:
        prepare(runtime)
    pyramid_settings = {
        "tm.manager_hook": pyramid_tm.explicit_manager,
        "tm.commit_veto": pyramid_tm.default_commit_veto,
        # The security policy answers in the view, where its errors are rendered.
        "tm.annotate_user": False,
        "retry.activate_hook": retry_attempts,
    }
    config = Configurator(settings=pyramid_settings)
    config.registry.runtime = runtime
    runtime.packages = {plugin.module.__name__: plugin.name for plugin in plugins}
    config.add_directive("add_flag", flags.add_flag)
    config.add_directive("add_examples", examples.add_examples)
    config.add_directive("add_socket_action", realtime.add_socket_action)
    config.add_directive("add_feed", realtime.add_feed)
    for part in ("pyramid_tm", "pyramid_retry", "competition.core"):
        config.include(part)
    config.include("competition.core.files", route_prefix=API_PREFIX)
    for plugin in plugins:
        config.include(plugin.module, route_prefix=API_PREFIX)
    config.commit()
    return config


def retry_attempts(request: Any) -> int:
    """Only a body that may be held in memory can be sent through the service again."""
    if request.content_type == "multipart/form-data":
        return 1
    try:
        if request.content_length is None:
            # Sent in chunks: as much as shows that it is too large.
            request.body = request.body_file.read(LARGEST_JSON + 1)
        if request.content_length > LARGEST_JSON:
            return 1
        request.make_body_seekable()
    except OSError:
        # The client stopped before the end that it announced: whoever reads the body will say so.
        return 1
    return 3
