"""Signs of life: when a candidate last asked for the paper, the clock or the draft of an exam.

They are in Redis, a sorted set for each exam: thousands come a minute, and none of them matters for
long. So a process tells Redis of all that came within a second at once, and no request waits for
it. While Redis is away there are none.
"""

import threading
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import redis

from competition.core.logs import patient
from competition.core.runtime import Runtime
from competition.core.work import Work

log = patient(__name__)

# After the last one of an exam.
KEPT = timedelta(days=2)
# Seconds.
TOLD_AFTER = 1.0

# Seconds since the epoch, by candidate.
Times = dict[str, float]


class Untold:
    """A part of the runtime: the signs that Redis has yet to be told of, by the exam's key, and the
    timer that has it told."""

    def __init__(self) -> None:
        self._times: defaultdict[str, Times] = defaultdict(dict)
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def add(self, key: str, candidate_id: UUID, at: datetime, tell: Callable[[], None]) -> None:
        with self._lock:
            if not self._times:
                self._timer = threading.Timer(TOLD_AFTER, tell)
                # A process that is killed does not wait for it.
                self._timer.daemon = True
                self._timer.start()
            self._times[key][str(candidate_id)] = at.timestamp()

    def take(self) -> dict[str, Times]:
        with self._lock:
            taken, self._times = self._times, defaultdict(dict)
        return taken

    def close(self) -> None:
        """Tell what is left, and have nothing told later."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._timer.function()


def note(work: Work, exam_id: int, candidate_id: UUID) -> None:
    """The candidate is there, now; noted once the transaction is committed."""
    untold, tell = work.runtime.part(Untold), partial(_tell, work.runtime)
    work.after_commit(lambda: untold.add(_key(exam_id), candidate_id, work.now, tell))


def _tell(runtime: Runtime) -> None:
    try:
        with runtime.redis.pipeline(transaction=False) as pipeline:
            for key, times in runtime.part(Untold).take().items():
                pipeline.zadd(key, times, gt=True)
                pipeline.expire(key, KEPT)
            pipeline.execute()
    except redis.RedisError:
        log.warning("signs of life are not kept: Redis can't be reached")


def last_seen(work: Work, exam_id: int) -> dict[UUID, datetime]:
    """When each candidate who was seen was seen last; by other processes, until a second ago."""
    _tell(work.runtime)
    try:
        found: Any = work.runtime.redis.zrange(_key(exam_id), 0, -1, withscores=True)
    except redis.RedisError:
        log.warning("signs of life can't be read: Redis can't be reached")
        return {}
    return {UUID(member.decode()): datetime.fromtimestamp(at, UTC) for member, at in found}


def _key(exam_id: int) -> str:
    return f"invigilation:{exam_id}"
