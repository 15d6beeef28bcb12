"""Measure a path, in rounds that alternate with the two baselines."""

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
    """The results for one path. Times are in milliseconds per request, and `statements` is per
    request too.

    `in_a` and `in_bare` are CPU time relative to a baseline of the same round. They are medians
    over the rounds, because another program may disturb a round.
    """

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
class _Round:
    """The results of one round: the time of each request (`seconds`), and that of all requests
    together (`took`), in seconds. `cpu` is in milliseconds per request, by program.
    """

    seconds: Sequence[float]
    took: float
    cpu: Counter[str]

    def relative_to(self, baseline: "_Round") -> float:
        return self.cpu.total() / baseline.cpu.total()


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
        """Measure a path. Raises RuntimeError if a reply has an unexpected status."""
        if not path.once:
            # Send a request of every caller, because saving a first draft costs more than saving it
            # again.
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
            in_a=median(map(_Round.relative_to, own, one_row)),
            in_bare=median(map(_Round.relative_to, own, bare)),
            at_most=path.most(len(self._world.candidates)),
        )

    def _compare(self, path: Path, first: int, requests: int) -> tuple[_Round, _Round, _Round]:
        """Measure a round of the path, of baseline A and of the bare view."""
        one_row = self._baseline("/one-row/?email={email}", first, requests)
        own = self._own(path, first, requests, one_row)
        return own, one_row, self._baseline("/bare/", first, requests)

    def _own(self, path: Path, first: int, requests: int, one_row: _Round) -> _Round:
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
            lambda: self._baseline(with_hash, first, requests, connections=1),
        )
        own.cpu["api"] -= cold.cpu.total() - one_row.cpu.total()
        own.cpu.subtract(self._idle(own))
        return own

    def _without_hash(self, program: str, metrics: str, drive: Callable[[], _Round]) -> _Round:
        """Measure a round, and subtract the CPU time of hashing, which the program reports.

        Hashing takes nine tenths of the CPU time, and varies.
        """
        before = self._hashing(program, metrics)
        turn = drive()
        turn.cpu.subtract({program: (self._hashing(program, metrics) - before) / len(turn.seconds)})
        return turn

    def _hashing(self, program: str, path: str) -> float:
        """The CPU time of hashing since the start, in milliseconds."""
        port = self._running.api if program == "api" else self._running.floor
        head = {"Authorization": f"Bearer {METRICS_TOKEN}"}
        _, _, text = ask(port, message("GET", path, head))
        [found] = HASHING.findall(text)
        return 1000 * float(found)

    def _idle(self, turn: _Round) -> dict[str, float]:
        """The CPU time of the idle service during a round, in milliseconds per request.

        A round of logins takes long. Without hashing, a third of its CPU time would be that of the
        idle service.
        """
        before = self._running.cpu(OF_SERVICE)
        time.sleep(turn.took)
        after = self._running.cpu(OF_SERVICE)
        return {name: 1000 * (after[name] - before[name]) / len(turn.seconds) for name in after}

    def _drive(self, path: Path, first: int, requests: int) -> _Round:
        try:
            return self._driven(path, first, requests)
        except RuntimeError:
            if path.status != 304:
                raise
            # The replies have changed after their ETags were fetched, so fetch the ETags again.
            return self._driven(path, first, requests)

    def _driven(self, path: Path, first: int, requests: int) -> _Round:
        sent = path.requests(self._world, first, requests)
        if path.status == 304:
            sent = unchanged(self._running.api, sent)

        def wait() -> None:
            if path.jobs:
                self._until_scored()

        connections = 1 if path.hash else self._connections
        return self._send(self._running.api, sent, path.status, OF_SERVICE, wait, connections)

    def _baseline(
        self, path: str, first: int, requests: int, connections: int | None = None
    ) -> _Round:
        """Measure a round of a baseline, for the same candidates as the path."""
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
    ) -> _Round:
        before = self._running.cpu(programs)
        answered = self._load.send(port, sent, connections)
        wait()
        after = self._running.cpu(programs)
        if set(answered.statuses) != {status}:
            raise RuntimeError(f"{sent[0].split()[1]!r} answers {answered.statuses}")
        cpu = {name: 1000 * (after[name] - before[name]) / len(sent) for name in programs}
        return _Round(answered.seconds, answered.took, Counter(cpu))

    def _until_scored(self) -> None:
        with self._engine.connect() as connection:
            waiting: Any = 1
            while waiting:
                time.sleep(PAUSE)
                waiting = connection.scalar(WAITING, {"name": SCORING})
