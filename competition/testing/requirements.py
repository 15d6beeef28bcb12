"""A check for third-party plugins: REQUIRES names every plugin that they use.

Without that name the tables and slots of the other plugin would be there by chance, until an
operator disables it.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from competition.core.plugins import Plugin, declaring, installed


def check_requirements(name: str) -> None:
    """Raise AssertionError if the plugin imports from a plugin that it does not require.

    Requirements of required plugins count too. Events need no requirement: while their plugin is
    disabled, nobody emits them.
    """
    available = installed()
    plugin = available[name]
    required = {*_with_requirements(name, available)}
    for file, used in _imports(plugin):
        other = declaring(used, available.values())
        if other is None or other.name in required:
            continue
        assert used.startswith(f"{other.module.__name__}.events."), (
            f"The plugin {name} uses {used} (in {file.name}), and does not require {other.name}:"
            " add it to REQUIRES."
        )


def _with_requirements(name: str, available: Mapping[str, Plugin]) -> Iterator[str]:
    yield name
    for required in available[name].requires:
        yield from _with_requirements(required, available)


def _imports(plugin: Plugin) -> Iterator[tuple[Path, str]]:
    """Every file of the plugin, with the dotted path of each thing that it imports."""
    module = Path(plugin.module.__file__ or "")
    is_package = hasattr(plugin.module, "__path__")
    for file in sorted(module.parent.rglob("*.py")) if is_package else [module]:
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                yield from ((file, each.name) for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield from ((file, f"{node.module}.{each.name}") for each in node.names)
