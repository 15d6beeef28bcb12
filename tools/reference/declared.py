"""Pages for developers of clients and plugins: errors, events, slots and hooks."""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

import competition.core
import competition.plugins
from competition.core import events as subscribing
from competition.core.errors import ApiError
from competition.core.messages import worded
from competition.core.slots import Field, Slot
from tools.reference.code import (
    annotation,
    comments,
    described,
    modules,
    plugin_of,
    quoted,
    table,
    whole,
)


def _classes(base: type[Any]) -> Iterator[type[Any]]:
    for each in base.__subclasses__():
        yield each
        yield from _classes(each)


def errors(registry: Any) -> str:
    found = {each for each in _classes(ApiError) if _is_ours(each.__module__)}
    rows = []
    for each in sorted(found, key=lambda one: (one.code, one.status, one.__name__)):
        own = inspect.getdoc(each) if each.__doc__ else ""
        text = (own or "").partition("\n\n")[0] or worded(each.detail)
        rows.append(
            (
                quoted(each.code),
                each.status,
                described(each.__name__, re.sub(r" \(decisions \w+\)", "", text)),
                described(f"{each.__name__}.advice", each.advice),
                plugin_of(each.__module__),
            )
        )
    return table(("Code", "Status", "Meaning", "What a client should do", "Plugin"), rows)


def _is_ours(module: str) -> bool:
    return module.startswith(f"{competition.__name__}.")


def events(registry: Any) -> str:
    parts = []
    found = [
        *modules(competition.core, r"\.\w+\.events$"),
        *modules(competition.plugins, r"^competition\.plugins\.\w+\.events$"),
    ]
    for module in found:
        for name, event in vars(module).items():
            if is_dataclass(event) and getattr(event, "__module__", "") == module.__name__:
                parts.append(f"## {name}\n\n`{module.__name__}`\n\n{whole(event, name)}")
                hints = get_type_hints(event)
                rows = [
                    (quoted(each.name), quoted(annotation(hints[each.name])))
                    for each in fields(event)
                ]
                parts.append(table(("Field", "Type"), rows))
    return "\n\n".join(parts)


def slots(registry: Any) -> str:
    added = registry.runtime.catalogue[Field].values()
    parts = []
    for module in modules(competition.plugins, r"\.offered_slots$"):
        texts = comments(inspect.getsource(module), shared=True)
        for name, slot in vars(module).items():
            if isinstance(slot, Slot):
                text = described(f"{module.__name__}.{name}", texts.get(name))
                parts.append(f"## {slot.name}\n\n`{module.__name__}.{name}`\n\n{text}")
                rows = [
                    (
                        quoted(each.name),
                        quoted(annotation(each.type)),
                        plugin_of(each.load.__module__),
                    )
                    for each in slot_fields(slot, added)
                ]
                if rows:
                    parts.append(table(("Field", "Type", "Added by"), rows))
    return "\n\n".join(parts)


def slot_fields(slot: Slot[Any], added: Any) -> list[Field]:
    return [each for each in added if each.slot == slot]


def hooks(registry: Any) -> str:
    directives = [
        (name, function)
        for name, (function, _) in sorted(registry_directives(registry).items())
        if _is_ours(function.__module__) and name != "add_service"
    ]
    decorators = [("subscriber", subscribing.subscriber)]
    for module in modules(competition.core):
        for name, function in vars(module).items():
            if _is_decorator(name, function, module.__name__):
                decorators.append((name, function))
    return "\n\n".join(
        [
            "## Decorators",
            "`config.scan()` in `includeme` finds the decorated functions.",
            *_hooks(decorators, "@"),
            "## Directives",
            "Call them in `includeme(config)`, as methods of `config`.",
            *_hooks(directives, "config."),
        ]
    )


def _is_decorator(name: str, function: Any, module: str) -> bool:
    if not inspect.isfunction(function) or function.__module__ != module or name.startswith("_"):
        return False
    if name in ("declaration", "when_scanned"):
        return False
    return bool(re.search(r"\b(declaration|when_scanned)\(", inspect.getsource(function)))


def _hooks(found: list[tuple[str, Any]], before: str) -> list[str]:
    """A part for each hook: its name, its module, how it is called, and its whole docstring."""
    parts = []
    for name, function in found:
        text = re.sub(r"^Configuration directive ``.*?``[:.]\s", "", inspect.getdoc(function) or "")
        text = re.sub(r"\s\bA\s+scan\s+of[\w'\s]+?\sfinds\s(it|the\sfunction)\.?", "", text)
        described(name, text)
        parts += [
            f"### {name}",
            f"`{function.__module__}`",
            f"```python\n{before}{name}({_parameters(function)})\n```",
            f"{text[0].upper()}{text[1:]}",
            *_declared_by(function),
        ]
    return parts


def _declared_by(function: Any) -> list[str]:
    """The description of the class of the things that a hook declares, and their types: they say
    how the decorated function is called, and what it returns."""
    found = re.search(r"\b(?:declaration|add)\(\s*(\w+),", inspect.getsource(function))
    declared = function.__globals__.get(found[1]) if found else None
    if not is_dataclass(declared):
        return []
    whole(declared, declared.__name__)
    [node] = ast.parse(inspect.getsource(declared)).body
    assert isinstance(node, ast.ClassDef)
    hints = get_type_hints(declared)
    typed = [
        (quoted(each.target.id), quoted(annotation(hints[each.target.id])))
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    return [inspect.getdoc(declared) or "", table(("Field", "Type"), typed)]


def _parameters(function: Any) -> str:
    """The parameters as in the source, with their types and defaults."""
    [node] = ast.parse(inspect.getsource(function)).body
    assert isinstance(node, ast.FunctionDef)
    node.args.args = [each for each in node.args.args if each.arg != "config"]
    return ast.unparse(node.args)


def registry_directives(registry: Any) -> dict[str, tuple[Any, bool]]:
    """The directives that core and the plugins have added to the Configurator."""
    found: dict[str, tuple[Any, bool]] = vars(registry)["_directives"]
    return found
