"""Descriptions from docstrings, and from the comments above names in the source."""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields
from types import ModuleType
from typing import Any

import competition
from competition.core.web.endpoint import Endpoint, Options


class Missing(Exception):
    """Something has no description. The message names it."""


def described(name: str, text: str | None) -> str:
    """The text, in one line. Raises Missing if there is none."""
    if not text or not text.strip():
        raise Missing(f"{name} has no description. Add it, and run `make reference` again.")
    return re.sub(r":$", ".", " ".join(text.split()))


def summary(function: Any, name: str = "") -> str:
    """The first paragraph of a docstring. Raises Missing if there is none."""
    found = inspect.getdoc(function) or ""
    # A docstring of a dataclass that only repeats its signature is generated.
    if isinstance(function, type) and found.startswith(f"{function.__name__}("):
        found = ""
    first = found.partition("\n\n")[0]
    return described(name or f"{function.__module__}.{function.__qualname__}", first)


def whole(thing: Any, name: str) -> str:
    """The docstring in one line, with all paragraphs. Raises Missing if there is none."""
    summary(thing, name)
    return described(name, inspect.getdoc(thing))


def comments(source: str, *, shared: bool = False) -> dict[str, str]:
    """The comment directly above each assigned name of a module or class. If `shared`, a comment
    also describes the names that follow, up to a blank line or the next comment."""
    found: dict[str, str] = {}
    lines = source.splitlines()
    assigned = {
        node.lineno: target.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    comment: list[str] = []
    is_used = False
    for number, line in enumerate(lines, 1):
        if line.strip().startswith("# "):
            if is_used:
                comment, is_used = [], False
            comment.append(line.strip()[2:])
        elif number in assigned:
            if comment and (shared or not is_used):
                found[assigned[number]] = " ".join(comment)
            is_used = True
        elif not line.strip():
            comment, is_used = [], False
    return found


def modules(package: ModuleType, matching: str = "") -> list[ModuleType]:
    """The imported modules of a package whose name matches, in alphabetical order. The application
    has imported all modules in which something is declared."""
    found = {
        name: module
        for name, module in sys.modules.items()
        if name.startswith(f"{package.__name__}.") and re.search(matching, name)
    }
    return [found[name] for name in sorted(found)]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [_row(head), "|---" * len(head) + "|"]
    return "\n".join([*lines, *(_row(row) for row in rows)])


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", r"\|") for cell in cells) + " |"


def quoted(text: object) -> str:
    """The text as code. Reads well in a table, even if it contains a backquote."""
    return f"`{text}`" if str(text) else ""


def annotation(hint: Any) -> str:
    """A type as in the source, without the names of modules."""
    shown = hint.__name__ if isinstance(hint, type) and not hasattr(hint, "__args__") else str(hint)
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", shown)


def plugin_of(module: str) -> str:
    """The plugin that a module belongs to, or "core"."""
    found = re.match(rf"{competition.__name__}\.plugins\.(\w+)", module)
    return found[1] if found else "core"


def endpoint_options(registry: Any) -> str:
    described_by = comments(inspect.getsource(Endpoint))
    defaults = {each.name: each.default for each in fields(Endpoint)}
    rows = []
    for name in Options.__annotations__:
        default = defaults[name]
        shown = "required" if default is MISSING else quoted(repr(default))
        text = described(f"Endpoint.{name}", described_by.get(name))
        rows.append((quoted(name), quoted(annotation(_hint(name))), shown, text))
    return table(("Option", "Type", "Default", "Description"), rows)


def _hint(name: str) -> Any:
    source = inspect.getsource(Endpoint)
    [found] = [
        node.annotation
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == name
    ]
    return ast.unparse(found)
