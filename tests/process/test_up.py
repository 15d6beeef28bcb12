"""`competition up` runs all processes under one supervisor.

Most tests share one running service. The tests that stop it come last, because each start takes
some seconds.
"""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from competition.cli import main
from competition.core.auth.access import StaffRole
from competition.embedded.child import command_line
from competition.embedded.place import locate
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.processes import (
    Environment,
    Launcher,
    call,
    competition,
    descendants,
    environment,
    is_gone,
    is_healthy,
    log_in,
)
from tests.support.repository import DEVELOPMENT_INI, REPOSITORY

UP = competition("up", "development.ini")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


class Up:
    """One service, which tests can stop and start repeatedly."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.log = var.parent / "up.log"
        self.environment = environment(var)
        self.base_url = f"http://127.0.0.1:{self.environment['PORT']}/v1"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def output(self) -> str:
        return self.log.read_text()

    def wait_until(self, is_so: Callable[[], Any]) -> None:
        # Evaluate the condition once per poll, because its value can change. For example, the
        # children of a killed process run for a moment longer.
        answers: list[Any] = []

        def settled() -> bool:
            answers.append(is_so())
            return bool(answers[-1]) or not self.is_running

        # Most conditions run `ps`, which takes longer than the usual pause.
        wait_until(settled, pause=0.2)
        assert answers[-1], self.output()

    def dev_file(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads((self.var / "dev.json").read_text())
        return said

    def start(self) -> None:
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                UP,
                cwd=REPOSITORY,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.wait_until(lambda: "The service is running." in self.output())

    def child(self, name: str) -> int | None:
        """The process id of a part of the service, or None if it isn't running."""
        ours = f"competition.cli {name} "
        # The api's own child processes have the same command line, but come later in the list.
        found = (pid for pid in descendants(self.pid) if ours in command_line(pid))
        return next(found, None)

    def end(self, sign: signal.Signals) -> int:
        """Signal the whole process group, as a terminal does; return the exit code."""
        assert self.process is not None
        os.killpg(self.pid, sign)
        return self.process.wait(PATIENCE)


@pytest.fixture(scope="module")
def shared_up(var: Path) -> Iterator[Up]:
    up = Up(var)
    yield up
    if up.is_running:
        up.end(signal.SIGINT)


@pytest.fixture
def up(shared_up: Up) -> Up:
    """A running service, which has the data of earlier tests."""
    if not shared_up.is_running:
        shared_up.start()
    return shared_up


def assert_credentials_work(up: Up) -> None:
    said = up.dev_file()
    status, reply = log_in(up.base_url, said["api_key"], **said["superadmin"])
    assert status == 200, reply
    assert reply["profile"]["role"] == "superadmin"
    for role, email in said["logins"].items():
        password = said["superadmin"]["password"]
        status, reply = log_in(up.base_url, said["api_key"], email, password)
        assert status == 200, reply
        assert reply["profile"]["status"] == "active"
        assert role in (reply["profile"]["role"], reply["profile"]["profile_type"])


def register(up: Up, email: str) -> None:
    """Register a candidate. A job then sends an email."""
    person = {
        "email": email,
        "first_name": "Ada",
        "last_name": "Lovelace",
        "phone": "+4912345678",
        "school": "Hillside School",
        "generate_password": True,
    }
    status, reply = call(
        "POST", f"{up.base_url}/register/candidate/", person, up.dev_file()["api_key"]
    )
    assert status == 201, reply


def mails(up: Up) -> str:
    return "".join(path.read_text() for path in (up.var / "mail").glob("*.eml"))


def exams_to_sit(up: Up) -> list[dict[str, Any]]:
    """The exams that the candidate of dev.json can sit."""
    said = up.dev_file()
    key, password = said["api_key"], said["superadmin"]["password"]
    _, login = log_in(up.base_url, key, said["logins"]["candidate"], password)
    url = f"{up.base_url}/dashboard/candidate/"
    status, found = call("GET", url, key=key, token=login["access"])
    assert status == 200, found
    exams: list[dict[str, Any]] = found["available_exams"]
    return exams


def promote_candidate(up: Up) -> None:
    """Promote the candidate of dev.json to the league."""
    said = up.dev_file()
    key, password = said["api_key"], said["superadmin"]["password"]
    _, login = log_in(up.base_url, key, said["superadmin"]["email"], password)
    _, found = log_in(up.base_url, key, said["logins"]["candidate"], password)
    path = f"/candidates/{found['profile']['user']['id']}/roles/assign/"
    status, reply = call(
        "PUT", up.base_url + path, {"role": "league"}, key=key, token=login["access"]
    )
    assert status == 200, reply


def up_here(environment: Environment) -> Result:
    """Run `up` in this process. It is refused before it starts any other."""
    return CliRunner().invoke(main, ["up", str(DEVELOPMENT_INI)], env=environment)


def test_a_taken_port_is_named_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        refused = up_here(environment(tmp_path / "var", PORT=str(port)))
    assert refused.exit_code == 1
    assert f"Port {port} of 127.0.0.1 is in use" in refused.stderr and "PORT=" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not locate(tmp_path / "var").home.exists()


def test_up_does_not_run_in_production(tmp_path: Path) -> None:
    production = {
        "COMPETITION_ENVIRONMENT": "production",
        "COMPETITION_PUBLIC_URL": "https://league.example",
    }
    refused = up_here({**environment(tmp_path / "var"), **production})
    assert refused.exit_code == 1
    assert "`competition up` is for development" in refused.stderr


def test_with_configured_servers_up_starts_none_and_sigterm_stops_everything(
    beside: Launcher,
) -> None:
    up = beside.start(UP)
    wait_until(lambda: up.says("The service is running."))
    processes = descendants(up.pid)
    commands = [command_line(pid) for pid in processes]

    assert commands and all("competition.cli" in command for command in commands)
    assert up.end(signal.SIGTERM) == 0
    assert all(map(is_gone, processes))


def test_the_service_has_credentials_and_an_exam_and_rejects_a_second_up(
    up: Up, tmp_path: Path
) -> None:
    file = up.var / "dev.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    said, output = up.dev_file(), up.output()
    root = up.base_url.removesuffix("/v1")
    assert said == {
        "base_url": up.base_url,
        "ws_url": f"ws://127.0.0.1:{up.environment['WS_PORT']}/v1/ws/notifications/",
        "api_key": said["api_key"],
        "superadmin": {
            "email": "superadmin@league.example",
            "password": said["superadmin"]["password"],
        },
        "logins": {
            role: f"{role}@league.example"
            for role in (*(str(role) for role in StaffRole), "candidate")
        },
        "mail_dir": str(up.var / "mail"),
        "pages": {"portal": f"{root}/", "console": f"{root}/console/"},
    }
    assert_credentials_work(up)
    for text in (
        said["base_url"],
        f"{said['base_url']}/docs/spec",
        said["api_key"],
        *said["superadmin"].values(),
        *said["logins"].values(),
        *said["pages"].values(),
        said["mail_dir"],
        "The candidate can sit “An exam to try” in the portal.",
    ):
        assert text in output
    [exam] = exams_to_sit(up)
    assert (exam["title"], exam["enrollment"]) == ("An exam to try", "not_done")
    assert exam["question_count"] == 4

    second = Launcher(tmp_path, up.environment).run(UP)
    assert second.returncode == 1
    assert str(up.pid) in second.stderr and str(up.var) in second.stderr
    assert "Traceback" not in second.stderr
    assert is_healthy(up.base_url)


def test_killed_programs_are_named_and_started_again(up: Up) -> None:
    api, worker = up.child("api"), up.child("worker")
    assert api is not None and worker is not None
    workers = descendants(api)
    os.kill(worker, signal.SIGKILL)
    register(up, "patient@school.example")
    os.kill(api, signal.SIGKILL)
    up.wait_until(lambda: up.child("api") not in (None, api))
    up.wait_until(lambda: up.child("worker") not in (None, worker))
    # Wait until the old api processes have ended, because they might handle the next request.
    assert workers
    up.wait_until(lambda: all(map(is_gone, workers)))
    up.wait_until(lambda: is_healthy(up.base_url))
    for name in ("api", "worker"):
        assert f"{name} ended (killed by SIGKILL)." in up.output()
    up.wait_until(lambda: "patient@school.example" in mails(up))


def test_a_process_of_the_api_that_dies_is_replaced(up: Up) -> None:
    api = up.child("api")
    assert api is not None
    for pid in descendants(api):
        if "competition.cli api" in command_line(pid):
            os.kill(pid, signal.SIGKILL)
    up.wait_until(lambda: is_healthy(up.base_url))


def server(up: Up, name: str) -> int | None:
    """The process id of an embedded server, or None if it isn't running."""
    program = {"postgres": "bin/postgres -D", "valkey": "valkey-server --dir"}[name]
    return next((pid for pid in descendants(up.pid) if program in command_line(pid)), None)


@pytest.mark.parametrize("name", ["postgres", "valkey"])
def test_a_killed_server_is_named_and_started_again(up: Up, name: str) -> None:
    killed = server(up, name)
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    up.wait_until(lambda: server(up, name) not in (None, killed))
    up.wait_until(lambda: is_healthy(up.base_url))
    assert f"{name} ended (killed by SIGKILL). It starts again in 0.5 s." in up.output()
    assert_credentials_work(up)
    # The programs survived the restart, and their jobs are done.
    email = f"{name}@school.example"
    register(up, email)
    up.wait_until(lambda: email in mails(up))


def stop(up: Up) -> None:
    """Stop the service with Ctrl-C; check that this ends all its processes."""
    processes = descendants(up.pid)
    assert len(processes) > 4
    assert up.end(signal.SIGINT) == 0, up.output()
    assert all(map(is_gone, processes))
    assert "Traceback" not in up.output()


def test_a_sigkill_ends_all_processes_and_the_next_start_adds_no_exam(up: Up) -> None:
    before, to_sit = up.dev_file(), exams_to_sit(up)
    processes = descendants(up.pid)
    up.end(signal.SIGKILL)
    wait_until(lambda: all(map(is_gone, processes)), pause=0.2)

    up.start()
    assert up.dev_file() == before
    assert_credentials_work(up)
    assert exams_to_sit(up) == to_sit


def test_ctrl_c_stops_everything_and_the_next_start_creates_what_is_missing(up: Up) -> None:
    """Without dev.json, the credentials are invalid. A developer also promotes the candidate, who
    then needs an exam of the new stage.
    """
    before, to_sit = up.dev_file(), exams_to_sit(up)
    promote_candidate(up)
    stop(up)
    (up.var / "dev.json").unlink()

    up.start()
    after = up.dev_file()
    assert_credentials_work(up)
    for old in ("api_key", "superadmin"):
        said = {**after, old: before[old]}
        status, _ = log_in(up.base_url, said["api_key"], **said["superadmin"])
        assert status == 401
    [exam] = exams_to_sit(up)
    assert (exam["title"], exam["enrollment"]) == ("An exam to try", "not_done")
    assert exam not in to_sit


def test_a_server_that_keeps_dying_ends_everything(up: Up) -> None:
    processes = descendants(up.pid)
    killed: int | None = None

    def has_ended() -> bool:
        nonlocal killed
        if (valkey := server(up, "valkey")) not in (None, killed):
            assert valkey is not None
            os.kill(valkey, signal.SIGKILL)
            killed = valkey
        return not up.is_running

    wait_until(has_ended, pause=0.1)
    assert up.process is not None and up.process.returncode == 1, up.output()
    assert "valkey ended (killed by SIGKILL), 4 times in a row: giving up." in up.output()
    wait_until(lambda: all(map(is_gone, processes)))
