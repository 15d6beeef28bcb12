"""The kinds of import contracts that this project adds to import-linter."""

import pytest
from grimp import ImportGraph

from tools.import_contracts import DirectContract, FacesContract


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
def test_plugins_import_only_the_public_modules_of_other_plugins(importer, imported, kept):
    graph = ImportGraph()
    for module in (importer, imported):
        graph.add_module(module)
    graph.add_import(importer=importer, imported=imported)
    options = {"container": "plugins", "faces": ["models", "services"]}
    assert FacesContract("faces", {}, options).check(graph, verbose=False).kept == kept


@pytest.mark.parametrize(
    ("importer", "imported", "kept"),
    [
        ("plugins.scores.views", "sqlalchemy", False),
        ("plugins.scores.views.boards", "redis", False),
        ("plugins.scores.services", "sqlalchemy", True),
        ("plugins.scores.views", "sqlalchemyish", True),
        ("core.telemetry", "redis", True),
    ],
)
def test_an_import_can_be_forbidden_for_a_single_file(importer, imported, kept):
    graph = ImportGraph()
    for module in (importer, imported):
        graph.add_module(module)
    graph.add_import(importer=importer, imported=imported)
    options = {
        "forbidden": ["plugins.*.views -> sqlalchemy, redis", "core -> redis"],
        "ignored": ["core.telemetry -> redis"],
    }
    assert DirectContract("direct", {}, options).check(graph, verbose=False).kept == kept
