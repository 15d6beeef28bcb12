"""What a process has for its whole life: settings, connections, and what the plugins registered.

The api, the worker, the socket process and the command line all get it from
`competition.core.plugins.build`.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from uuid import uuid4

import click
import redis
from transaction import TransactionManager

from competition.core.auth.api_keys import KnownKeys
from competition.core.auth.tokens import Tokens, TokenSettings
from competition.core.db import Database, DatabaseSettings
from competition.core.jobs import PeriodicTask, Task
from competition.core.keyring import Keyring, SigningSettings
from competition.core.logs import request_id_var
from competition.core.metrics import Metrics
from competition.core.outbox import Outbox, make_outbox
from competition.core.queue import Queue
from competition.core.ratelimit import RateLimiter
from competition.core.settings import Secret, Settings, SettingsError, setting
from competition.core.storage import Storage, make_storage
from competition.core.work import Work

if TYPE_CHECKING:
    from competition.core.flags import FlagDefinition
    from competition.core.mail import MailTemplate
    from competition.core.realtime import Action, Feed

log = logging.getLogger(__name__)

P = TypeVar("P")

# Of every path.
API_PREFIX = "/v1"
EMBEDDED = "embedded"
DEVELOPMENT_MARK = "development"


@dataclass(frozen=True, kw_only=True)
class ServiceSettings:
    """`public_url` is what clients reach the service under, without ``/v1``; by default the
    server's own address. `var` holds what a development service writes."""

    prefix: ClassVar[str] = "competition"
    plugins: str = setting("")
    environment: str = setting("production", choices=("production", "development"))
    var: Path = setting(Path("var"))
    public_url: str = setting("")
    support_email: str = setting()


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """The WSGI server of ``competition api`` and ``competition up``."""

    prefix: ClassVar[str] = "competition.server"
    host: str = setting("127.0.0.1")
    port: int = setting(6543, minimum=1)
    workers: int = setting(1, minimum=1)
    threads: int = setting(4, minimum=1)


@dataclass(frozen=True, kw_only=True)
class RedisSettings:
    """`url` as redis-py reads it; ``embedded`` is the Valkey that the package brings."""

    prefix: ClassVar[str] = "competition.redis"
    url: str = setting()
    timeout: float = setting(2.0, minimum=0.1)


class Runtime:
    def __init__(self, settings: Settings) -> None:
        _refuse_what_is_for_development(settings)
        self.settings = settings
        service = settings[ServiceSettings]
        server = settings[ServerSettings]
        self.public_url = service.public_url.rstrip("/") or f"http://{server.host}:{server.port}"
        self.api_url = self.public_url + API_PREFIX
        self.clock: Callable[[], datetime] = lambda: datetime.now(UTC)
        self.keyring = Keyring(settings[SigningSettings].keys)
        self.tokens = Tokens(settings[TokenSettings], self.keyring)
        self.api_keys = KnownKeys()
        self.database = Database.connect(settings[DatabaseSettings], database_url(settings))
        self.redis = redis.Redis.from_url(
            redis_url(settings),
            socket_timeout=settings[RedisSettings].timeout,
            socket_connect_timeout=settings[RedisSettings].timeout,
        )
        self.metrics = Metrics()
        self.limiter = RateLimiter(self.redis, self.metrics)
        self.storage: Storage = make_storage(settings, self.keyring, self.api_url)
        self.outbox: Outbox = make_outbox(settings)
        self.queue = Queue(self, redis_url(settings), settings[RedisSettings].timeout)
        # Names of the plugins that are on, by their package.
        self.packages: dict[str, str] = {}
        # Filled while core and the plugins are included and scanned.
        self.tasks: dict[str, Task] = {}
        self.periodic: list[PeriodicTask] = []
        self.mails: dict[str, MailTemplate] = {}
        self.flags: dict[str, FlagDefinition] = {}
        # The words of the document's examples, by the package of the plugin.
        self.examples: dict[str, dict[str, Any]] = {}
        self.subscribers: defaultdict[type[Any], list[Callable[[Work, Any], None]]] = defaultdict(
            list
        )
        self.socket_actions: dict[str, Action] = {}
        self.feeds: dict[str, Feed] = {}
        self.commands: list[click.Command] = []
        self._parts: dict[type[Any], Any] = {}

    def part(self, kind: type[P]) -> P:
        """The process's one instance of something that a plugin keeps, such as a cache."""
        part: P = self._parts.setdefault(kind, kind())
        return part

    @contextmanager
    def work(self, request_id: str | None = None) -> Iterator[Work]:
        """A unit of work outside a request: commits at the end, aborts on an exception."""
        manager = TransactionManager(explicit=True)
        manager.begin()
        work = Work(
            runtime=self,
            db=self.database.session(manager),
            manager=manager,
            now=self.clock(),
            request_id=request_id or uuid4().hex,
        )
        token = request_id_var.set(work.request_id)
        try:
            yield work
        except BaseException:
            manager.abort()
            raise
        else:
            manager.commit()
        finally:
            request_id_var.reset(token)

    def close(self) -> None:
        self.database.dispose()
        self.redis.close()
        self.queue.close()


def database_url(settings: Settings) -> str:
    url = settings[DatabaseSettings].url
    return _embedded(settings).database_url if url == EMBEDDED else url


def redis_url(settings: Settings) -> str:
    url = settings[RedisSettings].url
    return _embedded(settings).redis_url if url == EMBEDDED else url


def _embedded(settings: Settings) -> Any:
    # Imported where it is asked for: the package is an extra, and production never has it.
    from competition.embedded import addresses

    return addresses(settings[ServiceSettings].var)


def _refuse_what_is_for_development(settings: Settings) -> None:
    if settings[ServiceSettings].environment != "production":
        return
    problems = [
        f"{section.prefix}.{name}: the development secret is not for production"
        for section, values in settings.sections.items()
        for name in section.__dataclass_fields__
        if _is_development_secret(getattr(values, name))
    ]
    problems += [
        f"{section.prefix}.url: the embedded servers are not for production"
        for section, url in (
            (DatabaseSettings, settings[DatabaseSettings].url),
            (RedisSettings, settings[RedisSettings].url),
        )
        if url == EMBEDDED
    ]
    if problems:
        raise SettingsError(problems)


def _is_development_secret(value: Any) -> bool:
    secrets = value if isinstance(value, tuple) else (value,)
    return any(isinstance(each, Secret) and DEVELOPMENT_MARK in each for each in secrets)
