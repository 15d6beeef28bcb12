"""Lanes: slow work has threads of its own, so that quick work never waits behind it.

A task says its lane; without one it is in the main one, which has `competition.jobs.workers`
threads in each worker process. Every other lane says how many it has.
"""

import threading
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

from pyramid.config import Configurator

from competition.core.catalogue import catalogue_of
from competition.core.monitoring.logs import patient

log = patient(__name__)

MAIN = "main"
SLOW = "slow"


@dataclass(frozen=True)
class Lane:
    name: str
    threads: int


class Lanes:
    """The threads of a worker process. Each takes what is due next in its lane, by `run_next`,
    which is False when nothing is; then it waits until somebody rings, and `pause` seconds at most:
    what is due stands in the database, and needs no bell to be found."""

    def __init__(
        self, lanes: Collection[Lane], run_next: Callable[[str], bool], pause: float
    ) -> None:
        self._run_next = run_next
        self._pause = pause
        self.closed = threading.Event()
        self._rings: Counter[str] = Counter()
        self._bells = {lane.name: threading.Condition() for lane in lanes}
        self._threads = [
            # A Ctrl-C leaves what runs to the next worker.
            threading.Thread(
                target=self._work, args=[lane.name], name=f"lane-{lane.name}-{number}", daemon=True
            )
            for lane in lanes
            for number in range(1, lane.threads + 1)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def ring(self, lane: str) -> None:
        """Wake a thread of the lane. A lane that nobody knows is served by the main one."""
        lane = lane if lane in self._bells else MAIN
        with self._bells[lane]:
            self._rings[lane] += 1
            self._bells[lane].notify()

    def close(self) -> None:
        """Let running jobs finish; what is due is left to the next worker."""
        self.closed.set()
        for bell in self._bells.values():
            with bell:
                bell.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self, lane: str) -> None:
        while not self.closed.is_set():
            rings = self._rings[lane]
            try:
                found = self._run_next(lane)
            except Exception:
                # Database away: the job is still there when it is back.
                log.exception("no job can be run")
                self.closed.wait(self._pause)
                continue
            if not found:
                self._wait(lane, rings)

    def _wait(self, lane: str, rings: int) -> None:
        """Wait until the lane rings, or `pause` is over; not at all when it rang since `rings` was
        read."""
        with self._bells[lane]:
            self._bells[lane].wait_for(
                lambda: self.closed.is_set() or self._rings[lane] != rings, self._pause
            )


def add_lane(config: Configurator, name: str, *, threads: int = 1) -> None:
    """Configuration directive ``config.add_lane``."""
    catalogue_of(config).add(Lane, name, Lane(name, threads))


def includeme(config: Configurator) -> None:
    config.add_directive("add_lane", add_lane)
    config.add_lane(SLOW)
