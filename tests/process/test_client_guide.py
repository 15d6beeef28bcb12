"""Run the snippets of the guide for clients in order, and check that they work."""

import os
import re
import signal
import sys

import pytest

from competition.embedded.child import command_line
from competition.testing.waiting import wait_until
from tests.support.processes import Launcher, competition, descendants, environment
from tests.support.repository import DEVELOPMENT_INI, REPOSITORY

GUIDE = REPOSITORY / "docs" / "client-guide.md"


def snippets(language):
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)
    assert blocks
    return "\n".join(blocks)


@pytest.fixture(scope="module")
def up(var, tmp_path_factory):
    """The service of both tests. The second one stops its supervisor and its PostgreSQL, and lets
    both go on."""
    launcher = Launcher(tmp_path_factory.mktemp("up"), environment(var))
    up = launcher.start(competition("up", str(DEVELOPMENT_INI)))
    wait_until(lambda: up.says("Ctrl-C to stop everything"))
    yield up
    launcher.end_all()


def test_every_snippet_runs(up, launcher, var, tmp_path):
    (tmp_path / "var").symlink_to(var)
    for command in (
        # Plain `sh`, so that the snippets work in every shell.
        ["sh", "-eu", "-c", snippets("sh")],
        [sys.executable, "-c", snippets("python")],
    ):
        done = launcher.run(["env", "-C", str(tmp_path), *command])
        assert done.returncode == 0, done.stdout + done.stderr


# Code that starts PostgreSQL again when the client pauses for the third time.
DURING_THE_OUTAGE = """
import os, signal, sys
pauses, longest, sleep = [], [], time.sleep

def pause(seconds):
    pauses.append(seconds)
    if len(pauses) == 3:
        os.kill(int(sys.argv[1]), signal.SIGCONT)
    if len(pauses) >= 3:
        sleep(seconds)

def draw(least, most):
    longest.append(most)
    return most

time.sleep, random.uniform = pause, draw
answer = send(client(), "GET", "/docs/spec")
assert answer.status_code == 200 and not pauses
who, login = log_in(**service["superadmin"])
assert login["profile"]["role"] == "superadmin"
# As Retry-After says, and each time longer.
assert longest[:3] == [1, 2, 4] and pauses[:3] == [6, 7, 9], pauses
"""


def test_the_client_of_the_guide_survives_an_outage_of_the_database(up, launcher, var, tmp_path):
    (tmp_path / "var").symlink_to(var)
    [postgres] = (pid for pid in descendants(up.pid) if "bin/postgres -D" in command_line(pid))
    # Stop the supervisor, because it would restart PostgreSQL.
    up.popen.send_signal(signal.SIGSTOP)
    os.kill(postgres, signal.SIGINT)
    wait_until(lambda: not command_line(postgres))
    [first, *_] = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)
    assert "def log_in(" in first
    script = [sys.executable, "-c", first + DURING_THE_OUTAGE, str(up.pid)]
    done = launcher.run(["env", "-C", str(tmp_path), *script])
    assert done.returncode == 0, done.stdout + done.stderr
