"""Signs of life: when a candidate last sent a request about an exam, such as for the paper, the
clock or the draft.

`taking.find` records them, and the plugin `invigilation` shows them.

Redis stores them, in one sorted set per exam, because there are thousands per minute and none of
them matters for long. A thread of each process sends the signs of one second together, so that no
request waits for Redis. While Redis is unavailable, signs are dropped.
"""

import threading
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from competition.core.monitoring.logs import patient
from competition.core.redis import RedisError
from competition.core.runtime import Runtime
from competition.core.work import Work

log = patient(__name__)

# How long the signs of an exam are retained after the last sign.
RETAINED_FOR = timedelta(days=2)
# The batching delay, in seconds: how long a sign waits for more signs, which are sent together with
# it.
BATCHING_DELAY = 1.0

# Seconds since the epoch, by candidate.
Times = dict[str, float]


class PendingSigns:
    """The signs of life that were not sent to Redis yet, by the Redis key of the exam, and the
    timer that sends them. Each process has one object."""

    def __init__(self) -> None:
        self._times: defaultdict[str, Times] = defaultdict(dict)
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def add(self, key: str, candidate_id: UUID, at: datetime, send: Callable[[], None]) -> None:
        """Add a sign of life. If no other sign is pending, start a timer, which calls `send` after
        `BATCHING_DELAY` seconds."""
        with self._lock:
            if not self._times:
                self._timer = threading.Timer(BATCHING_DELAY, send)
                # A process that is terminated does not wait for the timer.
                self._timer.daemon = True
                self._timer.start()
            self._times[key][str(candidate_id)] = at.timestamp()

    def take(self) -> dict[str, Times]:
        """Remove all pending signs and return them."""
        with self._lock:
            taken, self._times = self._times, defaultdict(dict)
        return taken

    def close(self) -> None:
        """Stop the timer, and send the remaining signs now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._timer.function()


def note(work: Work, exam_id: int, candidate_id: UUID) -> None:
    """Record, after the commit, that the candidate is present now."""
    pending, send = work.runtime.part(PendingSigns), partial(_send, work.runtime)
    work.after_commit(lambda: pending.add(_key(exam_id), candidate_id, work.now, send))


def _send(runtime: Runtime) -> None:
    """Send the pending signs of life to Redis, or drop them if Redis is unavailable."""
    taken = runtime.part(PendingSigns).take()
    if not runtime.redis_pause.is_over():
        return
    try:
        with runtime.redis.pipeline(transaction=False) as pipeline:
            for key, times in taken.items():
                pipeline.zadd(key, times, gt=True)
                pipeline.expire(key, RETAINED_FOR)
            pipeline.execute()
    except RedisError as error:
        runtime.redis_pause.begin(error)
        log.warning("signs of life are not stored: Redis is unavailable")


def last_seen(work: Work, exam_id: int) -> dict[UUID, datetime]:
    """When each candidate of the exam was last seen.

    Signs that other processes received within the last second may be missing. If Redis is
    unavailable, the result is empty.
    """
    _send(work.runtime)
    if not work.runtime.redis_pause.is_over():
        return {}
    try:
        found: Any = work.runtime.redis.zrange(_key(exam_id), 0, -1, withscores=True)
    except RedisError as error:
        work.runtime.redis_pause.begin(error)
        log.warning("signs of life can't be read: Redis is unavailable")
        return {}
    return {UUID(member.decode()): datetime.fromtimestamp(at, UTC) for member, at in found}


def _key(exam_id: int) -> str:
    return f"sittings.seen:{exam_id}"
