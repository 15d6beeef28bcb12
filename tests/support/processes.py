"""Run the real processes of the service, as an operator does."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from competition.core.monitoring.logs import REPEATED_AFTER
from competition.core.settings import environment_name
from competition.embedded.child import command_line
from competition.testing.waiting import PATIENCE, PATIENT_SETTINGS
from tests.support.ports import free_port
from tests.support.repository import REPOSITORY

# A package with a third-party plugin.
ELSEWHERE = Path(__file__).parent / "elsewhere"

Environment = dict[str, str]


def is_gone(pid: int) -> bool:
    return not command_line(pid)


def descendants(pid: int) -> list[int]:
    """The ids of all descendants of a process. Reads them from `ps`, which exists on every
    system.
    """
    listing = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    pairs = [tuple(map(int, line.split())) for line in listing.stdout.splitlines()]
    found = [pid]
    for parent in found:
        found += [child for child, of in pairs if of == parent]
    return found[1:]


def competition(*words: str) -> list[str]:
    return [sys.executable, "-m", "competition.cli", *words]


def script(name: str) -> str:
    """The path of a console script of this environment."""
    return str(Path(sys.executable).with_name(name))


def call(
    method: str, url: str, body: Any = None, key: str | None = None, token: str | None = None
) -> tuple[int, Any]:
    """Send a request; return the status and the JSON of the reply."""
    headers = {"Content-Type": "application/json"}
    if key:
        headers["X-Api-Key"] = key
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data=data, headers=headers, method=method)
    try:
        with urlopen(request, timeout=PATIENCE) as reply:
            return reply.status, json.load(reply)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def log_in(base_url: str, key: str, email: str, password: str) -> tuple[int, Any]:
    """Log in; return the status and the JSON of the reply."""
    return call("POST", f"{base_url}/auth/login/", {"email": email, "password": password}, key)


def is_healthy(base_url: str) -> bool:
    try:
        return call("GET", f"{base_url}/health/")[0] == 200
    except OSError:
        return False


# Code that runs several commands of `competition` and `alembic`, and prints their results.
COMMANDS = """
import io, json, sys
# Replaced before the imports, because Alembic keeps the stream that it finds.
sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
import alembic.config
from competition.cli import main

results = []
for program, *words in json.loads(sys.argv[1]):
    status = 0
    try:
        if program == "alembic":
            alembic.config.main(words, "alembic")
        else:
            main(words)
    except SystemExit as ending:
        status = ending.code or 0
    results.append([status, sys.stdout.getvalue(), sys.stderr.getvalue()])
    for stream in (sys.stdout, sys.stderr):
        stream.seek(0)
        stream.truncate()
json.dump(results, sys.__stdout__)
"""


@dataclass
class Done:
    """A command that has ended."""

    status: int
    output: str
    errors: str


@dataclass
class Process:
    """A process that a test started. Its output goes to a file."""

    popen: subprocess.Popen[bytes]
    log: Path
    began: float = field(default_factory=time.monotonic)

    @property
    def pid(self) -> int:
        return self.popen.pid

    @property
    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def says(self, text: str) -> bool:
        assert self.popen.poll() is None or text in self.output, self.output
        return text in self.output

    def complains_at_most_once_a_minute(self, text: str) -> bool:
        """Whether the log has this warning at most once for each minute that has begun."""
        minutes = (time.monotonic() - self.began) / REPEATED_AFTER
        return self.output.count(text) <= 1 + minutes

    def end(self, sign: signal.Signals) -> int:
        self.popen.send_signal(sign)
        return self.popen.wait(PATIENCE)


@dataclass
class Launcher:
    """Start processes with the same environment variables, and stop them after the test."""

    folder: Path
    environment: Environment
    cwd: Path = REPOSITORY
    started: list[Process] = field(default_factory=list)

    def start(self, command: list[str], **changes: str) -> Process:
        log = self.folder / f"process-{len(self.started)}.log"
        with log.open("wb") as output:
            popen = subprocess.Popen(
                command,
                cwd=self.cwd,
                env=self.environment | changes,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.started.append(Process(popen, log))
        return self.started[-1]

    def run(
        self, command: list[str], timeout: float = PATIENCE, **changes: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.cwd,
            env=self.environment | changes,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
        )

    def succeed(self, command: list[str], timeout: float = PATIENCE, **changes: str) -> str:
        """Run a command that must succeed; return its standard output."""
        done = self.run(command, timeout, **changes)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def run_all(self, *lines: str, **changes: str) -> list[Done]:
        """Run commands of `competition` and `alembic` one after the other in one process, because
        each process takes some seconds to start. A failed command does not stop the others."""
        words = json.dumps([shlex.split(line) for line in lines])
        printed = self.succeed([sys.executable, "-c", COMMANDS, words], 2 * PATIENCE, **changes)
        return [Done(*each) for each in json.loads(printed)]

    def end_all(self) -> None:
        for process in self.started:
            if process.popen.poll() is None:
                process.popen.terminate()
        for process in self.started:
            process.popen.wait(PATIENCE)


def environment(var: Path, **more: str) -> Environment:
    """Environment variables for a service in `var`, with free ports.

    The environment's own settings of a service are left out.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith("COMPETITION_")}
    return kept | {
        "PORT": str(free_port()),
        "WS_PORT": str(free_port()),
        "COMPETITION_VAR": str(var),
        "COMPETITION_MAIL_FOLDER": str(var / "mail"),
        "COMPETITION_STORAGE_FOLDER": str(var / "files"),
        # Warnings of libraries would clutter the output that tests compare.
        "PYTHONWARNINGS": "ignore",
        **{
            environment_name(f"competition.{name}"): value
            for name, value in PATIENT_SETTINGS.items()
        },
        **more,
    }
