"""Measures a path: its requests in turns with the two yardsticks."""

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean, median, quantiles
from typing import Any

from sqlalchemy import create_engine, text

from competition.core.runtime import API_PREFIX
from tools.bench.load import Load, ask, message
from tools.bench.paths import Path, unchanged
from tools.bench.processes import METRICS_TOKEN, OF_FLOOR, OF_SERVICE, PAUSE, Running
from tools.bench.world import World, email

WAITING = text("select count(*) from job where state in ('pending', 'running') and name = :name")
SCORING = "scores.score"
WARM_UP = 40
HASHING = re.compile(rb"^competition_password_cpu_seconds_total (\S+)", re.MULTILINE)


@dataclass
class Measured:
    """What was measured of one path. Milliseconds and `statements` are those of one request.
    `in_a` and `in_bare` are CPU time relative to a yardstick of the same round: the median of the
    rounds, since now and then something else runs in one."""

    path: str
    per_second: float
    p50: float
    p99: float
    cpu: dict[str, float]
    in_a: float
    in_bare: float
    at_most: float
    statements: int = 0

    @property
    def total(self) -> float:
        return sum(self.cpu.values())


@dataclass
class _Turn:
    """`seconds` of each request, and what all `took`; `cpu` is in milliseconds a request, by what
    the process does."""

    seconds: Sequence[float]
    took: float
    cpu: Counter[str]

    def over(self, yardstick: "_Turn") -> float:
        return self.cpu.total() / yardstick.cpu.total()


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
        if not path.once:
            # Of each caller: who saves a draft for the first time does more than ever after.
            self._drive(path, 1, max(WARM_UP, requests))
        own, one_row, bare = zip(
            *(self._compare(path, 1 + turn * requests, requests) for turn in range(turns)),
            strict=True,
        )
        seconds = [each for turn in own for each in turn.seconds]
        return Measured(
            path=path.name,
            per_second=len(seconds) / sum(turn.took for turn in own),
            p50=1000 * median(seconds),
            p99=1000 * quantiles(seconds, n=100)[98],
            cpu={name: mean(turn.cpu[name] for turn in own) for name in OF_SERVICE},
            in_a=median(map(_Turn.over, own, one_row)),
            in_bare=median(map(_Turn.over, own, bare)),
            at_most=path.most(len(self._world.candidates)),
        )

    def _compare(self, path: Path, first: int, requests: int) -> tuple[_Turn, _Turn, _Turn]:
        """The path, A and the bare view."""
        one_row = self._yardstick("/one-row/?email={email}", first, requests)
        own = self._own(path, first, requests, one_row)
        return own, one_row, self._yardstick("/bare/", first, requests)

    def _own(self, path: Path, first: int, requests: int, one_row: _Turn) -> _Turn:
        if not path.hash:
            return self._drive(path, first, requests)
        own = self._without_hash(
            "api",
            f"{API_PREFIX}/metrics/",
            lambda: self._drive(path, first, requests),
        )
        with_hash = "/one-row-and-hash/?email={email}"
        cold = self._without_hash(
            *("floor", "/metrics/"),
            lambda: self._yardstick(with_hash, first, requests, connections=1),
        )
        own.cpu["api"] -= cold.cpu.total() - one_row.cpu.total()
        own.cpu.subtract(self._idle(own))
        return own

    def _without_hash(self, program: str, metrics: str, drive: Callable[[], _Turn]) -> _Turn:
        """Hashing takes nine tenths of it, and more or less with each turn: the program itself says
        how much."""
        before = self._hashing(program, metrics)
        turn = drive()
        turn.cpu.subtract({program: (self._hashing(program, metrics) - before) / len(turn.seconds)})
        return turn

    def _hashing(self, program: str, path: str) -> float:
        """Milliseconds of processor time so far."""
        port = self._running.api if program == "api" else self._running.floor
        head = {"Authorization": f"Bearer {METRICS_TOKEN}"}
        _, _, text = ask(port, message("GET", path, head))
        [found] = HASHING.findall(text)
        return 1000 * float(found)

    def _idle(self, turn: _Turn) -> dict[str, float]:
        """What all do while nobody asks, for as long as the turn took: beside what is slow on
        purpose it would be a third of the rest."""
        before = self._running.cpu(OF_SERVICE)
        time.sleep(turn.took)
        after = self._running.cpu(OF_SERVICE)
        return {name: 1000 * (after[name] - before[name]) / len(turn.seconds) for name in after}

    def _drive(self, path: Path, first: int, requests: int) -> _Turn:
        try:
            return self._driven(path, first, requests)
        except RuntimeError:
            if path.status != 304:
                raise
            # What they show was counted anew since they were asked for their tags.
            return self._driven(path, first, requests)

    def _driven(self, path: Path, first: int, requests: int) -> _Turn:
        sent = path.requests(self._world, first, requests)
        if path.status == 304:
            sent = unchanged(self._running.api, sent)

        def wait() -> None:
            if path.jobs:
                self._until_scored()

        connections = 1 if path.hash else self._connections
        return self._send(self._running.api, sent, path.status, OF_SERVICE, wait, connections)

    def _yardstick(
        self, path: str, first: int, requests: int, connections: int | None = None
    ) -> _Turn:
        """Of the same candidates as the path."""
        asked = (path.format(email=email(first + each)) for each in range(requests))
        sent = [message("GET", each) for each in asked]
        connections = connections or self._connections
        return self._send(self._running.floor, sent, 200, OF_FLOOR, lambda: None, connections)

    def _send(
        self,
        port: int,
        sent: Sequence[bytes],
        status: int,
        programs: tuple[str, ...],
        wait: Callable[[], None],
        connections: int,
    ) -> _Turn:
        before = self._running.cpu(programs)
        answered = self._load.send(port, sent, connections)
        wait()
        after = self._running.cpu(programs)
        if set(answered.statuses) != {status}:
            raise RuntimeError(f"{sent[0].split()[1]!r} answers {answered.statuses}")
        cpu = {name: 1000 * (after[name] - before[name]) / len(sent) for name in programs}
        return _Turn(answered.seconds, answered.took, Counter(cpu))

    def _until_scored(self) -> None:
        with self._engine.connect() as connection:
            waiting: Any = 1
            while waiting:
                time.sleep(PAUSE)
                waiting = connection.scalar(WAITING, {"name": SCORING})
