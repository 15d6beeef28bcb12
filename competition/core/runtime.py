"""What a process has for its whole life: settings, a clock, connections, and the catalogue of what
plugins brought.

The api, the worker, the socket process and the command line all get it from
`competition.core.plugins.build`. It knows nothing of requests, jobs and work: those are made of it.
The packages above it provide their own instances: the storage, the mail transport, the rate limiter
and the doorbell, such as ``runtime[Storage]``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

import redis
from pyramid.config import Configurator

from competition.core.auth.keyring import Keyring, SigningSettings
from competition.core.auth.tokens import Tokens, TokenSettings
from competition.core.catalogue import Catalogue
from competition.core.database import Database, DatabaseSettings
from competition.core.monitoring.metrics import Metrics
from competition.core.monitoring.readiness import readiness_check
from competition.core.monitoring.traces import Traces, TraceSettings
from competition.core.redis import Broker
from competition.core.settings import Settings, SettingsError, is_on_this_machine, setting

P = TypeVar("P")

# Of every path.
API_PREFIX = "/v1"
EMBEDDED = "embedded"
NO_TRACES = (
    "competition.traces.endpoint: OpenTelemetry is missing: pip install 'competition[traces]'"
)


@dataclass(frozen=True, kw_only=True)
class ServiceSettings:
    """The service as a whole. `name` is what mails call it, `description` what its document says
    first. `public_url` is what clients reach the service under, without ``/v1``; by default the
    server's own address. `var` holds what a development service writes."""

    prefix: ClassVar[str] = "competition"
    plugins: str = setting("")
    name: str = setting("Competition Service")
    description: str = setting("")
    environment: str = setting("production", choices=("production", "development"))
    var: Path = setting(Path("var"))
    public_url: str = setting("")
    support_email: str = setting()

    @staticmethod
    def problems(values: Mapping[str, Any]) -> Iterator[str]:
        if values.get("environment", "production") == "production" and not values.get("public_url"):
            yield "public_url: missing (or set COMPETITION_PUBLIC_URL)"

    def risks(self) -> Iterator[str]:
        if not self.public_url.startswith("https://"):
            yield "public_url: clients send passwords and tokens without TLS"


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """The server of ``competition api`` and ``competition up``: `workers` processes, each with up
    to `threads` threads. With `access_log` the logger ``competition.access`` gets a line for each
    request."""

    prefix: ClassVar[str] = "competition.server"
    host: str = setting("127.0.0.1")
    port: int = setting(6543, minimum=1)
    workers: int = setting(1, minimum=1)
    threads: int = setting(64, minimum=1)
    access_log: bool = setting(False)


@dataclass(frozen=True, kw_only=True)
class RedisSettings:
    """`url` as redis-py reads it, or that of sentinels; ``embedded`` is the Valkey that the package
    brings. How long to wait for Redis is `timeout`, in seconds. After a failed call the process
    works without Redis for a second."""

    prefix: ClassVar[str] = "competition.redis"
    url: str = setting()
    timeout: float = setting(0.25, minimum=0.01)

    def risks(self) -> Iterator[str]:
        url = urlsplit(self.url)
        if url.scheme == "redis" and not is_on_this_machine(url.hostname or ""):
            yield "url: the password, and ids of who asks for what, go to Redis without TLS"


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
        # No request and no loop calls Redis during this pause, which begins when a call has failed.
        self.redis_pause = self.broker.pause
        self.traces = make_traces(settings[TraceSettings])
        for engine in self.database.engines:
            self.traces.watch(engine)
        self.metrics = Metrics()
        self.catalogue = Catalogue()
        # Names of the plugins that are on, by their package.
        self.packages: dict[str, str] = {}
        # Tells an event's subscribers; the application's, once it is put together.
        self.notify: Callable[[object], None] = lambda event: None
        self._provided: dict[type[Any], Any] = {}
        self._parts: dict[type[Any], Any] = {}

    def provide(self, kind: type[P], instance: P) -> None:
        """Set the process's instance of `kind`, such as the storage. The package that declares
        `kind` does this in its ``includeme``; tests set another instance."""
        self._provided = {**self._provided, kind: instance}

    def __getitem__(self, kind: type[P]) -> P:
        """What was provided, such as ``runtime[Storage]``. Raises KeyError."""
        instance: P = self._provided[kind]
        return instance

    def part(self, kind: type[P]) -> P:
        """The process's one instance of something that core or a plugin keeps, such as a cache. One
        with a `close` is closed at the end of the process."""
        part: P | None = self._parts.get(kind)
        # Of several threads at once all get the same.
        return self._parts.setdefault(kind, kind()) if part is None else part

    def forget_parts(self) -> None:
        """Drop all parts, as a restart would."""
        self._parts.clear()

    def close_parts(self) -> None:
        _close_all(tuple(self._parts.values()))

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
    """Raises SettingsError."""
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
    """PostgreSQL's own, past a pooler: for what a connection keeps from one transaction to the
    next, LISTEN and locks of sessions."""
    return settings[DatabaseSettings].direct_url or database_url(settings)


def redis_url(settings: Settings) -> str:
    url = settings[RedisSettings].url
    return _embedded(settings).redis_url if url == EMBEDDED else url


def _embedded(settings: Settings) -> Any:
    # Imported where it is asked for: the package is an extra, and production never has it.
    from competition.embedded import addresses

    return addresses(settings[ServiceSettings].var)


def most_connections(settings: Settings, threads: int) -> int:
    """How many connections to PostgreSQL a process with this many threads opens at most: it has one
    engine to read, and one to change something."""
    database = settings[DatabaseSettings]
    return 2 * min(threads, database.pool_size + database.max_overflow)


@readiness_check("redis", required=False)
def check_redis(work: Any) -> str | None:
    """Readiness check of Redis: without it requests are not limited, and jobs start a second
    later."""
    if work.runtime.redis_pause.is_over():
        try:
            work.runtime.redis.ping()
            return None
        except redis.RedisError as error:
            work.runtime.redis_pause.begin(error)
    return "Redis does not answer."


def includeme(config: Configurator) -> None:
    config.scan(__name__)
