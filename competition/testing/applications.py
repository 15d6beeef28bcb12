"""Fixtures: two ways to run the real application.

    def test_a_greeting(app):
        assert app.candidate().get("/greetings/").json == {"greeting": "Hello!"}

`app` runs everything in one transaction that is rolled back. It is fast, and enough for tests with
one request at a time. `live` has its own database and commits: use it for concurrent requests and
for other processes.
"""

import dataclasses
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from importlib.metadata import EntryPoint, entry_points
from itertools import chain
from pathlib import Path
from typing import Any

import argon2
import pytest
import redis
from pyramid.config import Configurator
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.orm import Session
from transaction import TransactionManager
from webtest import TestApp

from competition.core import plugins as loader
from competition.core.auth import hashing
from competition.core.database import (
    Database,
    DatabaseSettings,
    ReadingSession,
    SnapshotSession,
)
from competition.core.limits.counters import RateLimiter
from competition.core.mail.transport import (
    FolderTransport,
    MailSettings,
    Transport,
    make_transport,
)
from competition.core.monitoring.logs import SELDOM
from competition.core.monitoring.metrics import Metrics
from competition.core.plugins import Plugin, assemble, installed, load_settings
from competition.core.runtime import Runtime, database_url
from competition.core.settings import ENVIRONMENT_NAMESPACE, Settings
from competition.core.storage.backends import make_storage
from competition.core.storage.contract import Storage, StorageSettings
from competition.core.storage.local import LocalStorage
from competition.embedded import Addresses
from competition.testing.databases import Databases
from competition.testing.document import Document
from competition.testing.requirements import check_requirements
from competition.testing.service import CHEAP_HASHER, Clock, Person, Service
from competition.testing.statements import executed
from competition.testing.waiting import PATIENT_SETTINGS

# Settings as in an ini file: strings by their keys.
RawSettings = dict[str, str]


@pytest.fixture(scope="session")
def plugins() -> set[str]:
    """The names of the enabled plugins, by default of all installed plugins. To enable others,
    override this fixture in a `conftest.py`."""
    return set(installed())


@pytest.fixture(scope="session")
def plugin_settings() -> RawSettings:
    """The settings that your plugins need to start, as in an ini file. Override this fixture in a
    `conftest.py`."""
    return {}


@pytest.fixture(scope="session")
def base_settings(
    addresses: Addresses,
    tmp_path_factory: pytest.TempPathFactory,
    plugins: set[str],
    plugin_settings: RawSettings,
) -> RawSettings:
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


@pytest.fixture(scope="session", autouse=True)
def real_hasher() -> Iterator[argon2.PasswordHasher]:
    """The hasher of production. All tests use a cheap hasher instead. A test of hashing itself can
    set `hashing.hasher` to this fixture."""
    real = hashing.hasher
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "hasher", CHEAP_HASHER)
        yield real


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


class StartSections(Mapping[type[Any], Any]):
    """The sections of the settings, which an application may read only while it starts. `used` are
    those that it has read."""

    def __init__(self, sections: Mapping[type[Any], Any]) -> None:
        self._sections = sections
        self._has_started = False
        self.used: dict[type[Any], Any] = {}

    def __getitem__(self, section: type[Any]) -> Any:
        if self._has_started:
            raise RuntimeError(
                f"{section.__name__} was read after the start, from settings that were kept since"
                " the start. Read it from runtime.settings, which tests change."
            )
        self.used[section] = self._sections[section]
        return self.used[section]

    def __iter__(self) -> Iterator[type[Any]]:
        return iter(self._sections)

    def __len__(self) -> int:
        return len(self._sections)

    def end(self) -> None:
        """Mark the start as over. From now on, reading a section raises RuntimeError."""
        self._has_started = True


class Application:
    """An application, shared by all tests whose settings differ only in the database, or in
    sections that it does not read when it starts."""

    def __init__(
        self, settings: Settings, plugins: list[Plugin], others: Iterable["Application"]
    ) -> None:
        """Build an application. `others` are applications with the same plugins."""
        sections = StartSections(settings.sections)
        self.config = assemble(dataclasses.replace(settings, sections=sections), plugins)
        self.runtime: Runtime = self.config.registry.runtime
        # The built-in plugins have a test of their own, so they need no check here.
        check_requirements(plugin.name for plugin in plugins if not plugin.is_ours)
        self.http = TestApp(self.config.make_wsgi_app())
        self.document = self._document(others)
        sections.end()
        self._used = sections.used
        self._attributes = dict(vars(self.runtime))
        self.is_taken = False

    def _document(self, others: Iterable["Application"]) -> Document:
        """The closed document, against which replies are checked. An application shares that of an
        earlier application if both publish the same OpenAPI document.

        Building the document takes a third of the time of a start. A shared document also keeps the
        validators that earlier tests have compiled.
        """
        published = getattr(self.config.registry, "document", None)
        for other in others:
            if published and published == other.config.registry.document:
                return other.document
        return Document.of(self.config.registry)

    def would_start_with(self, settings: Settings) -> bool:
        """Whether the application would have started in the same way with these settings.

        Settings of the database and of folders may differ, because `renew` and `connect` create the
        connections and folders again.
        """
        return all(
            _without_folder(settings.sections[each]) == _without_folder(value)
            for each, value in self._used.items()
            if each is not DatabaseSettings
        )

    def renew(self, settings: Settings) -> None:
        """Reset the runtime to the state after a start with these settings, with the registrations
        of the plugins."""
        vars(self.runtime).clear()
        vars(self.runtime).update(self._attributes)
        self.runtime.settings = settings
        self.runtime.catalogue = self.runtime.catalogue.copy()
        SELDOM.forget()
        self.runtime.metrics = Metrics()
        self.runtime.redis_pause.end()
        self.runtime.provide(Storage, make_storage(settings))
        self.runtime.provide(Transport, make_transport(settings))
        self.runtime.provide(
            RateLimiter,
            RateLimiter(self.runtime.redis, self.runtime.redis_pause, self.runtime.metrics),
        )

    def connect(self) -> None:
        """Connect to the database that the runtime's settings name."""
        settings = self.runtime.settings
        self.runtime.database = Database.connect(settings[DatabaseSettings], database_url(settings))

    def close(self) -> None:
        """Close the connections that the application opened when it started."""
        vars(self.runtime).update(self._attributes)
        self.runtime.close()


def _without_folder(section: Any) -> Any:
    """The settings of the storage or of the transport without their folder; others as they are."""
    if isinstance(section, StorageSettings | MailSettings):
        return dataclasses.replace(section, folder=None)
    return section


class TransactionDatabase(Database):
    """A Database whose sessions share one connection, on which the test has begun a transaction,
    instead of using two engines. As in production, a `ReadingSession` can't change anything."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, connection)
        self._reading: ReadingSession | None = None

    def session(self, manager: TransactionManager) -> Session:
        # The reading session has a read-only savepoint, and a savepoint inside it would be
        # read-only too. So end that savepoint: the reading session begins a new one with its next
        # statement.
        if self._reading is not None:
            self._reading.rollback()
        return super().session(manager)

    def reading_session(self) -> ReadingSession:
        self._reading = session = super().reading_session()
        event.listen(session, "after_begin", _set_read_only)
        return session

    def snapshot_session(self) -> SnapshotSession:
        # The transaction around everything has begun, so it can't get another isolation level.
        # Nothing else changes its data in the meantime.
        session = SnapshotSession(self.reading, join_transaction_mode="create_savepoint")
        event.listen(session, "after_begin", _set_read_only)
        return session


def _set_read_only(session: Session, transaction: Any, connection: Connection) -> None:
    """Make the savepoint of a reading session read-only.

    The transaction can write again once the session has ended, because it then rolls back to the
    savepoint.
    """
    connection.execute(text("set local transaction_read_only = on"))


class Applications:
    """Builds applications. That is slow, so one test after another uses the same application."""

    def __init__(self) -> None:
        self._built: dict[Any, list[Application]] = {}
        self._loaded: dict[Any, tuple[Settings, list[Plugin]]] = {}
        # The modules of plugins that `install` adds, by name.
        self.added_plugins: dict[str, str] = {}

    def get(self, raw: RawSettings) -> Application:
        """An application with these settings, new or reset. It is not returned again before
        `release`, so a test can have several applications."""
        settings, plugins = self._load(raw)
        names = (tuple(each.name for each in plugins), tuple(self.added_plugins.items()))
        built = self._built.setdefault(names, [])
        free = (each for each in built if not each.is_taken and each.would_start_with(settings))
        application = next(free, None)
        if application is None:
            application = Application(settings, plugins, built)
            built.append(application)
        application.is_taken = True
        application.renew(settings)
        return application

    def build(self, raw: RawSettings, clock: Clock) -> Configurator:
        """The Configurator of an application for a command, which gets it instead of calling
        `competition.core.plugins.build`. Its Runtime has this clock. Closing the Runtime frees the
        application for other commands and tests."""
        application = self.get(raw)
        application.connect()
        runtime = application.runtime
        runtime.clock = clock

        def close() -> None:
            runtime.close_parts()
            runtime.database.dispose()
            application.is_taken = False

        runtime.close = close  # type: ignore[method-assign]
        return application.config

    def _load(self, raw: RawSettings) -> tuple[Settings, list[Plugin]]:
        variables = {
            name: os.environ[name] for name in os.environ if name.startswith(ENVIRONMENT_NAMESPACE)
        }
        key = tuple(tuple(sorted(each.items())) for each in (raw, variables, self.added_plugins))
        if key not in self._loaded:
            # Cached, because finding the installed plugins takes longer than many tests.
            self._loaded[key] = load_settings(raw)
        return self._loaded[key]

    def release(self) -> None:
        for application in self._all():
            # End the application's threads, because they must not use the runtime while the next
            # test resets it.
            application.runtime.close_parts()
            application.is_taken = False

    def close(self) -> None:
        for application in self._all():
            application.close()

    def _all(self) -> Iterator[Application]:
        return chain.from_iterable(self._built.values())


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
    base_settings: RawSettings,
    tmp_path: Path,
) -> Iterator[Callable[..., Service]]:
    """Function that returns `app` with other settings:
    ``app_with({"competition.ratelimit.enabled": "true"})``."""
    with engine.connect() as connection, connection.begin() as transaction:

        def serve(settings: RawSettings) -> Service:
            application = applications.get({**base_settings, **settings})
            application.runtime.database = TransactionDatabase(connection)
            return _service(application, tmp_path)

        yield serve
        transaction.rollback()
    applications.release()


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
def without(base_settings: RawSettings) -> Callable[..., RawSettings]:
    """Function that returns settings for `app_with` that disable plugins:
    ``app_with(without("notifications"))``. It also disables the plugins that require one of them.
    Raises ValueError for a plugin that is not enabled."""
    enabled = set(base_settings["competition.plugins"].split())

    def settings(*names: str) -> RawSettings:
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
    base_settings: RawSettings,
    tmp_path: Path,
) -> Iterator[Callable[..., Service]]:
    """Function that returns `live` with other settings."""
    with ExitStack() as stack:

        def serve(settings: RawSettings) -> Service:
            settings = {**base_settings, "competition.database.pool_size": "25", **settings}
            if (url := settings["competition.database.url"]) == base_settings[
                "competition.database.url"
            ]:
                url = databases.create(template)
                stack.callback(databases.drop, url)
            application = applications.get({**settings, "competition.database.url": url})
            application.connect()
            stack.callback(application.runtime.database.dispose)
            return _service(application, tmp_path)

        yield serve
    applications.release()


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
