"""The guide for plugin authors: a plugin built from the code blocks of the guide does what the
guide says. `test_first_plugin.py` follows the tutorial.
"""

import dataclasses
import importlib
import inspect
import re
import shlex
import shutil
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from competition.core.jobs.tasks import task
from competition.core.plugins import installed
from competition.core.slots import Slot
from competition.core.web.endpoint import Endpoint
from competition.core.work import Work
from competition.embedded.place import Addresses
from competition.testing.databases import SERVERS_VARIABLE, Databases
from tests.support.guide import GUIDE, Block, blocks, rows, words
from tests.support.processes import Launcher, competition, environment
from tests.support.repository import DEVELOPMENT_INI, REPOSITORY, TYPED

PACKAGE = "competition-notes"
EVERYTHING = Path(__file__).parent / "guide" / "everything.py"
PATIENCE = 300
# The fields of an endpoint that an author can't set as options, because they follow from the view
# and its decorator.
FOLLOWS = {"method", "path", "view", "returns", "parameters"}


class Author:
    """A plugin author who follows the guide in a folder."""

    def __init__(self, launcher: Launcher, servers: str) -> None:
        self.launcher = launcher
        self.servers = servers
        self.folder = launcher.cwd / PACKAGE
        self.ini = (launcher.cwd / "development.ini").read_text()

    def follow(self, block: Block) -> None:
        if block.file:
            block.write(self.folder)
        elif block.language == "ini":
            self.set(block.code)
        elif block.language == "toml":
            self.replace(block.code)
        elif block.language == "sh":
            for line in block.code.splitlines():
                self.run(line)
        else:
            raise AssertionError(f"the test can't run this block: {block}")

    def set(self, line: str) -> None:
        key = line.partition(" = ")[0]
        if key == "competition.plugins":
            self.launcher.environment["COMPETITION_PLUGINS"] = line.partition(" = ")[2].strip()
        else:
            raise AssertionError(f"no test follows this setting: {line}")

    def replace(self, code: str) -> None:
        """Replace lines of the package's `pyproject.toml`, by their keys."""
        path = self.folder / "pyproject.toml"
        text = path.read_text()
        for line in code.splitlines():
            if " = " in line:
                key = re.escape(line.partition(" = ")[0])
                text, count = re.subn(f"^{key} = .*$", lambda _, line=line: line, text, flags=re.M)
                assert count == 1, line
            else:
                assert line in text
        path.write_text(text)
        tomllib.loads(text)

    def run(self, line: str) -> str:
        program, *rest = shlex.split(line)
        if line == f"pip install --editable ./{PACKAGE}":
            return self.install()
        if program == "pip":
            pip = [sys.executable, "-m", "pip", *rest[:1], "--no-build-isolation", *rest[1:]]
            return self.launcher.succeed(pip, PATIENCE)
        assert program == "competition", line
        return self.launcher.succeed(competition(*rest))

    def install(self) -> str:
        """Make the package importable, with its entry point. This does what pip does, but needs no
        environment.
        """
        described = tomllib.loads((self.folder / "pyproject.toml").read_text())["project"]
        group = "competition.plugins"
        lines = [f"{name} = {value}" for name, value in described["entry-points"][group].items()]
        info = self.folder / "competition_notes-0.1.0.dist-info"
        info.mkdir()
        (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
        (info / "METADATA").write_text(f"Name: {described['name']}\nVersion: 0.1.0\n")
        return ""

    def test(self, servers: dict[str, str]) -> str:
        """Run the package's tests, without the settings that the other commands use."""
        variables = {
            name: value
            for name, value in self.launcher.environment.items()
            if not name.startswith("COMPETITION_")
        }
        author = dataclasses.replace(self.launcher, environment={**variables, **servers})
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", PACKAGE]
        return author.succeed(command, PATIENCE)


@pytest.fixture(scope="module")
def author(
    addresses: Addresses,
    databases: Databases,
    template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Author]:
    """The author who has followed all blocks."""
    folder = tmp_path_factory.mktemp("guide")
    shutil.copy(DEVELOPMENT_INI, folder)
    url = databases.create(template)
    variables = environment(
        folder / "var",
        COMPETITION_DATABASE_URL=url,
        COMPETITION_REDIS_URL=addresses.redis_url,
        PYTHONPATH=str(folder / PACKAGE),
    )
    servers = f"{addresses.database_url} {addresses.redis_url}"
    author = Author(Launcher(folder, variables, cwd=folder), servers)
    for block in blocks():
        author.follow(block)
    shutil.copy(EVERYTHING, author.folder / "tests" / "test_everything.py")
    yield author
    author.launcher.end_all()
    databases.drop(url)


@pytest.mark.long
def test_the_plugin_of_the_guide_passes_its_tests(author: Author) -> None:
    said = author.test({SERVERS_VARIABLE: author.servers})
    assert "passed" in said and "skipped" not in said


@pytest.mark.long
def test_the_wheel_has_all_files_and_is_installed_and_migrated(
    author: Author, tmp_path: Path
) -> None:
    launcher, module = author.launcher, author.folder / "competition_notes"
    [wheel] = launcher.cwd.glob("competition_notes-*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {each for each in module.rglob("*") if each.is_file() and each.suffix != ".pyc"}
    assert packed == {str(each.relative_to(author.folder)) for each in files}

    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet"]
    launcher.succeed([*pip, "--target", str(tmp_path), str(wheel)], PATIENCE)
    on = {"PYTHONPATH": str(tmp_path)}
    upgraded, checked, listed = launcher.run_all(
        "competition db upgrade", "competition db check", "competition plugin list", **on
    )
    assert (upgraded.status, checked.status, listed.status) == (0, 0, 0)
    [line] = [line for line in listed.output.splitlines() if line.startswith("notes")]
    assert "competition-notes 0.1.0  on" in line and "up to date" in line


@pytest.mark.long
def test_the_plugin_of_the_guide_passes_mypy(author: Author) -> None:
    """mypy runs in the package's folder, with the service from a checkout."""
    words = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml"]
    launcher = dataclasses.replace(author.launcher, cwd=author.folder)
    launcher.succeed(words, PATIENCE, **TYPED)


class TestTables:
    """The tables of the guide list exactly what exists."""

    def test_the_table_of_events_is_complete(self) -> None:
        found = {
            (each.__name__, module)
            for module in self.modules(
                "events", "competition.core.users.events", "competition.core.seasons.events"
            )
            for each in self.own(module)
            if dataclasses.is_dataclass(each)
        }
        listed = {
            (name, words(module)[0])
            for module, events in rows("module | events")
            for name in words(events)
        }
        assert listed == found

    def test_the_table_of_slots_is_complete(self) -> None:
        found = {
            (name, module)
            for module in self.modules("offered_slots")
            for name, value in vars(importlib.import_module(module)).items()
            if isinstance(value, Slot) and value.name.startswith(f"{module.split('.')[2]}.")
        }
        listed = {
            (name, words(module)[0])
            for module, slots in rows("module | slots")
            for name in words(slots)
        }
        assert listed == found

    def test_the_table_of_endpoint_options_is_complete(self) -> None:
        found = {field.name for field in dataclasses.fields(Endpoint)} - FOLLOWS
        assert {name for row in rows("declared") for name in words(row[0])} == found

    def test_the_tables_of_task_options_and_work_members_are_complete(self) -> None:
        options = {*inspect.signature(task).parameters} - {"name"}
        described = {name.partition("=")[0] for row in rows("option") for name in words(row[0])}
        assert described == options
        # Only the code that creates a Work uses these.
        private = {"of", "manager", "request_id", "address", "user_agent"}
        members = {*Work.__annotations__, *vars(Work)} - private
        listed = set(re.findall(r"\w+", " ".join(words(" ".join(r[0] for r in rows("`work`"))))))
        assert {name for name in members if not name.startswith("_")} <= listed

    def test_the_table_of_public_modules_is_right(self) -> None:
        """The public modules exist, and the blocks import only from them."""
        public = {
            f"{words(package)[0]}.{name}"
            for package, modules in rows("public")
            if package.startswith("`competition.core")
            for name in words(modules)
        }
        for module in public:
            importlib.import_module(module)
        imported = re.findall(r"^from (competition\.core[.\w]*) import ([\w, ]+)$", GUIDE, re.M)
        assert imported
        for module, names in imported:
            for name in names.split(", "):
                assert module in public or f"{module}.{name}" in public, (module, name)
                assert (
                    hasattr(importlib.import_module(module), name) or f"{module}.{name}" in public
                )

    def test_the_table_of_directives_is_complete(self) -> None:
        sources = (REPOSITORY / "competition" / "core").rglob("*.py")
        found = {
            name
            for source in sources
            for name in re.findall(r'add_directive\(\s*"(\w+)"', source.read_text())
        }
        # Plugins don't call this directive: the scan calls it for each Service.
        found.remove("add_service")
        page = GUIDE
        assert {name for name in found if f"config.{name}" not in page} == set()

    def test_the_decorators_of_the_table_exist(self) -> None:
        for cells in rows("decorator"):
            module, *_ = words(cells[1])
            found = importlib.import_module(f"competition.core.{module}")
            if name := re.match(r"`@(\w+)", cells[0]):
                assert name[1] == "notes" or callable(getattr(found, name[1])), cells[0]

    def test_the_table_of_fixtures_is_complete(self, request: pytest.FixtureRequest) -> None:
        fixtures = {"app", "live", "run", "install", "statements", "plugin_settings"}
        fixtures |= {"app_with", "live_with", "admin", "manager", "moderator"}
        fixtures |= {"sockets", "sockets_with"}
        for name in fixtures:
            request.getfixturevalue(name)
            assert f"`{name}" in GUIDE, name

    @staticmethod
    def modules(name: str, *others: str) -> list[str]:
        ours = [each.module.__name__ for each in installed().values() if each.is_ours]
        found = [f"{each}.{name}" for each in ours]
        return [each for each in found if importlib.util.find_spec(each)] + [*others]

    @staticmethod
    def own(module: str) -> list[Any]:
        values = vars(importlib.import_module(module)).values()
        return [each for each in values if getattr(each, "__module__", "") == module]
