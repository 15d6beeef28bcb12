"""Wake idle workers by sending a message through Huey and Redis.

Jobs are rows in PostgreSQL; the message only names the lane in which a job is due. `jobs.enqueue`
sends the message after the commit, and `competition.worker` sets its handler. A lost wake-up does
no harm, because workers also poll the database every `competition.jobs.sweep` seconds.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import redis
from huey import RedisHuey
from huey.serializer import SignedSerializer
from pyramid.config import Configurator

from competition.core.monitoring.logs import patient
from competition.core.redis import Broker
from competition.core.runtime import Runtime

log = patient(__name__)

# How long one read from Redis waits for a wake-up, in seconds. Huey then reads again.
BLOCKING_READ = 1


class Doorbell:
    """Sends wake-ups through the queue `huey`, which the consumers of the workers read. Huey's
    messages are pickles, and a forged pickle could run code, so they are signed with `key`."""

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
        # Lanes for which a wake-up has yet to be sent: one wake-up for each lane is enough.
        self._rung: set[str] = set()
        self._sender = ThreadPoolExecutor(1, "doorbell")

        @self.huey.task(name="competition_ring")
        def ring(lane: str) -> None:
            if self._answer is None:
                raise RuntimeError("This process has no job runner: call Doorbell.bind first.")
            self._answer(lane)

        self._call = ring

    def bind(self, answer: Callable[[str], object]) -> None:
        """Set the function that the consumer of this process calls with the lane of each
        wake-up."""
        self._answer = answer

    def ring(self, lane: str) -> None:
        """Wake a worker, because a job of the lane is due. A thread sends the message, so that the
        caller never waits for Redis."""
        if lane not in self._rung:
            self._rung.add(lane)
            self._sender.submit(self._send, lane)

    def close(self) -> None:
        """Send the wake-ups that are still waiting, then disconnect."""
        self._sender.shutdown()
        self._redis.close()

    def _send(self, lane: str) -> None:
        # A job that is enqueued from here on may need another wake-up.
        self._rung.discard(lane)
        if self._pause.is_over():
            try:
                self._call(lane)
                return
            except redis.RedisError as error:
                self._pause.begin(error)
        log.warning("workers are not woken for new jobs: they find them by polling")


def includeme(config: Configurator) -> None:
    runtime: Runtime = config.registry.runtime
    runtime.provide(Doorbell, Doorbell(runtime.broker, runtime.keyring.derived("queue")[0]))
