"""That the contracts on imports (`make check`) leave nothing out."""

import tomllib

import pytest
from grimp import ImportGraph

from tests.support.repository import REPOSITORY
from tools.import_contracts import FacesContract

CORE = REPOSITORY / "competition" / "core"


def test_every_module_of_core_has_its_layer():
    """One that has none could be part of a circle."""
    linter = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["importlinter"]
    [contract] = [each for each in linter["contracts"] if each["name"].startswith("Core, from")]
    named = [module for layer in contract["layers"] for module in layer.split(" | ")]
    found = {
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)
        for path in CORE.rglob("*.py")
        if path.name != "__init__.py"
    }
    assert sorted(named) == sorted(found)


@pytest.mark.parametrize(
    ("importer", "imported", "kept"),
    [
        ("plugins.scores.services.scoring", "plugins.exams.models", True),
        ("plugins.scores.views", "plugins.exams.services.rows", True),
        ("plugins.scores.tasks", "plugins.scores.services", True),
        ("plugins.scores.services", "plugins.scores", True),
        ("cli.main", "plugins.exams.views", True),
        ("plugins.exams.views", "core.work", True),
        ("plugins.scores.services", "plugins.exams", False),
        ("plugins.scores.services", "plugins.exams.tasks", False),
        ("plugins.scores.views", "plugins.exams.schemas", False),
        ("plugins.scores", "plugins.exams.slots", False),
    ],
)
def test_a_plugin_shows_others_its_faces_alone(importer, imported, kept):
    graph = ImportGraph()
    for module in (importer, imported):
        graph.add_module(module)
    graph.add_import(importer=importer, imported=imported)
    options = {"container": "plugins", "faces": ["models", "services"]}
    assert FacesContract("faces", {}, options).check(graph, verbose=False).kept == kept
