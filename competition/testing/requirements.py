"""Check that the REQUIRES of each plugin names the plugins that it uses.

Otherwise a plugin works only if the plugins that it uses happen to be enabled. Two modules of other
plugins need no requirement: `events`, because events of a disabled plugin are never emitted, and
`offered_slots`, because slots of a disabled plugin are never loaded.
"""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from competition.core.plugins import Plugin, declaring, installed

OPEN_TO_ALL = ("events", "offered_slots")


def check_requirements(names: Iterable[str]) -> None:
    """Check the imported modules of the plugins with these names. Modules that no code has imported
    yet are not checked. Raises AssertionError if a plugin uses another plugin that it does not
    require."""
    available = installed()
    for plugin in (available[name] for name in names):
        required = {*_with_requirements(plugin.name, available)}
        for module, used in _imports(plugin):
            other = declaring(used, available.values())
            if other is None or other.name in required:
                continue
            is_open = any(
                f"{used}.".startswith(f"{other.module.__name__}.{each}.") for each in OPEN_TO_ALL
            )
            if not is_open:
                raise AssertionError(
                    f"The plugin {plugin.name} uses {used} (in {module}), but does not require"
                    f" {other.name}. Add {other.name} to REQUIRES."
                )


def _with_requirements(name: str, available: Mapping[str, Plugin]) -> Iterator[str]:
    yield name
    for required in available[name].requires:
        yield from _with_requirements(required, available)


def _imports(plugin: Plugin) -> Iterator[tuple[str, str]]:
    """The imports of a plugin's modules from other packages, as pairs of the module and the
    imported name. The modules of a third-party package share one distribution, so imports inside
    it are left out."""
    package = plugin.module.__name__
    own = package if plugin.is_ours else package.partition(".")[0]
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if not f"{name}.".startswith(f"{package}.") or not file.endswith(".py"):
            continue
        yield from (
            (name, each) for each in _imported(file) if not f"{each}.".startswith(f"{own}.")
        )


@cache
def _imported(file: str) -> list[str]:
    """The names that a file imports. Cached, because they are checked for every application that is
    built."""
    found = []
    for node in ast.walk(ast.parse(Path(file).read_bytes())):
        if isinstance(node, ast.Import):
            found += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [f"{node.module}.{each.name}" for each in node.names]
    return found
