"""Limit the sockets of each user over all processes. The counts are in Redis; losing them does
little harm."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

import redis

from competition.core.monitoring.logs import patient
from competition.core.redis import Pause

log = patient(__name__)

# Takes a seat for a socket; returns 0 if the user has none left. KEYS: the user's sorted set of
# sockets. ARGV: now, the end of the lease, the id of the socket, the limit.
TAKE = """
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1])
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('zadd', KEYS[1], ARGV[2], ARGV[3])
redis.call('expire', KEYS[1], math.ceil(ARGV[2] - ARGV[1]))
return 1
"""


class Seats:
    """Counts the open sockets of each user: each takes one of the user's `limit` seats.

    A socket has its seat for `lease` seconds, unless the seat is renewed. So the seats of a killed
    process become free again. While Redis is unavailable, each process only limits its own sockets.
    """

    def __init__(self, client: redis.Redis, pause: Pause, limit: int, lease: float) -> None:
        self._client = client
        self._pause = pause
        self._take = client.register_script(TAKE)
        self._limit = limit
        self.lease = lease

    def take(self, user_id: UUID, socket_id: str, now: float) -> bool:
        """Take a seat for a socket of the user. Returns False if the user has none left, and True
        while Redis is unavailable."""
        arguments: list[str | float] = [now, now + self.lease, socket_id, self._limit]
        taken = self._call(lambda: self._take(keys=[_key(user_id)], args=arguments))
        return taken is None or bool(taken)

    def renew(self, sockets: Iterable[tuple[UUID, str]], now: float) -> None:
        with self._client.pipeline(transaction=False) as pipeline:
            for user_id, socket_id in sockets:
                pipeline.zadd(_key(user_id), {socket_id: now + self.lease})
                # In whole milliseconds, as Redis takes them.
                pipeline.pexpire(_key(user_id), round(self.lease * 1000))
            self._call(pipeline.execute)

    def leave(self, user_id: UUID, socket_id: str) -> None:
        self._call(lambda: self._client.zrem(_key(user_id), socket_id))

    def _call(self, call: Callable[[], Any]) -> Any:
        """The reply of Redis to a command, or None if Redis is unavailable."""
        if self._pause.is_over():
            try:
                return call()
            except redis.RedisError as error:
                self._pause.begin(error)
        log.warning("sockets are not counted: Redis is unavailable")
        return None


def _key(user_id: UUID) -> str:
    return f"sockets:{user_id}"
