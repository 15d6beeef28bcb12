"""The example of a plugin in a package of its own: installed, on, off, and gone again."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from competition.embedded import Addresses
from competition.testing.databases import SERVERS_VARIABLE, Databases
from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.processes import Launcher, call, competition, environment, is_healthy
from tests.support.repository import DEVELOPMENT_INI, REPOSITORY

EXAMPLE = REPOSITORY / "examples/competition-certificates"
# Whole rules, of whatever is on. `make certificates` runs more tests so.
WITH_IT = tuple(
    f"tests/contract/test_{subject}.py" for subject in ("document", "histories", "migrations")
)
# It is installed, and what it stands on is on.
WITHOUT_IT = ("--only=leaderboard", "tests/contract/test_document.py", "tests/plugins/leaderboard")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that it is installed in: whoever has it on the path has the plugin."""
    folder = tmp_path_factory.mktemp("certificates")
    # A build leaves folders beside what it builds.
    sources = shutil.copytree(EXAMPLE, folder / "sources")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, *offline, f"--target={folder / 'lib'}", str(sources)], check=True)
    return folder / "lib"


def run_tests(package: Path, addresses: Addresses, *words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=REPOSITORY,
        env=os.environ
        | {
            "PYTHONPATH": str(package),
            SERVERS_VARIABLE: f"{addresses.database_url} {addresses.redis_url}",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-1000:]


def test_its_own_tests_pass(package: Path, addresses: Addresses) -> None:
    run_tests(package, addresses, f"--config-file={EXAMPLE / 'pyproject.toml'}", str(EXAMPLE))


@pytest.mark.parametrize("command", ["mypy --strict", "ruff check", "ruff format --check"])
def test_it_is_clean_wherever_it_is_copied_to(package: Path, command: str) -> None:
    subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=package.with_name("sources"),
        env=os.environ | {"MYPYPATH": str(REPOSITORY)},
        check=True,
    )


def test_what_holds_for_all_plugins_holds_for_it(package: Path, addresses: Addresses) -> None:
    run_tests(package, addresses, *WITH_IT)


def test_others_do_not_notice_one_that_is_off(package: Path, addresses: Addresses) -> None:
    run_tests(package, addresses, *WITHOUT_IT)


@pytest.fixture
def service(addresses: Addresses, databases: Databases, tmp_path: Path) -> Iterator[Launcher]:
    """Processes on a database that is empty at first."""
    url = databases.create()
    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "var",
            COMPETITION_INI=str(DEVELOPMENT_INI),
            COMPETITION_DATABASE_URL=url,
            COMPETITION_REDIS_URL=addresses.redis_url,
            PYTHONPATH="",
        ),
    )
    yield launcher
    launcher.end_all()
    databases.drop(url)


def document_of(service: Launcher, **changes: str) -> str:
    """The service starts; what it says that it has."""
    port = free_port()
    base = f"http://127.0.0.1:{port}/v1"
    api = service.start(competition("api"), COMPETITION_SERVER_PORT=str(port), **changes)
    wait_until(lambda: api.says("Error") or is_healthy(base))
    assert call("GET", f"{base}/ready/")[0] == 200
    return str(call("GET", f"{base}/docs/spec")[1])


def test_it_comes_and_goes(service: Launcher, package: Path) -> None:
    installed = {"PYTHONPATH": str(package)}
    plugins = (
        "accounts docs exams leaderboard people questions records scores sittings verification"
    )

    service.succeed(competition("db", "upgrade"), **installed)
    service.succeed(competition("db", "check"), **installed)
    on = {**installed, "COMPETITION_PLUGINS": f"{plugins} certificates"}
    assert "code" in service.succeed(competition("certificates", "list"), **on)
    assert "/certificates/" in document_of(service, **on)

    off = {**installed, "COMPETITION_PLUGINS": plugins}
    assert service.run(competition("certificates", "list"), **off).returncode
    assert "certificate" not in document_of(service, **off)

    # Uninstalled: its tables are left.
    service.succeed(competition("db", "upgrade"), COMPETITION_PLUGINS=plugins)
    listed = service.succeed(competition("plugin", "list"), COMPETITION_PLUGINS=plugins)
    assert "certificates (competition-certificates 1.0.0) is gone" in listed
    assert "certificate" not in document_of(service, COMPETITION_PLUGINS=plugins)
