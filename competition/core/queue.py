"""Huey and Redis carry the wake-ups; what there is to do stands in `competition.core.jobs`."""

import threading
from typing import TYPE_CHECKING

from huey import RedisHuey
from huey.serializer import SignedSerializer
from redis import ConnectionPool

from competition.core.jobs import Runner, Sweep

if TYPE_CHECKING:
    from competition.core.runtime import Runtime

# So many seconds a worker waits in Redis for a wake-up, before it asks again.
BLOCKING_READ = 1


class Queue:
    """`huey` is what a consumer runs. Its messages are pickles, so they are signed."""

    def __init__(self, runtime: "Runtime", url: str, timeout: float) -> None:
        self.huey = RedisHuey(
            "competition",
            connection_pool=ConnectionPool.from_url(
                url,
                socket_connect_timeout=timeout,
                socket_timeout=timeout + BLOCKING_READ,
            ),
            read_timeout=BLOCKING_READ,
            results=False,
            serializer=SignedSerializer(secret=runtime.keyring.derived("queue")[0].hex()),
        )
        runner = Runner(runtime)
        sweep = Sweep(runtime)
        stopping = threading.Event()
        starting = threading.Lock()

        @self.huey.task(name="competition_run_job")
        def run_job(job_id: int) -> None:
            runner.run(job_id)

        @self.huey.on_startup()
        def start_sweep() -> None:
            # Called by each worker thread; one sweep a process is enough.
            if starting.acquire(blocking=False):
                threading.Thread(
                    target=sweep.run_forever, args=[stopping], name="sweep", daemon=True
                ).start()

        @self.huey.on_shutdown()
        def stop_sweep() -> None:
            stopping.set()

        self._run_job = run_job

    def wake(self, job_id: int) -> None:
        """Tell a worker that a job is due. May be lost: the sweep tells again."""
        self._run_job(job_id)

    def length(self) -> int:
        """How many wake-ups no worker has taken yet."""
        length: int = self.huey.pending_count()
        return length

    def close(self) -> None:
        self.huey.storage.pool.disconnect()
