"""An exam day on which everything breaks, as `competition rehearse` plays it."""

import os
import re
import signal
from contextlib import suppress

import pytest

from competition.embedded.child import command_line
from competition.testing.waiting import wait_until
from tests.support.processes import competition, descendants
from tests.support.repository import DEVELOPMENT_INI

# Without a grace the service hands in at once what is saved.
GRACE = {"COMPETITION_SITTINGS_GRACE_MINUTES": "0"}
SIZE = ("--candidates", "20", "--questions", "12", "--save-every", "1")


def kill(up, *words):
    """Those parts of the service whose command lines have one of the words."""
    running = {pid: command_line(pid) for pid in descendants(up.pid)}
    for word in words:
        theirs = [pid for pid, line in running.items() if word in line]
        assert theirs, (word, running)
        for pid in theirs:
            # Children end with their parent.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.long
def test_no_acknowledged_answer_is_lost_whatever_is_killed(launcher):
    up = launcher.start(competition("up", str(DEVELOPMENT_INI)), **GRACE)
    wait_until(lambda: up.says("Ctrl-C stops everything"))
    place = f"http://127.0.0.1:{launcher.environment['PORT']}/v1"
    words = ("rehearse", *SIZE, "--base-url", place, str(DEVELOPMENT_INI), "--minutes")
    quiet = launcher.succeed(competition(*words, "0.15"), **GRACE)
    assert "No answer was lost." in quiet
    [by_candidates] = re.findall(r"(\d+) by candidates", quiet)
    # Two fifths are done well before the end.
    assert int(by_candidates) >= 8, quiet
    rehearsal = launcher.start(competition(*words, "0.5"), **GRACE)

    def lines():
        assert rehearsal.popen.poll() is None, rehearsal.output
        return rehearsal.output.count("  sitting ")

    wait_until(lambda: lines() == 2)
    kill(up, "competition.cli api", "valkey-server", "worker")
    wait_until(lambda: lines() == 5)
    # Nobody starts it again before the exam is over.
    up.popen.send_signal(signal.SIGSTOP)
    try:
        kill(up, "bin/postgres -D")
        wait_until(lambda: lines() == 7)
    finally:
        up.popen.send_signal(signal.SIGCONT)
    status = rehearsal.popen.wait(240)
    assert status == 0 and "No answer was lost." in rehearsal.output, rehearsal.output
