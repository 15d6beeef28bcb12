"""Redis, as everything in this process reaches it: the limits, the bell, readiness, sockets.

They share a circuit breaker. The first who gets no answer in time is the last who waits for one:
from then on every call fails at once, while a thread looks whether Redis is back. So a Redis that
is frozen costs what a dead one costs, nearly nothing.
"""

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import AbstractRetry
from redis.sentinel import Sentinel, SentinelConnectionPool

from competition.core.logs import patient

log = patient(__name__)

T = TypeVar("T")

# sentinel://user:password@one:26379,two:26379,three:26379/name/0; user and password are
# those of the server.
SENTINEL_SCHEME = "sentinel://"
SENTINEL_PORT = 26379
# Seconds.
LOOKED_FOR_EVERY = 0.5


class RedisAway(redis.ConnectionError):
    """Redis did not answer a moment ago, and was not asked again."""


class Breaker(AbstractRetry[Exception]):
    """redis-py asks a retry policy to make each call; this one makes it once, or not at all. `look`
    raises a RedisError for as long as Redis is away."""

    def __init__(self, look: Callable[[], object]) -> None:
        super().__init__(NoBackoff(), 0, (redis.ConnectionError, redis.TimeoutError))
        self._look = look
        self._lock = threading.Lock()
        self._watch: threading.Thread | None = None
        self._closed = threading.Event()

    def __deepcopy__(self, memo: object) -> "Breaker":
        # Each connection takes a copy of its policy: this one is everybody's.
        return self

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = AbstractRetry.__hash__

    @property
    def is_open(self) -> bool:
        """Whether Redis is away, and a thread of this process looks for it. In a fork that thread
        is missing: then False."""
        return self._watch is not None and self._watch.is_alive()

    def call_with_retry(
        self,
        do: Callable[[], T],
        fail: Callable[..., Any],
        is_retryable: Callable[[Exception], bool] | None = None,
        with_failure_count: bool = False,
    ) -> T:
        """Raises RedisAway."""
        if self.is_open:
            raise RedisAway("Redis did not answer a moment ago.")
        try:
            return do()
        except self._supported_errors as error:
            # Disconnects: an answer that comes late is not taken for that of another call.
            fail(*((error, 1) if with_failure_count else (error,)))
            self._open(error)
            raise

    def close(self) -> None:
        self._closed.set()

    def _open(self, error: Exception) -> None:
        with self._lock:
            if self.is_open or self._closed.is_set():
                return
            log.warning("Redis does not answer: %s", type(error).__name__)
            self._watch = threading.Thread(target=self._look_for_it, name="redis", daemon=True)
            self._watch.start()

    def _look_for_it(self) -> None:
        while not self._closed.wait(LOOKED_FOR_EVERY):
            try:
                self._look()
            except redis.RedisError:
                continue
            log.info("Redis answers again")
            return


class Script:
    """A script that every request runs, on keys and numbers. It takes both as Redis reads them, and
    returns one text: redis-py packs and unpacks word by word, which takes three times as long
    as all that the limits do besides."""

    def __init__(self, client: redis.Redis, source: str) -> None:
        self._client = client
        self._source = source
        self._of_thread = threading.local()
        name = hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()
        self._command = _word(b"EVALSHA") + _word(name.encode())

    def __call__(self, keys: Sequence[str], numbers: tuple[int, ...]) -> bytes:
        """Raises RedisError."""
        words = [_word(key.encode()) for key in keys]
        command = b"*%d\r\n" % (3 + len(keys) + len(numbers)) + b"".join(
            [self._command, _word(b"%d" % len(keys)), *words, _words(numbers)]
        )
        try:
            return self._answer(command)
        except redis.exceptions.NoScriptError:
            self._client.script_load(self._source)
            return self._answer(command)

    def _answer(self, command: bytes) -> bytes:
        connection = self._connection()

        def ask() -> bytes:
            try:
                return _exchange(connection, command)
            except redis.ConnectionError:
                # Closed since it was last used, as by a Redis that was started again.
                return _exchange(connection, command)

        def give_up(error: Exception) -> None:
            connection.disconnect()

        answer: bytes = connection.retry.call_with_retry(ask, give_up)
        return answer

    def _connection(self) -> Any:
        """This thread's own. A pool looks at each connection that it gives, and counts it, for as
        much as the script takes."""
        connection = getattr(self._of_thread, "connection", None)
        if connection is None or connection.pid != os.getpid():
            connection = self._client.connection_pool.make_connection()
            self._of_thread.connection = connection
        return connection


def _exchange(connection: Any, command: bytes) -> bytes:
    connection.send_packed_command([command])
    answer: bytes = connection.read_response(disable_decoding=True)
    return answer


@lru_cache
def _words(numbers: tuple[int, ...]) -> bytes:
    return b"".join(_word(b"%d" % number) for number in numbers)


def _word(word: bytes) -> bytes:
    return b"$%d\r\n%b\r\n" % (len(word), word)


class Broker:
    """`client` is for commands that are answered at once, within `timeout` seconds."""

    def __init__(self, url: str, timeout: float) -> None:
        self._url = url
        self._timeout = timeout
        self._beside = redis.Redis(connection_pool=self._pool(timeout, None))
        self._breaker = Breaker(self._beside.ping)
        self.client = redis.Redis(connection_pool=self.pool())

    def pool(self, blocking: float = 0) -> redis.ConnectionPool:
        """Connections for commands that wait for up to `blocking` seconds before they answer."""
        return self._pool(self._timeout + blocking, self._breaker)

    def close(self) -> None:
        self._breaker.close()
        self.client.close()
        self._beside.close()

    def _pool(self, timeout: float, retry: Breaker | None) -> redis.ConnectionPool:
        options = {
            "socket_connect_timeout": self._timeout,
            "socket_timeout": timeout,
            "retry": retry,
        }
        if self._url.startswith(SENTINEL_SCHEME):
            return _pool_of_sentinels(self._url, self._timeout, options)
        return redis.ConnectionPool.from_url(self._url, **options)


def _pool_of_sentinels(url: str, timeout: float, options: dict[str, Any]) -> redis.ConnectionPool:
    """Connections to whichever server the sentinels call the primary."""
    parts = urlsplit(url)
    hosts = parts.netloc.rpartition("@")[2].split(",")
    asked = [
        (host, int(port or SENTINEL_PORT))
        for host, _, port in (each.partition(":") for each in hosts)
    ]
    waits = {"socket_connect_timeout": timeout, "socket_timeout": timeout}
    _, name, *number = parts.path.split("/")
    sentinels = Sentinel(asked, sentinel_kwargs=waits)  # type: ignore[no-untyped-call]
    return SentinelConnectionPool(  # type: ignore[no-untyped-call]
        name,
        sentinels,
        username=unquote(parts.username or "") or None,
        password=unquote(parts.password or "") or None,
        db=int("".join(number) or "0"),
        **options,
    )
