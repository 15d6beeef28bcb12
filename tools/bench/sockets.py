"""Measure the speed and the memory of live pushes, and compare them with targets.

On a busy machine, the numbers mean little.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from statistics import median
from typing import Any
from uuid import UUID, uuid4

import msgspec
from sqlalchemy import event, func, insert, select, text

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.database import Base
from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Runner
from competition.core.push.feeds import lock_feed
from competition.core.push.notify import announce
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.users import api_keys
from competition.core.users.credentials import AuthSession
from competition.core.users.models import User, candidate_number
from competition.core.work import begin
from competition.plugins.broadcasts import BroadcastSettings
from competition.plugins.broadcasts.models import Broadcast
from competition.plugins.notifications.models import Notification
from competition.plugins.notifications.services import FEED
from tools.bench.clients import Arrival, Clients
from tools.bench.processes import free_port

CANDIDATES = 10_000
LISTENING = 500
IDLE = 5_000
WARM_UP = 100
SINGLE_PUSHES = 20_000
ROUNDS = 3
# How long to wait for the process to free the memory of the handshakes, in seconds.
SETTLE = 3
SOCKET_PATH = f"{API_PREFIX}/ws/notifications/"

verdicts: list[bool] = []


def report(what: str, value: float, unit: str, met: bool = True, target: float = 0) -> None:
    """Print a result. A result without a target is only for comparison."""
    verdicts.append(met)
    verdict = f"   target {target:g}: {'met' if met else 'MISSED'}" if target else ""
    print(f"{what:<52} {value:>9,.3f} {unit:<3}{verdict}", flush=True)


class Season:
    """Ten thousand candidates, each with a session."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        # The times at which notifications were committed, taken just before the commit.
        self._stored: list[float] = []
        self._is_storing = False
        # The id of each candidate's session.
        self._sessions: dict[UUID, UUID] = {}
        with begin(runtime) as work:
            self._key = api_keys.create(work, f"benchmark {uuid4()}")
            self._insert(work)
        engine = runtime.database.changing.engine
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("vacuum analyze"))
        event.listen(engine, "before_cursor_execute", self._note_statement)
        event.listen(engine, "commit", self._note_commit)

    def _insert(self, work: Any) -> None:
        for _ in range(CANDIDATES):
            self._sessions[uuid4()] = uuid4()
        first = work.db.scalar(select(func.next_value(candidate_number)))
        work.db.execute(
            insert(Base.metadata.tables[User.__tablename__]),
            [
                {
                    "id": user_id,
                    "kind": "candidate",
                    "email": f"{user_id}@school.example",
                    "password_hash": "none",
                    "first_name": "Ada",
                    "last_name": str(user_id),
                    "phone": "+4912345678",
                    "school": "Hillside School",
                    "role": "screening",
                    "number": first + index,
                    "is_email_verified": True,
                    "verification": "approved",
                    "is_active": True,
                    "date_joined": work.now,
                    "updated_at": work.now,
                }
                for index, user_id in enumerate(self._sessions)
            ],
        )
        work.db.execute(
            insert(AuthSession),
            [
                {
                    "id": session_id,
                    "user_id": user_id,
                    "refresh_jti": uuid4(),
                    "created_at": work.now,
                    "refreshed_at": work.now,
                }
                for user_id, session_id in self._sessions.items()
            ],
        )

    def _note_statement(self, connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        self._is_storing = self._is_storing or "into notification" in statement.lower()

    def _note_commit(self, connection: Any) -> None:
        if self._is_storing:
            self._stored.append(time.monotonic())
            self._is_storing = False

    def some(self, count: int) -> list[UUID]:
        """`count` of the candidates, spread evenly over all candidates."""
        everybody = sorted(self._sessions)
        return everybody[:: len(everybody) // count][:count]

    def headers(self, users: list[UUID]) -> list[dict[str, str]]:
        issue, now = self.runtime.tokens.issue, self.runtime.clock()
        return [
            {
                "X-Api-Key": self._key,
                "Authorization": "Bearer "
                + issue("access", user_id, self._sessions[user_id], uuid4(), now),
            }
            for user_id in users
        ]

    def broadcast(self) -> float:
        """Send a broadcast to all candidates on the platform. Return how long its job took, in
        seconds."""
        with begin(self.runtime) as work:
            asked = Broadcast(
                subject="The league is open",
                message="Congratulations!\n\nThe league exam is open. Good luck.",
                mediums=["platform"],
                target_roles={"candidate": ["screening"]},
                created_by_id=min(self._sessions),
                created_at=work.now,
            )
            work.db.add(asked)
            work.db.flush()
            jobs.enqueue(work, "broadcasts.send", broadcast_id=asked.id)
        with begin(self.runtime) as work:
            job_id = work.db.scalars(select(func.max(Job.id))).one()
        self._stored.clear()
        started = time.monotonic()
        assert Runner(self.runtime).run(job_id)
        seconds = time.monotonic() - started
        with begin(self.runtime) as work:
            assert work.db.get_one(Job, job_id).state == "done"
        return seconds

    def delays(self, arrivals: list[Arrival]) -> list[float]:
        """How long each frame of the last broadcast took after the commit of its notification, in
        seconds. Notifications have consecutive ids, and each batch is one commit.
        """
        with begin(self.runtime) as work:
            until = work.db.scalars(select(func.max(Notification.id))).one()
        size = self.runtime.settings[BroadcastSettings].batch
        first = until - CANDIDATES + 1
        return [each.at - self._stored[(_id_of(each) - first) // size] for each in arrivals]

    def notify_each(self, users: list[UUID], count: int) -> float:
        """Create `count` notifications. Each has one recipient and a text of its own.

        Returns the time of the commit.
        """
        with begin(self.runtime) as work:
            lock_feed(work, FEED)
            work.db.execute(
                text(
                    "with told as (select n, users[1 + n % cardinality(users)] as user_id"
                    " from generate_series(1, :count) as n,"
                    " (select cast(:users as uuid[]) as users) as given),"
                    " said as (insert into notice (subject, message)"
                    " select 'Subject ' || n, 'What user ' || n || ' is told.' from told order by n"
                    " returning id),"
                    " numbered as (select id, row_number() over (order by id) as n from said)"
                    " insert into notification (notice_id, user_id, created_at)"
                    " select numbered.id, told.user_id, :now from numbered join told using (n)"
                    " order by n"
                ),
                {"users": users, "count": count, "now": work.now},
            )
            announce(work, FEED)
        return self._stored[-1]


def _id_of(arrival: Arrival) -> int:
    number: int = msgspec.json.decode(arrival.payload)["message"]["id"]
    return number


@contextmanager
def running(command: list[str], **changes: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, *command],
        env=os.environ | changes,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def socket_process(port: int | None = None) -> Iterator[tuple[subprocess.Popen[str], int]]:
    port = port or free_port()
    command = ["-m", "competition.cli", "ws"]
    with running(command, COMPETITION_WS_PORT=str(port)) as process:
        while not is_healthy(port):
            assert process.poll() is None, "`competition ws` does not start"
            time.sleep(0.1)
        yield process, port


@contextmanager
def bare_library() -> Iterator[tuple[subprocess.Popen[str], int]]:
    port = free_port()
    with running(["-m", "tools.bench.bare", str(port)]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process, port


def is_healthy(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", f"{API_PREFIX}/health/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def memory(process: subprocess.Popen[str]) -> int:
    """The resident memory of a process, in KiB."""
    listing = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(process.pid)], capture_output=True, text=True, check=True
    )
    return int(listing.stdout)


def measure_broadcasts(season: Season) -> None:
    stored = median(season.broadcast() for _ in range(ROUNDS))
    report(f"(a) a broadcast to {CANDIDATES:,}, stored by one worker", stored, "s", stored <= 2, 2)
    delays = []
    with socket_process() as (_, port), Clients() as clients:
        clients.open(port, SOCKET_PATH, season.headers(season.some(LISTENING)))
        # Use more rounds here, because PostgreSQL plans a statement again for each of its first
        # five executions.
        for _ in range(2 * ROUNDS + 1):
            clients.expect(LISTENING)
            season.broadcast()
            arrivals = clients.arrived()
            assert len({each.client for each in arrivals}) == LISTENING
            delays.append(season.delays(arrivals))
    for name, which in (("first", 0), ("median", LISTENING // 2), ("last", -1)):
        worst = max(sorted(each)[which] for each in delays)
        report(
            f"(b) from its commit to the {name} of {LISTENING} clients",
            worst,
            "s",
            worst <= 0.5,
            0.5,
        )


def measure_memory(season: Season) -> None:
    headers = season.headers(season.some(IDLE))
    costs = []
    for server, path in ((socket_process, SOCKET_PATH), (bare_library, "/")):
        with server() as (process, port), Clients() as clients:
            # The first sockets also allocate memory that all sockets share. Don't count it.
            clients.open(port, path, headers[:WARM_UP])
            before = memory(process)
            clients.open(port, path, headers[WARM_UP:])
            time.sleep(SETTLE)
            costs.append((memory(process) - before) / (IDLE - WARM_UP))
    own, bare = costs
    report(f"(c) memory of one of {IDLE:,} idle sockets", own, "KiB", own < 20, 20)
    report("    the bare library", bare, "KiB")


def measure_single_pushes(season: Season) -> None:
    users = season.some(LISTENING)
    headers = season.headers(users)
    own, bare = [], []
    with ExitStack() as stack:
        _, port = stack.enter_context(socket_process())
        bare_process, bare_port = stack.enter_context(bare_library())
        clients, bare_clients = (stack.enter_context(Clients()) for _ in range(2))
        clients.open(port, SOCKET_PATH, headers)
        bare_clients.open(bare_port, "/", headers)
        for _ in range(ROUNDS):
            clients.expect(SINGLE_PUSHES)
            committed = season.notify_each(users, SINGLE_PUSHES)
            own.append(rate(committed, clients.arrived()))
            bare_clients.expect(SINGLE_PUSHES)
            started = time.monotonic()
            assert bare_process.stdin is not None
            bare_process.stdin.write(f"{SINGLE_PUSHES}\n")
            bare_process.stdin.flush()
            bare.append(rate(started, bare_clients.arrived()))
    ratio = median(own) / median(bare)
    report("(d) pushes to single users, by one process", median(own), "/s")
    report("    the bare library", median(bare), "/s")
    report("    ratio", ratio, "", ratio >= 0.5, 0.5)


def rate(started: float, arrivals: list[Arrival]) -> float:
    return len(arrivals) / (arrivals[-1].at - started)


def main(ini: Ini) -> bool:
    """Print the results, and return whether all targets are met."""
    database.upgrade(ini)
    with ini.runtime() as runtime:
        season = Season(runtime)
        measure_broadcasts(season)
        measure_memory(season)
        measure_single_pushes(season)
    return all(verdicts)
