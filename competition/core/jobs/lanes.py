"""Lanes: slow work has threads of its own, so that quick work never waits behind it.

A task says its lane; without one it is in the main one, which the worker's consumer serves itself.
Every other lane has `threads` in each worker process.
"""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pyramid.config import Configurator

from competition.core.catalogue import catalogue_of

MAIN = "main"
SLOW = "slow"


@dataclass(frozen=True)
class Lane:
    name: str
    threads: int


class Lanes:
    """Runs jobs in the lanes of this process; `run` is what is done with a job's id."""

    def __init__(self, lanes: Mapping[str, Lane], run: Callable[[int], object]) -> None:
        self._run = run
        self._executors = {
            name: ThreadPoolExecutor(lane.threads, thread_name_prefix=f"lane-{name}")
            for name, lane in lanes.items()
        }
        # What waits here already: the sweep rings again for what is not taken yet.
        self._waiting: dict[str, set[int]] = {name: set() for name in lanes}
        self._is_closed = False
        self._lock = threading.Lock()

    def take(self, job_id: int, lane: str) -> None:
        """Run the job in its lane: here and now in the main one, and in one that is not known."""
        if lane not in self._executors:
            self._run(job_id)
            return
        with self._lock:
            if not self._is_closed and job_id not in self._waiting[lane]:
                self._waiting[lane].add(job_id)
                self._executors[lane].submit(self._work_off, job_id, lane)

    def waiting(self, lane: str) -> int:
        """How many jobs wait for a thread of the lane."""
        return len(self._waiting[lane])

    def close(self) -> None:
        """What runs is finished; what waits is for the next worker."""
        with self._lock:
            self._is_closed = True
            for waiting in self._waiting.values():
                waiting.clear()
        for executor in self._executors.values():
            executor.shutdown(cancel_futures=True)

    def _work_off(self, job_id: int, lane: str) -> None:
        with self._lock:
            if self._is_closed:
                return
            self._waiting[lane].discard(job_id)
        self._run(job_id)


def add_lane(config: Configurator, name: str, *, threads: int = 1) -> None:
    """Configuration directive ``config.add_lane``."""
    catalogue_of(config).add(Lane, name, Lane(name, threads))


def includeme(config: Configurator) -> None:
    config.add_directive("add_lane", add_lane)
    config.add_lane(SLOW)
