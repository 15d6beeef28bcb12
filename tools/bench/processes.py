"""Run the service as in production, with one process each for api, worker and sockets, and read the
CPU time of the processes."""

import os
import socket
import subprocess
import sys
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory

from competition.core.limits.counters import PRESETS
from competition.core.runtime import API_PREFIX
from competition.embedded import Servers
from competition.parent import ending_with_parent
from tools.bench.load import ask

PATIENCE = 300
PAUSE = 0.05
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
MANY = 100_000_000
# The programs whose CPU time is counted, for the service and for the baselines.
OF_SERVICE = ("api", "worker", "sockets", "postgres", "valkey")
OF_FLOOR = ("floor", "postgres")
METRICS_TOKEN = "of the bench"


@dataclass(frozen=True)
class Running:
    """The ports, and the process ids by program."""

    api: int
    floor: int
    pids: Mapping[str, int]

    def ask(self, sent: bytes) -> tuple[int, bytes, bytes]:
        """Send one request to the api, and return status, head and body of the reply."""
        return ask(self.api, sent)

    def cpu(self, names: tuple[str, ...]) -> dict[str, float]:
        """The CPU time of these programs and their children since the start, in seconds."""
        return {name: cpu(self.pids[name]) for name in names}

    def memory(self, name: str) -> int:
        """The private memory of a program and its children, in KiB."""
        return sum(_memories(self.pids[name], "Private_"))

    def shares_of_memory(self, name: str) -> list[int]:
        """The memory of each process of a program, in KiB, its children last. Of memory that
        several processes share, each counts its share (PSS)."""
        return _memories(self.pids[name], "Pss:")


@contextmanager
def temporary_servers(**changes: str) -> Iterator[Servers]:
    """Context manager: an empty PostgreSQL and Valkey, deleted at the end of the block.

    Inside the block, environment variables make new processes use these servers, with the settings
    of production. `changes` are further variables.
    """
    with TemporaryDirectory() as folder:
        var = Path(folder)
        servers = Servers(var)
        before = dict(os.environ)
        try:
            servers.start()
            os.environ.update({**_production(var, servers), **changes})
            yield servers
        finally:
            os.environ.clear()
            os.environ.update(before)
            servers.erase()


def _production(var: Path, servers: Servers) -> dict[str, str]:
    # Count requests in as many windows as in production, but with limits that no caller reaches.
    limits = {
        f"COMPETITION_RATELIMIT_{whose.upper()}": " ".join(
            f"{MANY}/{rate.seconds}second" for rate in rates
        )
        for whose, rates in vars(PRESETS["standard"]).items()
        if rates
    }
    return {
        **limits,
        "COMPETITION_ENVIRONMENT": "production",
        "COMPETITION_VAR": str(var),
        "COMPETITION_DATABASE_URL": servers.addresses.database_url,
        "COMPETITION_REDIS_URL": servers.addresses.redis_url,
        "COMPETITION_SIGNING_KEYS": os.urandom(32).hex(),
        "COMPETITION_RECEIPTS_KEYS": urlsafe_b64encode(os.urandom(32)).decode().rstrip("="),
        "COMPETITION_PUBLIC_URL": "https://league.example.org",
        "COMPETITION_SUPPORT_EMAIL": "support@league.example.org",
        "COMPETITION_MAIL_SENDER": "league@league.example.org",
        "COMPETITION_METRICS_TOKEN": METRICS_TOKEN,
        "COMPETITION_MAIL_FOLDER": str(var / "mail"),
        "COMPETITION_STORAGE_FOLDER": str(var / "files"),
        "COMPETITION_SERVER_WORKERS": "1",
        # The staff of the bench have no second factor.
        "COMPETITION_SESSIONS_SECOND_FACTOR_FROM": "",
    }


@contextmanager
def service(ini: Path, servers: Servers, threads: int) -> Iterator[Running]:
    """Context manager: run the programs of the service, and the server of the baselines."""
    ports = {name: free_port() for name in ("api", "sockets", "floor")}
    environment = {
        **os.environ,
        # As in the units of deploy/systemd.
        "MALLOC_ARENA_MAX": "2",
        "COMPETITION_SERVER_PORT": str(ports["api"]),
        "COMPETITION_SERVER_THREADS": str(threads),
        "COMPETITION_WS_PORT": str(ports["sockets"]),
    }
    program = [sys.executable, "-m", "competition.cli"]
    commands = {
        "api": [*program, "api", str(ini)],
        "worker": [*program, "worker", str(ini)],
        "sockets": [*program, "ws", str(ini)],
        "floor": [
            *(sys.executable, "-m", "tools.bench.floor"),
            *(str(ports["floor"]), servers.addresses.database_url),
        ],
    }
    with ExitStack() as stack:
        pids = {
            name: stack.enter_context(running(command, environment)).pid
            for name, command in commands.items()
        }
        children = _children(os.getpid())
        for name in ("postgres", "valkey"):
            [pids[name]] = [pid for pid in children if name in _program(pid)]
        wait_for(ports["api"], f"{API_PREFIX}/health/")
        wait_for(ports["floor"], "/bare/")
        yield Running(ports["api"], ports["floor"], pids)


@contextmanager
def running(
    command: list[str], environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Context manager: a program that ends with the block."""
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=ending_with_parent(),
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, path: str) -> None:
    """Wait until the path answers 200. Raises TimeoutError after `PATIENCE` seconds."""
    until = time.monotonic() + PATIENCE
    while True:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", path)
            if connection.getresponse().status == 200:
                return
        except (OSError, HTTPException):
            pass
        finally:
            connection.close()
        if time.monotonic() > until:
            raise TimeoutError(f"{path} on port {port} does not answer")
        time.sleep(PAUSE)


def cpu(pid: int) -> float:
    """The CPU time of a process and its descendants, in seconds, including those that have ended.

    It needs /proc, so it works only on Linux.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    ended = sum(map(int, fields[13:15])) / TICKS_PER_SECOND
    return _own_cpu(pid) + ended + sum(map(cpu, _children(pid)))


def _own_cpu(pid: int) -> float:
    """The CPU time of a process's threads, in seconds. /proc would round it to hundredths."""
    try:
        # The id of the process's CPU clock, as clock_getcpuclockid(3) computes it.
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0.0


def _memories(pid: int, kind: str) -> list[int]:
    """The pages of one kind of a process and of each of its descendants, in KiB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    own = sum(int(line.split()[1]) for line in lines if line.startswith(kind))
    return [own, *(each for child in _children(pid) for each in _memories(child, kind))]


def _children(pid: int) -> list[int]:
    try:
        return [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    # The process has just ended. PostgreSQL, for example, has short maintenance processes.
    except (FileNotFoundError, ProcessLookupError):
        return []


def _program(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0].decode()
