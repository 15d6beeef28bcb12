"""Check that the REQUIRES of each third-party plugin names the plugins that it uses.

Otherwise a plugin works only if the plugins that it uses happen to be enabled. A plugin that only
imports events needs no requirement: events of a disabled plugin are never emitted.
"""

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from competition.core.plugins import Plugin, declaring, installed


def check_requirements(names: Collection[str]) -> None:
    """Check the enabled plugins, given by name. Raises AssertionError if one uses a plugin that it
    does not require."""
    available = installed()
    on = {name: available[name] for name in names}
    for plugin in on.values():
        required = {*_with_requirements(plugin.name, on)}
        for module, used in _imports(plugin) if not plugin.is_ours else ():
            other = declaring(used, available.values())
            if other is None or other.name in required:
                continue
            if not used.startswith(f"{other.module.__name__}.events."):
                raise AssertionError(
                    f"The plugin {plugin.name} uses {used} (in {module}), but does not require"
                    f" {other.name}. Add {other.name} to REQUIRES."
                )


def _with_requirements(name: str, on: Mapping[str, Plugin]) -> Iterator[str]:
    yield name
    for required in on[name].requires:
        yield from _with_requirements(required, on)


def _imports(plugin: Plugin) -> Iterator[tuple[str, str]]:
    """The imports of a plugin's modules from other packages, as pairs of the module and the
    imported name."""
    package = plugin.module.__name__
    top = package.partition(".")[0]
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if not f"{name}.".startswith(f"{package}.") or not file.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(Path(file).read_bytes())):
            used = []
            if isinstance(node, ast.Import):
                used = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                used = [f"{node.module}.{each.name}" for each in node.names]
            yield from ((name, each) for each in used if each.partition(".")[0] != top)
