"""A plugin needs what it requires, and nothing else: it starts with the rest switched off, and so
do its tests (`tests/support/selection.py`)."""

import ast
from pathlib import Path

import pytest

from competition.core.plugins import installed
from competition.testing.selection import with_requirements
from tests.support.repository import REPOSITORY

OURS = sorted(name for name, plugin in installed().items() if plugin.is_ours)
TESTS = REPOSITORY / "tests/plugins"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.needs(name)) for name in OURS]
)
def test_it_starts_with_what_it_requires_alone(name, app_with, alone):
    app = app_with(alone)
    assert set(app.runtime.packages.values()) == with_requirements([name])


@pytest.mark.parametrize("name", OURS)
def test_its_tests_say_what_they_need(name):
    """Else everything would be on in them, and they would prove nothing of the kind."""
    modules = list((TESTS / name).glob("test_*.py"))
    assert modules
    assert [module.name for module in modules if not says(module, name)] == []


def says(module: Path, name: str) -> bool:
    """Whether all tests of a module are marked as needing a plugin, at its top."""
    for node in ast.parse(module.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            return f"'{name}'" in ast.unparse(node.value)
    return False
