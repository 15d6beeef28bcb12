"""Fixtures: two ways to run the real application.

    def test_a_greeting(app):
        assert app.candidate().get("/greetings/").json == {"greeting": "Hello!"}

`app` runs everything in one transaction that is rolled back. It is fast, and enough for tests with
one request at a time. `live` has its own database and commits: use it for concurrent requests and
for other processes.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import pytest
import redis
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.orm import Session
from transaction import TransactionManager
from webtest import TestApp

from competition.core import plugins as loader
from competition.core.database import Database, DatabaseSettings, ReadingSession
from competition.core.limits.counters import RateLimiter
from competition.core.mail.transport import FolderTransport, Transport
from competition.core.monitoring.logs import SELDOM
from competition.core.monitoring.metrics import Metrics
from competition.core.plugins import build, installed
from competition.core.runtime import Runtime
from competition.core.storage.contract import Storage
from competition.core.storage.local import LocalStorage
from competition.embedded import Addresses
from competition.testing.databases import Databases
from competition.testing.document import Document
from competition.testing.requirements import check_requirements
from competition.testing.service import Clock, Person, Service
from competition.testing.statements import executed
from competition.testing.waiting import PATIENT_SETTINGS

Settings = dict[str, str]


@pytest.fixture(scope="session")
def plugins() -> set[str]:
    """The names of the enabled plugins, by default of all installed plugins. To enable others,
    override this fixture in a `conftest.py`."""
    return set(installed())


@pytest.fixture(scope="session")
def plugin_settings() -> Settings:
    """The settings that your plugins need to start, as in an ini file. Override this fixture in a
    `conftest.py`."""
    return {}


@pytest.fixture(scope="session")
def base_settings(
    addresses: Addresses,
    tmp_path_factory: pytest.TempPathFactory,
    plugins: set[str],
    plugin_settings: Settings,
) -> Settings:
    """The settings of every application, as in an ini file."""
    folder = tmp_path_factory.mktemp("service")
    return {
        "competition.environment": "development",
        "competition.plugins": " ".join(sorted(plugins)),
        "competition.public_url": "https://league.example",
        "competition.support_email": "support@league.example",
        "competition.database.url": addresses.database_url,
        "competition.redis.url": addresses.redis_url,
        "competition.signing.keys": "development-" + "k" * 32,
        "competition.receipts.keys": "development-receipts-key-known-to-everybody",
        "competition.mail.sender": "league@league.example",
        "competition.mail.folder": str(folder / "mail"),
        "competition.storage.folder": str(folder / "files"),
        # The clock of tests stands still, so jobs that wait for other jobs would never run.
        "competition.jobs.gather": "0",
        # Tests of rate limits enable them.
        "competition.ratelimit.enabled": "false",
        **{f"competition.{name}": value for name, value in PATIENT_SETTINGS.items()},
        **plugin_settings,
    }


@pytest.fixture(scope="session")
def broker(addresses: Addresses) -> Iterator[redis.Redis]:
    client = redis.Redis.from_url(addresses.redis_url)
    yield client
    client.close()


@pytest.fixture
def empty_redis(broker: redis.Redis) -> None:
    if broker.dbsize():
        broker.flushall()


@pytest.fixture(scope="session")
def engine(databases: Databases, template: str) -> Iterator[Engine]:
    engine = create_engine(databases.create(template), connect_args={"options": "-c timezone=UTC"})
    yield engine
    engine.dispose()


@dataclass
class Application:
    """An application, shared by all tests with the same settings."""

    runtime: Runtime
    http: TestApp
    document: Document

    def __post_init__(self) -> None:
        self._attributes = dict(vars(self.runtime))

    def renew(self) -> None:
        """Reset the runtime to the state after the start, with the registrations of the plugins."""
        vars(self.runtime).clear()
        vars(self.runtime).update(self._attributes)
        self.runtime.catalogue = self.runtime.catalogue.copy()
        self.runtime.forget_parts()
        SELDOM.forget()
        self.runtime.metrics = Metrics()
        self.runtime.redis_pause.end()
        self.runtime.provide(
            RateLimiter,
            RateLimiter(self.runtime.redis, self.runtime.redis_pause, self.runtime.metrics),
        )


class TransactionDatabase(Database):
    """A Database with one connection, and one transaction around everything, instead of two
    engines. As in production, a `ReadingSession` can't change anything."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, connection)
        self._reading: ReadingSession | None = None

    def session(self, manager: TransactionManager) -> Session:
        # The reading session has a read-only savepoint, and a savepoint inside it would be
        # read-only too. So end it: the session begins a new savepoint with its next statement.
        if self._reading is not None:
            self._reading.rollback()
        return super().session(manager)

    def reading_session(self) -> ReadingSession:
        self._reading = session = super().reading_session()
        event.listen(session, "after_begin", _set_read_only)
        return session


def _set_read_only(session: Session, transaction: Any, connection: Connection) -> None:
    """Make the savepoint of a reading session read-only.

    The transaction can write again once the session has ended, because it then rolls back to the
    savepoint.
    """
    connection.execute(text("set local transaction_read_only = on"))


class Applications:
    """Builds applications. That is slow, so all tests with the same settings share one
    application."""

    def __init__(self) -> None:
        self._built: dict[Any, Application] = {}
        # The modules of plugins that `install` adds, by name.
        self.added_plugins: dict[str, str] = {}

    def get(self, settings: Settings) -> Application:
        """The application with these settings, after a reset."""
        environment = {key: os.environ[key] for key in os.environ if key.startswith("COMPETITION_")}
        parts = (settings, environment, self.added_plugins)
        key = tuple(tuple(sorted(each.items())) for each in parts)
        if key not in self._built:
            config = build(settings)
            check_requirements(config.registry.runtime.packages.values())
            http = TestApp(config.make_wsgi_app())
            self._built[key] = Application(
                config.registry.runtime, http, Document.of(config.registry)
            )
        self._built[key].renew()
        return self._built[key]

    def close(self) -> None:
        for application in self._built.values():
            application.renew()
            application.runtime.close()


@pytest.fixture(scope="session")
def applications() -> Iterator[Applications]:
    applications = Applications()
    yield applications
    applications.close()


@pytest.fixture
def app_with(
    engine: Engine,
    empty_redis: None,
    applications: Applications,
    base_settings: Settings,
    tmp_path: Path,
) -> Iterator[Callable[..., Service]]:
    """Function that returns `app` with other settings:
    ``app_with({"competition.ratelimit.enabled": "true"})``."""
    with engine.connect() as connection, connection.begin() as transaction:

        def serve(settings: Settings) -> Service:
            application = applications.get({**base_settings, **settings})
            application.runtime.database = TransactionDatabase(connection)
            return _service(application, tmp_path)

        yield serve
        transaction.rollback()


def _service(application: Application, folder: Path) -> Service:
    runtime = application.runtime
    mail, files = folder / "mail", folder / "files"
    runtime.provide(Transport, FolderTransport(mail))
    runtime.provide(Storage, LocalStorage(files))
    return Service(runtime, application.http, application.document, Clock(), mail, files)


@pytest.fixture
def app(app_with: Callable[..., Service]) -> Service:
    """The service with the enabled plugins. All changes to its database are rolled back after the
    test."""
    return app_with({})


@pytest.fixture
def without(base_settings: Settings) -> Callable[..., Settings]:
    """Function that returns settings for `app_with` that disable plugins:
    ``app_with(without("notifications"))``. It also disables the plugins that require one of them.
    Raises ValueError for a plugin that is not enabled."""
    enabled = set(base_settings["competition.plugins"].split())

    def settings(*names: str) -> Settings:
        if unknown := {*names} - enabled:
            raise ValueError(f"These plugins are not enabled: {', '.join(sorted(unknown))}.")
        available, disabled = installed(), {*names}
        while more := {
            name for name in enabled - disabled if disabled & {*available[name].requires}
        }:
            disabled |= more
        return {"competition.plugins": " ".join(sorted(enabled - disabled))}

    return settings


@pytest.fixture
def live_with(
    databases: Databases,
    template: str,
    empty_redis: None,
    applications: Applications,
    base_settings: Settings,
    tmp_path: Path,
) -> Iterator[Callable[..., Service]]:
    """Function that returns `live` with other settings."""
    with ExitStack() as stack:

        def serve(settings: Settings) -> Service:
            settings = {**base_settings, "competition.database.pool_size": "25", **settings}
            if (url := settings["competition.database.url"]) == base_settings[
                "competition.database.url"
            ]:
                url = databases.create(template)
                stack.callback(databases.drop, url)
            application = applications.get(settings)
            runtime = application.runtime
            runtime.settings = runtime.settings.replace(DatabaseSettings, url=url)
            runtime.database = Database.connect(runtime.settings[DatabaseSettings], url)
            stack.callback(runtime.database.dispose)
            return _service(application, tmp_path)

        yield serve


@pytest.fixture
def live(live_with: Callable[..., Service]) -> Service:
    """The service with its own database and real commits, which other connections and processes
    can see."""
    return live_with({})


@pytest.fixture
def moderator(app: Service) -> Person:
    return app.staff("moderator")


@pytest.fixture
def admin(app: Service) -> Person:
    return app.staff("admin")


@pytest.fixture
def manager(app: Service) -> Person:
    return app.staff("manager")


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, applications: Applications) -> Callable[..., None]:
    """Function that makes modules available as third-party plugins during the test:
    ``install(external="some.module")``."""

    def add(**modules: str) -> None:
        monkeypatch.setattr(applications, "added_plugins", modules)
        added = [EntryPoint(name, module, loader.GROUP) for name, module in modules.items()]
        monkeypatch.setattr(
            loader, "entry_points", lambda group: [*entry_points(group=group), *added]
        )

    return add


@pytest.fixture
def statements(engine: Engine) -> Callable[[], AbstractContextManager[list[str]]]:
    """Context manager that collects the SQL statements of `app`: ``with statements() as sent:``"""
    return lambda: executed([engine])
