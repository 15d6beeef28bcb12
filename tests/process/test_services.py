"""Embedded servers, started for tools that are run by hand."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from competition.cli import main
from competition.embedded.place import addresses, locate
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.embedded_servers import database
from tests.support.ports import free_port
from tests.support.processes import (
    ELSEWHERE,
    Launcher,
    Process,
    competition,
    descendants,
    environment,
    is_gone,
    is_healthy,
    script,
)
from tests.support.repository import DEVELOPMENT_INI

SERVICES = competition("services", str(DEVELOPMENT_INI))
WITH_OUTSIDE = {"COMPETITION_PLUGINS": "docs outside", "PYTHONPATH": str(ELSEWHERE)}


@pytest.fixture
def services(launcher: Launcher) -> Iterator[Process]:
    services = launcher.start(SERVICES)
    wait_until(lambda: services.says("Ctrl-C stops both."))
    yield services


@pytest.fixture(scope="module")
def upgraded(
    var: Path, tmp_path_factory: pytest.TempPathFactory
) -> subprocess.CompletedProcess[str]:
    """A command that created the tables, and then ended with the status 7."""
    upgrade = f"{script('alembic')} -c {DEVELOPMENT_INI} upgrade head"
    launcher = Launcher(tmp_path_factory.mktemp("upgraded"), environment(var))
    return launcher.run([*SERVICES, "--", "sh", "-c", f"{upgrade} && exit 7"])


def test_a_command_finds_the_servers_and_its_exit_status_is_returned(
    upgraded: subprocess.CompletedProcess[str],
) -> None:
    assert upgraded.returncode == 7, upgraded.stdout + upgraded.stderr


@pytest.mark.usefixtures("upgraded")
def test_the_tools_of_the_libraries_work_while_the_servers_run_and_sigterm_ends_them(
    services: Process, launcher: Launcher, var: Path, tmp_path: Path
) -> None:
    port = free_port()
    ini = tmp_path / "served.ini"
    ini.write_text(DEVELOPMENT_INI.read_text().replace("127.0.0.1:6543", f"127.0.0.1:{port}"))
    served = launcher.start([script("pserve"), str(ini)])
    settings = WITH_OUTSIDE | {"COMPETITION_INI": str(DEVELOPMENT_INI)}
    consumer = launcher.start([script("huey_consumer"), "competition.worker.huey"], **settings)
    launcher.succeed(competition("hold", str(tmp_path)), **settings)
    (tmp_path / "let-go").touch()
    wait_until(lambda: is_healthy(f"http://127.0.0.1:{port}/v1"))
    with database(addresses(var)) as connection:
        done = "select from job where name = 'outside.hold' and state = 'done'"
        wait_until(lambda: connection.execute(done).fetchone() is not None)
    assert consumer.says("huey_consumer starts: competition ")
    for process in (consumer, served):
        process.end(signal.SIGTERM)
    assert_ends(services, signal.SIGTERM)


def assert_ends(services: Process, sign: signal.Signals) -> None:
    family = descendants(services.pid)
    assert len(family) >= 2

    assert services.end(sign) == 0
    assert all(map(is_gone, family))


def test_a_command_ended_by_a_signal_returns_the_status_of_a_shell(launcher: Launcher) -> None:
    done = launcher.run([*SERVICES, "--", "sh", "-c", "kill -KILL $$"])
    assert done.returncode == 128 + signal.SIGKILL


def test_a_sigterm_reaches_the_command(launcher: Launcher, tmp_path: Path) -> None:
    inner = f"trap 'exit 5' TERM; touch {tmp_path}/ready; while :; do sleep 0.1; done"
    services = launcher.start([*SERVICES, "--", "sh", "-c", inner])
    wait_until((tmp_path / "ready").exists)

    assert services.end(signal.SIGTERM) == 5


def test_a_missing_command_is_named(launcher: Launcher) -> None:
    refused = launcher.run([*SERVICES, "--", "no-such-program"])
    assert refused.returncode == 1
    assert "no-such-program can't be run" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_servers_running_elsewhere_are_named_and_end_with_ctrl_c(
    services: Process, launcher: Launcher, tmp_path: Path
) -> None:
    refused = launcher.run([*SERVICES, "--", "touch", str(tmp_path / "run")])

    assert refused.returncode == 1
    assert f"process {services.pid}" in refused.stderr
    assert not (tmp_path / "run").exists()
    assert_ends(services, signal.SIGINT)


def test_a_server_that_ends_unexpectedly_ends_both(services: Process) -> None:
    family = descendants(services.pid)
    os.kill(family[0], signal.SIGKILL)

    assert services.popen.wait(PATIENCE) == 1
    assert "ended unexpectedly" in services.output
    # The child processes of a killed PostgreSQL end a little later.
    wait_until(lambda: all(map(is_gone, family)))


def test_temporary_servers_leave_no_files(launcher: Launcher, tmp_path: Path) -> None:
    inner = "echo $COMPETITION_VAR; test -d $COMPETITION_VAR"
    output = launcher.succeed(
        [*SERVICES, "--temporary", "--", "sh", "-c", inner], TMPDIR=str(tmp_path)
    )
    temporary = Path(output.strip())

    assert temporary.is_relative_to(tmp_path)
    assert not temporary.exists()
    assert not locate(temporary).home.exists()


def test_without_an_embedded_url_there_is_nothing_to_run(tmp_path: Path) -> None:
    external = {
        "COMPETITION_DATABASE_URL": "postgresql+psycopg://db/competition",
        "COMPETITION_REDIS_URL": "redis://broker",
    }
    words, settings = ["services", str(DEVELOPMENT_INI)], environment(tmp_path / "var", **external)
    refused = CliRunner().invoke(main, words, env=settings)
    assert refused.exit_code == 1
    assert "no servers to run" in refused.stderr
