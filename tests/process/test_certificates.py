"""The example of a third-party plugin: install, enable, disable and uninstall it, and run its
tests.

`make test` runs the tests of the service with the example enabled, and `make check` checks its
types.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from competition.embedded import Addresses
from competition.testing.databases import SERVERS_VARIABLE
from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.processes import Launcher, call, competition, is_healthy
from tests.support.repository import REPOSITORY

EXAMPLE = REPOSITORY / "examples/competition-certificates"
# How long the tests of the example may take, in seconds.
PATIENCE = 300


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Install the package in a folder. Processes with this folder on their path have the plugin."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, *offline, f"--target={tmp_path / 'lib'}", str(EXAMPLE)], check=True)
    return tmp_path / "lib"


@pytest.fixture
def service(on_empty: Launcher) -> Launcher:
    """Start processes on a new, empty database."""
    on_empty.environment |= {"PYTHONPATH": ""}
    return on_empty


def document_of(service: Launcher, **changes: str) -> str:
    """Start the service and return its OpenAPI document."""
    port = free_port()
    base = f"http://127.0.0.1:{port}/v1"
    api = service.start(competition("api"), COMPETITION_SERVER_PORT=str(port), **changes)
    wait_until(lambda: api.says("Error") or is_healthy(base))
    assert call("GET", f"{base}/ready/")[0] == 200
    return str(call("GET", f"{base}/docs/spec")[1])


def test_the_example_plugin_can_be_installed_and_uninstalled(
    service: Launcher, package: Path
) -> None:
    installed = {"PYTHONPATH": str(package)}
    plugins = "accounts docs exams leaderboard people questions scores sittings verification"

    on = {**installed, "COMPETITION_PLUGINS": f"{plugins} certificates"}
    upgraded, checked, listed = service.run_all(
        "competition db upgrade", "competition db check", "competition certificates list", **on
    )
    assert (upgraded.status, checked.status, listed.status) == (0, 0, 0)
    assert "code" in listed.output
    assert "/certificates/" in document_of(service, **on)

    off = {**installed, "COMPETITION_PLUGINS": plugins}
    missing, routes = service.run_all("competition certificates list", "competition routes", **off)
    assert missing.status and routes.status == 0
    assert "/exams/" in routes.output and "certificate" not in routes.output

    # Without the folder on the path the plugin is uninstalled, but its tables remain.
    upgraded, listed, routes = service.run_all(
        "competition db upgrade",
        "competition plugin list",
        "competition routes",
        COMPETITION_PLUGINS=plugins,
    )
    assert (upgraded.status, listed.status, routes.status) == (0, 0, 0)
    assert "certificates is not installed. Its tables: certificates_certificate" in listed.output
    assert "/exams/" in routes.output and "certificate" not in routes.output


def test_the_example_plugin_passes_its_tests(
    package: Path, addresses: Addresses, tmp_path: Path
) -> None:
    mine = {name: each for name, each in os.environ.items() if not name.startswith("COMPETITION_")}
    servers = f"{addresses.database_url} {addresses.redis_url}"
    variables = {**mine, "PYTHONPATH": str(package), SERVERS_VARIABLE: servers}
    author = Launcher(tmp_path, variables, cwd=EXAMPLE)
    author.succeed([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], PATIENCE)
