"""Wake idle workers by sending a message through Huey and Redis.

Jobs are rows in PostgreSQL; the message only names the lane in which one is due. `jobs.enqueue`
sends it after the commit, and `competition.worker` sets its handler. A lost wake-up does no harm,
because workers also poll the database every `competition.jobs.sweep` seconds.
"""

import threading
from collections.abc import Callable

import redis
from huey import RedisHuey
from huey.serializer import SignedSerializer
from pyramid.config import Configurator

from competition.core.monitoring.logs import patient
from competition.core.redis import Broker
from competition.core.runtime import Runtime

log = patient(__name__)

# How long a worker waits in Redis for a wake-up before it polls again, in seconds.
BLOCKING_READ = 1


class Doorbell:
    """Sends wake-ups. The consumer of a worker runs `huey`. Huey's messages are pickles, so they
    are signed with `key`."""

    def __init__(self, broker: Broker, key: bytes) -> None:
        self._pause = broker.pause
        self._redis = broker.connect(blocking=BLOCKING_READ)
        self.huey = RedisHuey(
            "competition",
            connection_pool=self._redis.connection_pool,
            read_timeout=BLOCKING_READ,
            results=False,
            serializer=SignedSerializer(secret=key.hex()),
        )
        self._answer: Callable[[str], object] | None = None
        # Lanes for which a wake-up has yet to be sent: one for each lane is enough.
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
        """Set the function that the consumer of this process calls with the lane of each
        wake-up."""
        self._answer = answer

    def ring(self, lane: str) -> None:
        """Wake a worker, because a job of the lane is due. A thread sends the message, so that the
        caller never waits for Redis."""
        with self._lock:
            self._rung.add(lane)
            # A forked process has the object of the thread, but the thread does not run in it.
            if self._ringing is None or not self._ringing.is_alive():
                self._ringing = threading.Thread(target=self._run, name="doorbell", daemon=True)
                self._ringing.start()

    def close(self) -> None:
        """Send the wake-ups that are still waiting, then disconnect."""
        with self._lock:
            ringing = self._ringing
        if ringing is not None:
            ringing.join()
        self._redis.close()

    def _run(self) -> None:
        while True:
            with self._lock:
                lanes, self._rung = self._rung, set()
                if not lanes:
                    self._ringing = None
                    return
            for lane in lanes:
                if not self._sends(lane):
                    log.warning("workers are not woken for new jobs: they find them by polling")

    def _sends(self, lane: str) -> bool:
        """Send a wake-up. False if Redis is unavailable."""
        if not self._pause.is_over():
            return False
        try:
            self._send(lane)
        except redis.RedisError as error:
            self._pause.begin(error)
            return False
        return True


def includeme(config: Configurator) -> None:
    runtime: Runtime = config.registry.runtime
    runtime.provide(Doorbell, Doorbell(runtime.broker, runtime.keyring.derived("queue")[0]))
