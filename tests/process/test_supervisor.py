"""The supervisor with small test programs instead of the service."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from competition import supervisor
from competition.supervisor import GivenUp, Program, Restarts, StopRequest, Supervisor
from competition.testing.waiting import wait_until
from tests.support.processes import is_gone


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "FIRST_BACKOFF", 0.01)
    monkeypatch.setattr(supervisor, "PAUSE", 0.01)


def program(command: str, said: list[str]) -> Program:
    return Program("the program", ["sh", "-c", command], said.append)


def test_a_program_that_always_ends_immediately_is_not_restarted_forever() -> None:
    said: list[str] = []
    gives_up = pytest.raises(
        GivenUp, match=r"the program ended \(exit status 3\), 4 times in a row"
    )
    with Supervisor([program("exit 3", said)], StopRequest()) as running, gives_up:
        running.run(until=lambda: False)

    assert len(said) == 3
    assert said[-1] == "the program ended (exit status 3). It starts again in 0.04 s."


def test_a_signal_without_a_name_is_described_by_its_number() -> None:
    assert supervisor.describe(-signal.SIGKILL) == "killed by SIGKILL"
    assert supervisor.describe(-(signal.SIGRTMIN + 1)) == f"killed by signal {signal.SIGRTMIN + 1}"


def test_a_program_that_has_run_is_restarted_after_a_short_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(supervisor, "SETTLED_AFTER", 0.0)
    said: list[str] = []
    with Supervisor([program("exit 3", said)], StopRequest()) as running:
        running.run(until=lambda: len(said) == 6)

    assert set(said) == {"the program ended (exit status 3). It starts again in 0.01 s."}


def test_an_end_after_a_long_run_is_not_one_of_the_early_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0
    monkeypatch.setattr(supervisor, "time", SimpleNamespace(monotonic=lambda: now))
    said: list[str] = []
    restarts = Restarts("the program", said.append)

    def run(seconds: float) -> None:
        nonlocal now
        restarts.started()
        now += seconds
        restarts.ended("exit status 3")

    for lived in (1, 1, 1, 6, 1, 1, 1):
        run(lived)
    pauses = [each.split()[-2] for each in said]
    assert pauses == ["0.01", "0.02", "0.04", "0.01", "0.01", "0.02", "0.04"]
    with pytest.raises(GivenUp):
        run(1)


def test_programs_can_finish_their_work_before_they_stop(tmp_path: Path) -> None:
    done, ready = tmp_path / "done", tmp_path / "ready"
    script = (
        f"trap 'sleep 0.2; touch {done}; exit' TERM; touch {ready}; while :; do sleep 0.1; done"
    )
    with Supervisor([program(script, [])], StopRequest()) as running:
        running.run(until=ready.exists)

    assert done.exists()


STUBBORN = "trap '' TERM; echo $$ > {pid}; while :; do sleep 0.1; done"


def test_a_program_that_does_not_stop_in_time_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "DRAIN", 0.1)
    pid = tmp_path / "pid"
    with Supervisor([program(STUBBORN.format(pid=pid), [])], StopRequest()) as running:
        running.run(until=lambda: pid.exists() and pid.read_text())

    assert is_gone(int(pid.read_text()))


def test_a_second_stop_request_kills_the_programs(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    stubborn = program(STUBBORN.format(pid=pid), [])
    with StopRequest() as request, Supervisor([stubborn], request) as running:
        running.run(until=lambda: pid.exists() and pid.read_text())
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        running.run(until=lambda: pytest.fail("it runs on"))

    assert is_gone(int(pid.read_text()))


def test_a_program_dies_with_a_killed_supervisor(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = (
        "from competition.supervisor import *\n"
        f"program = Program('it', ['sh', '-c', {STUBBORN.format(pid=pid)!r}], print)\n"
        "with Supervisor([program], StopRequest()) as running: running.run(until=lambda: False)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    wait_until(lambda: pid.exists() and pid.read_text())
    parent.kill()
    parent.wait()

    wait_until(lambda: is_gone(int(pid.read_text())))
