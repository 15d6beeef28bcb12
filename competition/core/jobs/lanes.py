"""Lanes: separate threads for slow jobs, so that quick jobs never wait for slow jobs.

A task names its lane. By default it is the main lane, which has `competition.jobs.workers` threads
in each worker process. `config.add_lane` sets the number of threads of every other lane.
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
    """A job queue with its own threads. `threads` is their number in each worker process."""

    name: str
    threads: int


class Lanes:
    """The threads with which a worker process runs jobs.

    Each thread runs the next due job of its lane with `run_next`, which returns False if there is
    none. Then the thread waits for a wake-up, at most `pause` seconds. So a lost wake-up only
    delays a job.
    """

    def __init__(
        self, lanes: Collection[Lane], run_next: Callable[[str], bool], pause: float
    ) -> None:
        self._run_next = run_next
        self._pause = pause
        self.closed = threading.Event()
        self._wake_ups: Counter[str] = Counter()
        self._conditions = {lane.name: threading.Condition() for lane in lanes}
        self._threads = [
            # Daemon threads: a Ctrl-C ends the process at once, and another worker runs the
            # interrupted jobs again.
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
        """Wake a thread of the lane, or of the main lane if this process has no such lane."""
        lane = lane if lane in self._conditions else MAIN
        with self._conditions[lane]:
            self._wake_ups[lane] += 1
            self._conditions[lane].notify()

    def close(self) -> None:
        """Start no further jobs, and wait until the running jobs have finished."""
        self.closed.set()
        for condition in self._conditions.values():
            with condition:
                condition.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self, lane: str) -> None:
        while not self.closed.is_set():
            wake_ups = self._wake_ups[lane]
            try:
                found = self._run_next(lane)
            except Exception:
                # The database may be unavailable. When it is back, the job is still due.
                log.exception("no job can be run")
                self.closed.wait(self._pause)
                continue
            if not found:
                self._wait(lane, wake_ups)

    def _wait(self, lane: str, wake_ups: int) -> None:
        """Wait for a wake-up of the lane, at most `pause` seconds. `wake_ups` is how many wake-ups
        the lane had received before the caller looked for a job. If it has received more since
        then, return immediately."""
        with self._conditions[lane]:
            self._conditions[lane].wait_for(
                lambda: self.closed.is_set() or self._wake_ups[lane] != wake_ups, self._pause
            )


def add_lane(config: Configurator, name: str, *, threads: int = 1) -> None:
    """Configuration directive ``config.add_lane``: declare a lane with its number of threads in
    each worker process."""
    catalogue_of(config).add(Lane, name, Lane(name, threads))


def includeme(config: Configurator) -> None:
    config.add_directive("add_lane", add_lane)
    config.add_lane(SLOW)
