"""Wakes workers: a message through Huey and Redis says that a job of a lane is due.

What there is to do stands in PostgreSQL. Whoever enqueues a job rings (sends a wake-up); the worker
binds what a ring does (`competition.worker`). A ring may be lost: workers look into the database by
themselves, too, only a moment later.
"""

import threading
from collections.abc import Callable

import redis
from huey import RedisHuey
from huey.serializer import SignedSerializer

from competition.core.jobs.broker import Broker
from competition.core.logs import patient

log = patient(__name__)

# So many seconds a worker waits in Redis for a ring, before it asks again.
BLOCKING_READ = 1


class Doorbell:
    """`huey` is what a consumer runs. Its messages are pickles, so they are signed with `key`."""

    def __init__(self, broker: Broker, key: bytes) -> None:
        self.huey = RedisHuey(
            "competition",
            connection_pool=broker.pool(blocking=BLOCKING_READ),
            read_timeout=BLOCKING_READ,
            results=False,
            serializer=SignedSerializer(secret=key.hex()),
        )
        self._answer: Callable[[str], object] | None = None
        # Lanes that were rung for and nobody was told of yet. Any number of rings for one are one.
        self._rung: set[str] = set()
        self._ringing: threading.Thread | None = None
        self._lock = threading.Lock()

        @self.huey.task(name="competition_ring")
        def ring(lane: str) -> None:
            if self._answer is None:
                raise RuntimeError("no job runner is bound in this process")
            self._answer(lane)

        self._send = ring

    def bind(self, answer: Callable[[str], object]) -> None:
        """Set the function that the consumer of this process calls with the lane of each ring."""
        self._answer = answer

    def ring(self, lane: str) -> None:
        """Tell a worker that a job of the lane is due. Waits for nothing."""
        with self._lock:
            self._rung.add(lane)
            # In a fork it is not alive.
            if self._ringing is None or not self._ringing.is_alive():
                self._ringing = threading.Thread(target=self._tell, name="doorbell", daemon=True)
                self._ringing.start()

    def close(self) -> None:
        """Send the rings that are still waiting, then disconnect."""
        with self._lock:
            ringing = self._ringing
        if ringing is not None:
            ringing.join()
        self.huey.storage.pool.disconnect()

    def _tell(self) -> None:
        while True:
            with self._lock:
                lanes, self._rung = self._rung, set()
                if not lanes:
                    self._ringing = None
                    return
            for lane in lanes:
                try:
                    self._send(lane)
                except redis.RedisError:
                    log.warning("workers are not told of new jobs: they find them by themselves")
