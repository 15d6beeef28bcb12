"""Load the plugins: entry points make them available, and the ini file enables them.

A plugin is a package, or a single module, with an ``includeme(config)``. It may also have
``REQUIRES`` (names of plugins) and ``SETTINGS`` (its section, or a tuple of sections). A
third-party plugin may have ``MIGRATIONS`` (the folder of its own migrations).
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.metadata import Distribution, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pyramid_tm
from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

from competition.core import renamed
from competition.core.catalogue import ApiAssembled, Assembled
from competition.core.messages import add_translations
from competition.core.runtime import Runtime
from competition.core.settings import NAMESPACE, Settings, SettingsError, overlay, read
from competition.core.startup import refuse_what_is_not_for_production

GROUP = "competition.plugins"
# The package of the built-in plugins.
OURS = "competition"
# Names that a new plugin can't have: names that the service uses itself, and those of former
# plugins.
RESERVED = (OURS, "core", *renamed.PLUGINS)
# The *parts* of core: its modules that are included, in this order. Like a plugin, a part may have
# SETTINGS and an includeme. When all parts have been included, each is scanned for decorators.
CORE = (
    "errors",
    "web.failures",
    "web.responses",
    "web.request",
    "web.service",
    "web.health",
    "runtime",
    "database",
    "histories.readiness",
    "auth.keyring",
    "monitoring.metrics",
    "monitoring.traces",
    "flags",
    "auth.access",
    "auth.tokens",
    "users.networks",
    "users.callers",
    "users.schools",
    "users.sessions",
    "jobs.doorbell",
    "jobs.lanes",
    "jobs.tasks",
    "jobs.housekeeping",
    "jobs.aggregates",
    "job_control",
    "audit.chain",
    "users.personal_data",
    "mail.transport",
    "mail.mails",
    "mail.sending",
    "storage.backends",
    "storage.content_types",
    "storage.orphans",
    "push.sockets",
    "repeats",
    "days",
    "limits.counters",
    "web.bodies",
    "web.importing",
    "web.counting",
    "examples",
    "exports",
    "web.cors",
    # These come last, because their tweens wrap the tweens of all modules above.
    "web.headers",
    "web.downloads",
    "web.html",
    "web.policy",
)
# Finds the names of a plugin's modules that only processes with endpoints need.
OF_REQUESTS = re.compile(r"\.(views|schemas|presenters)(\.|$)").search


@dataclass(frozen=True)
class Plugin:
    """An installed plugin, enabled or not."""

    name: str
    module: ModuleType
    distribution: Distribution | None = None

    @property
    def package(self) -> str:
        """The distribution that contains the plugin, such as ``league-certificates 1.2``; "" if
        there is none. Computed on demand, because reading a distribution's metadata is slow."""
        found = self.distribution
        return f"{found.name} {found.version}" if found else ""

    @property
    def is_ours(self) -> bool:
        """Whether the plugin is built in. The tables of built-in plugins share one history of
        migrations."""
        return _top(self.module.__name__) == OURS

    @property
    def requires(self) -> tuple[str, ...]:
        return tuple(getattr(self.module, "REQUIRES", ()))

    @property
    def sections(self) -> tuple[type[Any], ...]:
        return sections_of(self.module)

    @property
    def migrations(self) -> Path | None:
        """The folder of the plugin's own migrations; None if it has none, like all built-in
        plugins."""
        return getattr(self.module, "MIGRATIONS", None)


def sections_of(module: ModuleType) -> tuple[type[Any], ...]:
    """A module's SETTINGS as a tuple: none, one section, or several."""
    settings = getattr(module, "SETTINGS", ())
    return settings if isinstance(settings, tuple) else (settings,)


def core_parts() -> list[ModuleType]:
    """Import the modules in `CORE`, and return them in the same order. They import all other
    modules of core that declare tables."""
    return [import_module(f"competition.core.{part}") for part in CORE]


def core_sections() -> list[type[Any]]:
    return [section for part in core_parts() for section in sections_of(part)]


def installed() -> dict[str, Plugin]:
    """Every installed plugin, enabled or not, by name.

    Raises SettingsError if two plugins have the same name, or one can't be imported.
    """
    # By name and value, because an entry point may be found twice if a checkout is on the path.
    found = sorted({(each.name, each.value): each for each in entry_points(group=GROUP)}.items())
    plugins: dict[str, Plugin] = {}
    for (name, _), entry_point in found:
        if name in plugins:
            raise SettingsError([f"there are two plugins named {name}: uninstall one of them"])
        try:
            plugins[name] = Plugin(name, entry_point.load(), entry_point.dist)
        except ImportError as error:
            raise SettingsError([f"the plugin {name} can't be loaded: {error}"]) from error
    return plugins


def _top(module: str) -> str:
    return module.partition(".")[0]


def declaring(module: str, plugins: Iterable[Plugin]) -> Plugin | None:
    """The plugin that a module belongs to, or None for a module of core.

    A module belongs to a plugin if it is inside the plugin's package or, for a third-party plugin,
    inside the same top-level package as the plugin.
    """
    plugins = list(plugins)
    inside = [each for each in plugins if f"{module}.".startswith(f"{each.module.__name__}.")]
    beside = [
        each for each in plugins if not each.is_ours and _top(each.module.__name__) == _top(module)
    ]
    # A plugin's package may contain other plugins: the innermost one wins.
    inside.sort(key=lambda each: len(each.module.__name__))
    return next(iter([*inside[::-1], *beside]), None)


def in_order(plugins: Iterable[Plugin]) -> list[Plugin]:
    """The plugins, sorted so that each comes after the plugins that it requires."""
    available = {plugin.name: plugin for plugin in plugins}
    ordered: list[Plugin] = []

    def add(name: str) -> None:
        # The plugin is removed first, so that plugins that require each other are added only once.
        plugin = available.pop(name, None)
        if plugin is not None:
            for required in plugin.requires:
                add(required)
            ordered.append(plugin)

    for name in list(available):
        add(name)
    return ordered


def import_models() -> None:
    """Import all models, so that the metadata has the tables of core and of every installed plugin,
    enabled or not."""
    core_parts()
    for plugin in installed().values():
        name = f"{plugin.module.__name__}.models"
        # A plugin may be a single module, without a submodule `models`.
        if hasattr(plugin.module, "__path__") and find_spec(name):
            import_module(name)


def switched_on(names: Iterable[str], available: Mapping[str, Plugin]) -> list[Plugin]:
    """The plugins of these names, sorted by `in_order`.

    Raises SettingsError for an unknown name, a required plugin that is not enabled, or plugins that
    require each other.
    """
    names = list(dict.fromkeys(names))
    problems = [_unknown(name, available) for name in names if name not in available]
    problems += [
        f"competition.plugins: {name} requires {required}, which is not enabled"
        for name in names
        if name in available
        for required in available[name].requires
        if required not in names
    ]
    if problems:
        raise SettingsError(problems)
    try:
        TopologicalSorter({name: available[name].requires for name in names}).prepare()
    except CycleError as error:
        _, circle = error.args
        raise SettingsError(
            [f"competition.plugins: {' requires '.join(reversed(circle))}"]
        ) from None
    return in_order(available[name] for name in names)


def _unknown(name: str, available: Iterable[str]) -> str:
    """The message for the name of a plugin that is not installed."""
    if name in renamed.PLUGINS:
        return (
            f"competition.plugins: {name} is a part of the plugin {renamed.PLUGINS[name]} now:"
            f" write {renamed.PLUGINS[name]} instead"
        )
    return f"competition.plugins: there is no plugin {name!r}; installed are {', '.join(available)}"


def _check_sections(plugins: Iterable[Plugin]) -> None:
    """Check the settings of third-party plugins.

    Raises SettingsError if a section is not a dataclass, or if its prefix does not begin with
    ``competition.`` and the plugin's name.
    """
    problems = []
    for plugin in plugins:
        wanted = f"{NAMESPACE}{plugin.name}"
        for section in plugin.sections if not plugin.is_ours else ():
            prefix = getattr(section, "prefix", "")
            if not is_dataclass(section) or not f"{prefix}.".startswith(f"{wanted}."):
                problems.append(
                    f"the plugin {plugin.name}: {section!r} must be a dataclass with the prefix"
                    f" {wanted}"
                )
    if problems:
        raise SettingsError(problems)


def load_settings(raw: Mapping[str, Any]) -> tuple[Settings, list[Plugin]]:
    """The settings, and the plugins that they enable.

    Raises SettingsError, with all mistakes in the settings.
    """
    available = installed()
    _check_sections(available.values())
    core = core_sections()
    known = [section for plugin in available.values() for section in plugin.sections]
    problems: list[str] = []
    texts = overlay([*core, *known], raw, os.environ, problems)
    try:
        plugins = switched_on(texts.get("competition.plugins", "").split(), available)
    except SettingsError as error:
        raise SettingsError([*problems, *error.problems]) from None
    on = [section for plugin in plugins for section in plugin.sections]
    return read([*core, *on], texts, problems), plugins


class Assembly(Configurator):  # type: ignore[misc]  # Pyramid has no types
    """A Configurator that leaves out the endpoints of plugins if the process does not need them."""

    def scan(
        self,
        package: Any = None,
        categories: Sequence[str] | None = ("pyramid",),
        onerror: Callable[[str], None] | None = None,
        ignore: Any = None,
        **options: Any,
    ) -> None:
        """Scan a package as Pyramid's `scan` does, with the same arguments. In a process without
        endpoints, this leaves out the modules `views`, `schemas` and `presenters`."""
        if not self.registry.has_endpoints:
            given = ignore if isinstance(ignore, list | tuple) else [ignore]
            ignore = [OF_REQUESTS, *filter(None, given)]
        super().scan(package or self.package, categories, onerror, ignore, **options)


def build(raw: Mapping[str, Any], *, has_endpoints: bool = True) -> Configurator:
    """A committed Configurator with core and the enabled plugins. Its ``registry.runtime`` is the
    process's Runtime.

    A process that answers no requests needs no endpoints. Without them it starts faster and takes
    less memory.

    Raises SettingsError for wrong settings, and ConfigurationError for a wrong declaration.
    """
    return assemble(*load_settings(raw), has_endpoints=has_endpoints)


def assemble(
    settings: Settings, plugins: Sequence[Plugin], *, has_endpoints: bool = True
) -> Configurator:
    """The same as `build`, for settings that `load_settings` has read and the plugins that they
    enable."""
    refuse_what_is_not_for_production(settings)
    runtime = Runtime(settings)
    pyramid_settings = {
        "tm.manager_hook": pyramid_tm.explicit_manager,
        "tm.commit_veto": pyramid_tm.default_commit_veto,
        # Otherwise pyramid_tm would create the Work too early: it is not known yet whether the
        # endpoint only reads.
        "tm.annotate_user": False,
        "retry.activate_hook": "competition.core.web.retries.retry_attempts",
    }
    config = Assembly(settings=pyramid_settings)
    config.registry.runtime = runtime
    config.registry.has_endpoints = has_endpoints
    runtime.notify = config.registry.notify
    runtime.packages = {plugin.module.__name__: plugin.name for plugin in plugins}
    for library in ("pyramid_tm", "pyramid_retry"):
        config.include(library)
    for part in core_parts():
        if hasattr(part, "includeme"):
            config.include(part)
    config.include(scan_core)
    add_translations(config, "competition.core")
    for plugin in plugins:
        with runtime.catalogue.registered_by(plugin.name, is_ours=plugin.is_ours):
            _include(config, plugin)
    config.commit()
    assembled = ApiAssembled if has_endpoints else Assembled
    config.registry.notify(assembled(config.registry))
    return config


def scan_core(config: Configurator) -> None:
    """Register what the modules in `CORE` declare with decorators. `assemble` includes this
    function in the same way as plugins, because otherwise Pyramid would not detect conflicts
    between core and plugins."""
    for part in core_parts():
        config.scan(part)


def _include(config: Configurator, plugin: Plugin) -> None:
    """Include the plugin, and add its translations. Raises ConfigurationError if one of the
    plugin's modules can't be imported, or a catalogue of translations can't be read."""
    try:
        config.include(plugin.module)
        add_translations(config, plugin.module.__name__)
    except ImportError as error:
        raise ConfigurationError(f"The plugin {plugin.name} can't be loaded: {error}.") from error
