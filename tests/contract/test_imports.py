"""The import contracts in pyproject.toml reject each kind of import that they are about."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repository import REPOSITORY

# `make check` applies the contracts.
pytestmark = pytest.mark.long

LAYERS, DIRECT, INDIRECT = "- {} -> {} (", "\n{} imports {}\n", " imports {} imports {}"
CIRCLE = "competition.core.audit.security_log", "competition.core.audit.chain"
# For each rule, an import that it forbids: the form in which lint-imports prints the import, the
# importer, and the imported module. Few other modules import the importers, so that few chains of
# imports break rules.
FORBIDDEN = [
    # The processes and core
    (LAYERS, "competition.core.examples", "competition.worker"),
    (LAYERS, "competition.ws.seats", "competition.plugins.docs.pages"),
    (LAYERS, "competition.embedded.child", "competition.core.days"),
    (LAYERS, "competition.parent", "competition.embedded.errors"),
    # Core
    (LAYERS, "competition.core.jobs.lanes", "competition.core.lists"),
    (LAYERS, "competition.core.flags", "competition.core.versions"),
    # Plugins
    (LAYERS, "competition.plugins.analysis.presenters", "competition.plugins.appeals.presenters"),
    (LAYERS, "competition.plugins.drafts.presenters", "competition.plugins.receipts.presenters"),
    # Inside a plugin
    (LAYERS, "competition.plugins.appeals.services", "competition.plugins.appeals.schemas"),
    (LAYERS, "competition.plugins.appeals.models", "competition.plugins.appeals.services"),
    (LAYERS, "competition.plugins.broadcasts.views", "competition.plugins.broadcasts.tasks"),
    (LAYERS, "competition.plugins.drafts.slots", "competition.plugins.drafts.subscribers"),
    (LAYERS, "competition.plugins.exams.offered_slots", "competition.plugins.exams.presenters"),
    # Import cycles. lint-imports prints them by the modules that are their links.
    ("- .security_log -> .chain (", *CIRCLE),
    # Single imports
    (DIRECT, "competition.cli.mails", "competition.plugins.exams.models"),
    (DIRECT, "competition.testing.waiting", "tools.vendor"),
    (DIRECT, "competition.ws.threads", "opentelemetry"),
    (DIRECT, "competition.plugins.appeals.services", "competition.core.storage.s3"),
    (DIRECT, "competition.plugins.broadcasts.views", "sqlalchemy"),
    (DIRECT, "competition.plugins.people.views.profiles", "redis"),
    (DIRECT, "competition.plugins.appeals.services", "pyramid"),
    (DIRECT, "competition.plugins.people.services.roles", "huey"),
    (DIRECT, "competition.plugins.operations.models", "boto3"),
    (DIRECT, "competition.plugins.drafts.subscribers", "competition.plugins.drafts.schemas"),
    (DIRECT, "competition.rehearsal.world", "competition.plugins.appeals.views"),
    # Plugins see only the public modules of each other
    (DIRECT, "competition.plugins.scores.views", "competition.plugins.exams"),
    (DIRECT, "competition.plugins.scores.views", "competition.plugins.exams.schemas"),
    # The services import these presenters.
    (INDIRECT, "competition.plugins.advancement.presenters", "competition.core.web.paging"),
    (INDIRECT, "competition.plugins.advancement.presenters", "colander"),
]
# An import that is only for annotations.
FOR_TYPES = (LAYERS, "competition.core.rounding", "competition.core.work")
# New modules, which no layer names yet.
NEW = ["competition.core.new", "competition.plugins.new"]


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of lint-imports for a copy of the code that has all these imports and modules."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copy(REPOSITORY / "pyproject.toml", copy)
    only_code = shutil.ignore_patterns("static", "vendor", "locale", "__pycache__")
    for name in ("competition", "tools"):
        shutil.copytree(REPOSITORY / name, copy / name, ignore=only_code)
    for _, importer, imported in FORBIDDEN:
        with file_of(copy, importer).open("a") as opened:
            opened.write(f"\nimport {imported}\n")
    _, importer, imported = FOR_TYPES
    with file_of(copy, importer).open("a") as opened:
        opened.write(
            f"\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import {imported}\n"
        )
    for module in NEW:
        file_of(copy, module).touch()
    run = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=copy,
        # The command does not wrap lines that are shorter than this.
        env={**os.environ, "COLUMNS": "1000"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    return run.stdout


def file_of(folder: Path, module: str) -> Path:
    path = folder.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@pytest.mark.parametrize(("form", "importer", "imported"), [*FORBIDDEN, FOR_TYPES])
def test_each_rule_rejects_an_import_that_it_forbids(output, form, importer, imported):
    assert form.format(importer, imported) in output


@pytest.mark.parametrize("module", NEW)
def test_a_module_without_a_layer_is_rejected(output, module):
    assert module in output


def test_every_contract_was_broken(output):
    """A contract that is kept has no import in `FORBIDDEN` that breaks it."""
    assert "Contracts: 0 kept" in output
