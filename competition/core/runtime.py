"""The Runtime of a process: its settings, clock and connections, and the catalogue of everything
that plugins have registered.

`competition.core.plugins.build` creates it for the api, the worker, the socket process and the
command line. It does not depend on requests, jobs and work, which are built on it. Other modules
of core add the objects for which they are responsible: the storage is ``runtime[Storage]``, and
likewise the mail transport, the rate limiter and the doorbell.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

import redis

from competition.core.auth.keyring import Keyring, SigningSettings
from competition.core.auth.tokens import Tokens, TokenSettings
from competition.core.catalogue import Catalogue
from competition.core.database import Database, DatabaseSettings
from competition.core.messages import ENGLISH, LANGUAGES, Message
from competition.core.monitoring.metrics import Metrics
from competition.core.monitoring.readiness import readiness_check
from competition.core.monitoring.traces import Traces, TraceSettings
from competition.core.redis import Broker
from competition.core.settings import Settings, SettingsError, is_on_this_machine, setting

P = TypeVar("P")

# The prefix of every path of the API.
API_PREFIX = "/v1"
EMBEDDED = "embedded"
NO_TRACES = (
    "competition.traces.endpoint: OpenTelemetry is not installed; install it with"
    " pip install 'competition[traces]'"
)


@dataclass(frozen=True, kw_only=True)
class ServiceSettings:
    """The service as a whole.

    Emails use `name`, and `description` introduces the OpenAPI document. `plugins` are the names of
    the enabled plugins, separated by spaces. `public_url` is the URL under which clients reach the
    service, without ``/v1``; in development it defaults to the server's own address. `var` is the
    folder that a development service writes to. `language` is the language of emails to users who
    have chosen none.
    """

    prefix: ClassVar[str] = "competition"
    plugins: str = setting("")
    name: str = setting("Competition Service")
    description: str = setting("")
    environment: str = setting("production", choices=("production", "development"))
    var: Path = setting(Path("var"))
    public_url: str = setting("")
    support_email: str = setting()
    language: str = setting(ENGLISH, choices=LANGUAGES)

    @staticmethod
    def problems(values: Mapping[str, Any]) -> Iterator[str]:
        if values.get("environment", "production") == "production" and not values.get("public_url"):
            yield "public_url: missing (or set COMPETITION_PUBLIC_URL)"

    def risks(self) -> Iterator[str]:
        if not self.public_url.startswith("https://"):
            yield (
                "public_url: it is not an https URL, so clients send passwords and tokens without"
                " TLS"
            )


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """The server of ``competition api`` and ``competition up``: `workers` processes, each with up
    to `threads` threads. If `access_log` is true, the logger ``competition.access`` logs a line for
    each request."""

    prefix: ClassVar[str] = "competition.server"
    host: str = setting("127.0.0.1")
    port: int = setting(6543, minimum=1)
    workers: int = setting(1, minimum=1)
    threads: int = setting(48, minimum=1)
    access_log: bool = setting(False)


@dataclass(frozen=True, kw_only=True)
class RedisSettings:
    """The connection to Redis.

    `url` is a URL in the form of redis-py or of sentinels (`competition.core.redis`), or
    ``embedded`` for the Valkey that comes with the package. `timeout` is how long to wait for
    Redis, in seconds. After a failed call, the process works without Redis for a second.
    """

    prefix: ClassVar[str] = "competition.redis"
    url: str = setting()
    timeout: float = setting(0.25, minimum=0.01)

    def risks(self) -> Iterator[str]:
        url = urlsplit(self.url)
        if url.scheme == "redis" and not is_on_this_machine(url.hostname or ""):
            yield "url: the password and the ids of users are sent to Redis without TLS"


SETTINGS = (ServiceSettings, ServerSettings, RedisSettings)


def system_clock() -> datetime:
    return datetime.now(UTC)


class Runtime:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.service = service = settings[ServiceSettings]
        self.server = server = settings[ServerSettings]
        self.public_url = service.public_url.rstrip("/") or f"http://{server.host}:{server.port}"
        self.api_url = self.public_url + API_PREFIX
        self.clock: Callable[[], datetime] = system_clock
        self.keyring = Keyring(settings[SigningSettings].keys)
        self.tokens = Tokens(settings[TokenSettings], self.keyring)
        self.database = Database.connect(settings[DatabaseSettings], database_url(settings))
        self.broker = Broker(redis_url(settings), settings[RedisSettings].timeout)
        self.redis = self.broker.client
        # No code calls Redis during this pause, which begins when a call has failed.
        self.redis_pause = self.broker.pause
        self.traces = make_traces(settings[TraceSettings])
        for engine in self.database.engines:
            self.traces.watch(engine)
        self.metrics = Metrics()
        self.catalogue = Catalogue()
        # The names of the enabled plugins, by their packages.
        self.packages: dict[str, str] = {}
        # Calls the subscribers of an event. `competition.core.plugins.build` sets it.
        self.notify: Callable[[object], None] = lambda event: None
        self._provided: dict[type[Any], Any] = {}
        self._parts: dict[type[Any], Any] = {}

    def provide(self, kind: type[P], instance: P) -> None:
        """Set the process's instance of `kind`, such as the storage.

        The package that declares `kind` calls this in its ``includeme``. Tests replace the
        instance.
        """
        self._provided = {**self._provided, kind: instance}

    def __getitem__(self, kind: type[P]) -> P:
        """The provided instance of `kind`, such as ``runtime[Storage]``. Raises KeyError if there
        is none."""
        instance: P = self._provided[kind]
        return instance

    def part(self, kind: type[P]) -> P:
        """The process's only instance of `kind`, such as a cache. The first call creates it.

        When the Runtime is closed, it calls the instance's method `close`, if there is one.
        """
        part: P | None = self._parts.get(kind)
        # If several threads create an instance at the same time, all of them get the first
        # instance.
        return self._parts.setdefault(kind, kind()) if part is None else part

    def close_parts(self) -> None:
        """Close and remove all objects that `part` has created. The next call of `part` creates a
        new one."""
        _close_all(tuple(self._parts.values()))
        self._parts.clear()

    def close(self) -> None:
        self.close_parts()
        self.database.dispose()
        _close_all(self._provided.values())
        self.broker.close()
        self.traces.close()


def _close_all(things: Iterable[object]) -> None:
    for each in things:
        if close := getattr(each, "close", None):
            close()


def make_traces(settings: TraceSettings) -> Traces:
    """The object that records the traces of a process. Without an endpoint in the settings, it
    records nothing. Raises SettingsError if there is an endpoint, but OpenTelemetry is not
    installed."""
    if not settings.endpoint:
        return Traces()
    try:
        from competition.core.monitoring.telemetry import OpenTelemetry
    except ImportError as error:
        raise SettingsError([NO_TRACES]) from error
    return OpenTelemetry(settings.endpoint, settings.ratio)


def database_url(settings: Settings) -> str:
    url = settings[DatabaseSettings].url
    return _embedded(settings).database_url if url == EMBEDDED else url


def direct_database_url(settings: Settings) -> str:
    """The URL of PostgreSQL itself, not of a pooler.

    LISTEN and session locks need it, because they belong to a connection and last beyond a
    transaction.
    """
    return settings[DatabaseSettings].direct_url or database_url(settings)


def redis_url(settings: Settings) -> str:
    url = settings[RedisSettings].url
    return _embedded(settings).redis_url if url == EMBEDDED else url


def _embedded(settings: Settings) -> Any:
    # Imported only when needed: the package is an extra, which production does not install.
    from competition.embedded import addresses

    return addresses(settings[ServiceSettings].var)


def most_connections(settings: Settings, threads: int) -> int:
    """The maximum number of PostgreSQL connections of a process with this many threads. It has two
    engines, one for reading and one for changes."""
    return 2 * min(threads, settings[DatabaseSettings].pool_size)


@readiness_check("redis", required=False)
def check_redis(work: Any) -> str | None:
    """Readiness check of Redis. Without Redis, rate limits are not checked, and jobs start up to a
    second later."""
    if work.runtime.redis_pause.is_over():
        try:
            work.runtime.redis.ping()
            return None
        except redis.RedisError as error:
            work.runtime.redis_pause.begin(error)
    return Message("Redis does not answer. Check that it runs.")
