"""The words for the actions of the audit trail."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.javascript import catalogue
from tests.support.repository import REPOSITORY

SOURCE = REPOSITORY / "competition"
TEXTS = SOURCE / "plugins/console/static/texts"
ACTION = re.compile(r"[a-z_]+\.[a-z_]+")
RECORDS = {"record", "record_change", "record_each"}
# Actions that the module `audit` records itself: `audit.erase` records an erasure.
WITHIN = {"account.erase"}


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text()
        if "audit.record" in text:
            yield file, ast.parse(text)


def calls(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef | None, ast.Call]]:
    """All calls with the functions that make them."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            yield from (
                (function, each) for each in ast.walk(function) if isinstance(each, ast.Call)
            )


def constants() -> dict[str, set[str]]:
    """The names of actions in the constants of all modules, by the name of the constant."""
    found: dict[str, set[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for line in re.findall(r"^[A-Z_, ]+ = .*$", file.read_text(), re.MULTILINE):
            names, _, values = line.partition(" = ")
            for name, value in zip(names.split(", "), values.split(", "), strict=False):
                if ACTION.fullmatch(value.strip('"')):
                    found.setdefault(name, set()).add(value.strip('"'))
    return found


def actions() -> set[str]:
    """The actions that the service records. Raises AssertionError if the code does not show an
    action.
    """
    named, found = constants(), set(WITHIN)
    for file, tree in trees():
        for function, call in calls(tree):
            is_record = (
                isinstance(call.func, ast.Attribute)
                and call.func.attr in RECORDS
                and isinstance(call.func.value, ast.Name)
                and call.func.value.id == "audit"
            )
            if is_record:
                values = values_of(tree, function, argument(call, 1), named)
                assert values, f"{file}:{call.lineno}"
                found |= values
    return found


def argument(call: ast.Call, position: int) -> ast.expr:
    first = call.args[0]
    given = [*first.value.elts, *call.args[1:]] if isinstance(first, ast.Starred) else call.args  # type: ignore[attr-defined]  # a tuple
    return given[position]


def values_of(
    tree: ast.Module, function: ast.FunctionDef, value: ast.expr, named: dict[str, set[str]]
) -> set[str]:
    if isinstance(value, ast.Constant):
        return {value.value}
    if isinstance(value, ast.IfExp):
        return values_of(tree, function, value.body, named) | values_of(
            tree, function, value.orelse, named
        )
    name = value.attr if isinstance(value, ast.Attribute) else value.id  # type: ignore[attr-defined]  # a name
    if name.isupper():
        return named[name]
    assigned = [
        each.value
        for each in ast.walk(function)
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == name
    ]
    if not assigned:
        position = [each.arg for each in function.args.args].index(name)
        callers = [
            (caller, call.args[position])
            for caller, call in calls(tree)
            if ast.unparse(call.func) == function.name
        ]
        return {each for caller, given in callers for each in values_of(tree, caller, given, named)}
    return {each for given in assigned for each in values_of(tree, function, given, named)}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_audited_action_has_words(language):
    keys = catalogue(TEXTS / f"{language}.js")
    actual = {each.removeprefix("audit.") for each in keys if each.startswith("audit.")}
    worded = {each for each in actual if ACTION.fullmatch(each)}
    assert worded == actions()
