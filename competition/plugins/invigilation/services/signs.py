"""Signs of life: when a candidate last asked for the paper, the clock or the draft of an exam.

They are in Redis, a sorted set for each exam: thousands come a minute, and none of them matters for
long. While Redis is away there are none.
"""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import redis

from competition.core.logs import patient
from competition.core.work import Work

log = patient(__name__)

# After the last one of an exam.
KEPT = timedelta(days=2)


def note(work: Work, exam_id: int, candidate_id: UUID) -> None:
    """The candidate is there, now; noted once the transaction is committed."""
    work.after_commit(lambda: _note(work, _key(exam_id), candidate_id))


def _note(work: Work, key: str, candidate_id: UUID) -> None:
    try:
        with work.runtime.redis.pipeline(transaction=False) as pipeline:
            pipeline.zadd(key, {str(candidate_id): work.now.timestamp()}, gt=True)
            pipeline.expire(key, KEPT)
            pipeline.execute()
    except redis.RedisError:
        log.warning("signs of life are not kept: Redis can't be reached")


def last_seen(work: Work, exam_id: int) -> dict[UUID, datetime]:
    """When each candidate who was seen was seen last."""
    try:
        found: Any = work.runtime.redis.zrange(_key(exam_id), 0, -1, withscores=True)
    except redis.RedisError:
        log.warning("signs of life can't be read: Redis can't be reached")
        return {}
    return {UUID(member.decode()): datetime.fromtimestamp(at, UTC) for member, at in found}


def _key(exam_id: int) -> str:
    return f"invigilation:{exam_id}"
