"""Measures a path: its requests in turns with the two yardsticks."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

from sqlalchemy import create_engine, text

from competition.bench.load import Answered, Load, message
from competition.bench.paths import Path, unchanged
from competition.bench.processes import OF_FLOOR, OF_SERVICE, PAUSE, Running
from competition.bench.world import PASSWORD, World, email
from competition.core.auth import passwords

WAITING = text("select count(*) from job where state in ('pending', 'running') and name = :name")
SCORING = "scores.score"
WARM_UP = 40
HASHES = 20


@dataclass
class Measured:
    """Of one path. Milliseconds are of one request; `statements` and `round_trips` to PostgreSQL
    too. `in_a` and `in_bare` are CPU time, in that of a yardstick of the same turns."""

    path: str
    per_second: float
    p50: float
    p99: float
    cpu: dict[str, float]
    in_a: float
    in_bare: float
    at_most: float
    statements: int = 0
    round_trips: int = 0

    @property
    def total(self) -> float:
        return sum(self.cpu.values())


@dataclass
class _Turns:
    """What all turns of one target took together."""

    requests: int = 0
    seconds: float = 0
    each: list[float] = field(default_factory=list)
    cpu: Counter[str] = field(default_factory=Counter)

    def add(self, answered: Answered, cpu: dict[str, float]) -> None:
        self.requests += len(answered.seconds)
        self.seconds += answered.took
        self.each += answered.seconds
        self.cpu.update(cpu)

    @property
    def milliseconds(self) -> dict[str, float]:
        """Of CPU, a request."""
        return {name: 1000 * spent / self.requests for name, spent in self.cpu.items()}

    @property
    def total(self) -> float:
        return sum(self.milliseconds.values())


class Measurement:
    def __init__(
        self,
        running: Running,
        world: World,
        load: Load,
        database_url: str,
        connections: int,
    ) -> None:
        self._running = running
        self._world = world
        self._load = load
        self._connections = connections
        self._engine = create_engine(database_url, isolation_level="AUTOCOMMIT")

    def measure(self, path: Path, turns: int, requests: int) -> Measured:
        """In so many turns, of so many requests each. Raises RuntimeError for another status."""
        own, one_row, bare = _Turns(), _Turns(), _Turns()
        if not path.once:
            # Of each caller: who saves a draft for the first time does more than ever after.
            self._drive(path, 1, max(WARM_UP, requests), _Turns())
        for turn in range(turns):
            self._yardstick("/one-row/?email={email}", requests, one_row)
            self._drive(path, 1 + turn * requests, requests, own)
            self._yardstick("/bare/", requests, bare)
        if path.hash:
            own.cpu.subtract({"api": _seconds_of_a_hash() * own.requests})
        return Measured(
            path=path.name,
            per_second=own.requests / own.seconds,
            p50=1000 * median(own.each),
            p99=1000 * quantiles(own.each, n=100)[98],
            cpu=own.milliseconds,
            in_a=own.total / one_row.total,
            in_bare=own.total / bare.total,
            at_most=path.at_most,
        )

    def _drive(self, path: Path, first: int, requests: int, turns: _Turns) -> None:
        sent = path.requests(self._world, first, requests)
        if path.status == 304:
            sent = unchanged(self._running.api, sent)

        def wait() -> None:
            if path.jobs:
                self._until_scored()

        connections = 1 if path.hash else self._connections
        self._send(self._running.api, sent, path.status, OF_SERVICE, turns, wait, connections)

    def _yardstick(self, path: str, requests: int, turns: _Turns) -> None:
        sent = [message("GET", path.format(email=email(1 + each))) for each in range(requests)]
        self._send(self._running.floor, sent, 200, OF_FLOOR, turns, lambda: None, self._connections)

    def _send(
        self,
        port: int,
        sent: Sequence[bytes],
        status: int,
        programs: tuple[str, ...],
        turns: _Turns,
        wait: Callable[[], None],
        connections: int,
    ) -> None:
        before = self._running.cpu(programs)
        answered = self._load.send(port, sent, connections)
        wait()
        after = self._running.cpu(programs)
        if set(answered.statuses) != {status}:
            raise RuntimeError(f"{sent[0].split()[1]!r} answers {answered.statuses}")
        turns.add(answered, {name: after[name] - before[name] for name in programs})

    def _until_scored(self) -> None:
        with self._engine.connect() as connection:
            waiting: Any = 1
            while waiting:
                time.sleep(PAUSE)
                waiting = connection.scalar(WAITING, {"name": SCORING})


def _seconds_of_a_hash() -> float:
    password_hash = passwords.hash_password(PASSWORD)
    begun = time.process_time()
    for _ in range(HASHES):
        passwords.matches(password_hash, PASSWORD)
    return (time.process_time() - begun) / HASHES
