"""Connections to Redis, and the pause after a call to Redis has failed.

Redis counts requests for rate limits and the open sockets of each user, transmits the wake-ups of
workers, and stores when candidates were last active. The service also works without Redis, so it
never waits long for a reply (docs/decisions/0013-redis-may-be-away.md).
"""

import time
from typing import Any
from urllib.parse import unquote, urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel

from competition.core.monitoring.logs import patient

log = patient(__name__)

# The form of a URL of sentinels: sentinel://user:password@one:26379,two:26379,three:26379/name/0.
# The user and the password are for the Redis server, not for the sentinels.
SENTINEL_SCHEME = "sentinel://"
SENTINEL_PORT = 26379
# The base class of all errors of redis-py, raised also while Redis is unavailable.
RedisError = redis.RedisError

# How long a process makes no calls to Redis after a call has failed, in seconds.
PAUSE = 1.0


class Pause:
    """The pause without calls that follows a failed call to Redis. All code of a process shares
    one Pause.

    A frozen Redis accepts connections and never replies. Without the pause, every request would
    wait for the timeout, until all threads of the process were waiting.
    """

    def __init__(self) -> None:
        self._until = 0.0

    def is_over(self) -> bool:
        """Whether Redis may be called."""
        return time.monotonic() >= self._until

    def begin(self, error: redis.RedisError) -> None:
        """Start the pause, because a call has failed with this error."""
        log.warning("Redis does not answer: %s", type(error).__name__)
        self._until = time.monotonic() + PAUSE

    def end(self) -> None:
        """Allow calls again immediately. Each test starts with this."""
        self._until = 0.0


class Broker:
    """Creates the Redis clients of this process. `client` is for commands that Redis answers
    immediately: it waits for at most `timeout` seconds."""

    def __init__(self, url: str, timeout: float) -> None:
        self._url = url
        self._timeout = timeout
        self.pause = Pause()
        self.client = self.connect()

    def connect(self, blocking: float = 0) -> redis.Redis:
        """A new client, which waits `timeout` seconds for a reply. For a client with blocking
        commands, `blocking` is how many seconds longer it waits."""
        options = self._options(self._timeout + blocking)
        if self._url.startswith(SENTINEL_SCHEME):
            return self._connect_by_sentinels(options)
        return redis.Redis.from_url(self._url, **options)

    def close(self) -> None:
        self.client.close()

    def _options(self, timeout: float) -> dict[str, Any]:
        # Retry once if the connection was lost, such as after a restart of Redis. After a timeout,
        # redis-py raises an error of another class, and the call is not retried.
        retry = Retry(NoBackoff(), 1, supported_errors=(redis.exceptions.ConnectionError,))
        return {
            "socket_connect_timeout": self._timeout,
            "socket_timeout": timeout,
            "retry": retry,
        }

    def _connect_by_sentinels(self, options: dict[str, Any]) -> redis.Redis:
        """A client of the server that the sentinels name as the primary."""
        parts = urlsplit(self._url)
        hosts = parts.netloc.rpartition("@")[2].split(",")
        addresses = [
            (host, int(port or SENTINEL_PORT))
            for host, _, port in (each.partition(":") for each in hosts)
        ]
        _, name, *number = parts.path.split("/")
        sentinels = Sentinel(  # type: ignore[no-untyped-call]  # redis-py has no types for it
            addresses, sentinel_kwargs=self._options(self._timeout)
        )
        primary: redis.Redis = sentinels.master_for(  # type: ignore[no-untyped-call]  # as above
            name,
            username=unquote(parts.username or "") or None,
            password=unquote(parts.password or "") or None,
            db=int("".join(number) or "0"),
            **options,
        )
        return primary
