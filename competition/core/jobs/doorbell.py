"""The bell that wakes workers: Huey and Redis carry it. What there is to do stands in PostgreSQL.

Whoever enqueues rings; what a ring does is bound by the worker (`competition.worker`).
"""

from collections.abc import Callable

from huey import RedisHuey
from huey.serializer import SignedSerializer
from redis import ConnectionPool

# So many seconds a worker waits in Redis for a wake-up, before it asks again.
BLOCKING_READ = 1


class Doorbell:
    """`huey` is what a consumer runs. Its messages are pickles, so they are signed with `key`."""

    def __init__(self, url: str, timeout: float, key: bytes) -> None:
        self.huey = RedisHuey(
            "competition",
            connection_pool=ConnectionPool.from_url(
                url,
                socket_connect_timeout=timeout,
                socket_timeout=timeout + BLOCKING_READ,
            ),
            read_timeout=BLOCKING_READ,
            results=False,
            serializer=SignedSerializer(secret=key.hex()),
        )
        self._answer: Callable[[int, str], object] | None = None

        @self.huey.task(name="competition_run_job")
        def run_job(job_id: int, lane: str) -> None:
            if self._answer is None:
                raise RuntimeError("nobody answers the doorbell in this process")
            self._answer(job_id, lane)

        self._run_job = run_job

    def bind(self, answer: Callable[[int, str], object]) -> None:
        """What the consumer of this process does with the id and the lane of each job that it is
        woken for."""
        self._answer = answer

    def ring(self, job_id: int, lane: str) -> None:
        """Tell a worker that a job is due. May be lost: the sweep rings again."""
        self._run_job(job_id, lane)

    def waiting(self) -> int:
        """How many rings no worker has heard yet."""
        waiting: int = self.huey.pending_count()
        return waiting

    def close(self) -> None:
        self.huey.storage.pool.disconnect()
