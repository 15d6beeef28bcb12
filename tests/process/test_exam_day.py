"""Break parts of the service during an exam that `competition rehearse` simulates."""

import os
import signal
import time
from contextlib import suppress

from competition.embedded.child import command_line
from competition.testing.waiting import wait_until
from tests.support.processes import competition, descendants, is_gone
from tests.support.repository import DEVELOPMENT_INI

# Without a grace period, the service submits saved drafts immediately.
GRACE = {"COMPETITION_SITTINGS_GRACE_MINUTES": "0"}
FEW = ("--candidates", "20", "--questions", "12", "--save-every", "1", "--minutes", "0.75")
MANY = ("--candidates", "200", "--questions", "12", "--save-every", "20", "--minutes", "2")
# When the test breaks parts of the service, in seconds after the start of the exam. Candidates
# submit after 108 seconds, or at the end.
BREAKS_AT, DATABASE_GOES_AT, DATABASE_COMES_AT = 50, 112, 130


def kill(up, *words):
    """Kill the processes of the service whose command line contains one of the words."""
    running = {pid: command_line(pid) for pid in descendants(up.pid)}
    for word in words:
        theirs = [pid for pid, line in running.items() if word in line]
        assert theirs, (word, running)
        for pid in theirs:
            # The process may already have ended together with its parent.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_no_acknowledged_answer_is_lost_when_processes_are_killed(launcher):
    up = launcher.start(competition("up", str(DEVELOPMENT_INI)), **GRACE)
    wait_until(lambda: up.says("Ctrl-C to stop everything"))
    place = f"http://127.0.0.1:{launcher.environment['PORT']}/v1"
    words = ("rehearse", "--base-url", place, str(DEVELOPMENT_INI))
    quiet = launcher.succeed(competition(*words, *FEW), **GRACE)
    assert "No answer was lost." in quiet and "5 asked, 5 answered" in quiet
    rehearsal = launcher.start(competition(*words, *MANY), **GRACE)
    wait_until(lambda: rehearsal.says("200 candidates"))
    begun = time.monotonic()

    def wait_for(seconds):
        wait_until(lambda: time.monotonic() > begun + seconds, pause=0.5)
        assert rehearsal.popen.poll() is None, rehearsal.output

    wait_until(lambda: rehearsal.says("sitting 200 "))
    wait_for(BREAKS_AT)
    kill(up, "competition.cli api", "valkey-server", "worker")
    wait_for(DATABASE_GOES_AT)
    # The supervisor is stopped, so nothing restarts PostgreSQL before the exam is over.
    up.popen.send_signal(signal.SIGSTOP)
    try:
        kill(up, "bin/postgres -D")
        wait_for(DATABASE_COMES_AT)
    finally:
        up.popen.send_signal(signal.SIGCONT)
    status = rehearsal.popen.wait(300)
    assert status == 0 and "No answer was lost." in rehearsal.output, rehearsal.output
    # The rehearsal has also checked that all acknowledged questions and announcements are there.
    assert "5 asked, 5 answered" in rehearsal.output, rehearsal.output
    processes = descendants(up.pid)
    assert up.end(signal.SIGTERM) == 0, up.output
    assert all(map(is_gone, processes)), "SIGTERM stops the servers and the programs"
