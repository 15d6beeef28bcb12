"""The package that `competition plugin new` writes can be installed and passes its tests
unchanged.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from competition.embedded import Addresses
from competition.testing.databases import SERVERS_VARIABLE, Databases
from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.processes import Launcher, call, competition, environment, is_healthy
from tests.support.repository import DEVELOPMENT_INI, TYPED

pytestmark = pytest.mark.long

INSTALLING = 300


@pytest.fixture
def installed(
    addresses: Addresses, databases: Databases, template: str, tmp_path: Path
) -> Iterator[Launcher]:
    """Start processes in an environment with the service, as after `pip install`."""
    url = databases.create(template)
    site = tmp_path / "site"
    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "var",
            COMPETITION_INI=str(DEVELOPMENT_INI),
            COMPETITION_DATABASE_URL=url,
            COMPETITION_REDIS_URL=addresses.redis_url,
            COMPETITION_PLUGINS="accounts docs mentors",
            PYTHONPATH=str(site),
        ),
    )
    package = str(tmp_path / "package")
    launcher.succeed(
        competition("plugin", "new", "mentors", "--folder", package), COMPETITION_PLUGINS="docs"
    )
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation"]
    launcher.succeed([*pip, "--target", str(site), package], INSTALLING)
    yield launcher
    launcher.end_all()
    databases.drop(url)


def test_a_new_plugin_passes_its_tests(installed: Launcher, addresses: Addresses) -> None:
    installed.cwd = installed.folder / "package"
    on = {SERVERS_VARIABLE: f"{addresses.database_url} {addresses.redis_url}"}
    # Run the tests without the settings that the other commands use.
    for name in [name for name in installed.environment if name.startswith("COMPETITION_")]:
        del installed.environment[name]
    output = installed.succeed([sys.executable, "-m", "pytest", "-q"], INSTALLING, **on)
    assert "4 passed" in output


@pytest.mark.parametrize("command", ["mypy --strict", "ruff check", "ruff format --check"])
def test_a_new_plugin_passes_the_linters(installed: Launcher, command: str) -> None:
    installed.cwd = installed.folder / "package"
    installed.succeed([sys.executable, "-m", *command.split()], INSTALLING, **TYPED)


def test_the_wheel_contains_current_files_and_none_of_an_earlier_build(installed: Launcher) -> None:
    package = installed.folder / "package"
    module = package / "competition_mentors"
    (module / "tasks.py").unlink()
    wheels = installed.folder / "wheels"
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    installed.succeed([*pip, f"--wheel-dir={wheels}", str(package)], INSTALLING)
    [wheel] = wheels.iterdir()
    packed = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {each for each in module.rglob("*") if each.is_file() and each.suffix != ".pyc"}
    assert packed == {str(each.relative_to(package)) for each in files}


def test_a_new_plugin_is_installed_migrated_and_served(installed: Launcher) -> None:
    installed.succeed(competition("db", "upgrade"))
    installed.succeed(competition("db", "check"))
    listed = installed.succeed(competition("plugin", "list"))
    [line] = [line for line in listed.splitlines() if line.startswith("mentors")]
    assert "competition-mentors 0.1.0  on" in line and "up to date" in line
    port = str(free_port())
    installed.start(competition("api"), COMPETITION_SERVER_PORT=port)
    base = f"http://127.0.0.1:{port}/v1"
    wait_until(lambda: is_healthy(base))
    status, document = call("GET", f"{base}/docs/spec")
    assert status == 200 and {*document["paths"]["/mentors/notes/"]} >= {"get", "post"}

    removed = installed.succeed(
        competition("plugin", "remove", "mentors", "--yes"), COMPETITION_PLUGINS="docs"
    )
    assert "mentors_note" in removed and "mentors is removed" in removed
