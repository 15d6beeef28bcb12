"""The real application, in two ways.

`app` keeps everything in one transaction that is rolled back: quick, for all that one client at a
time can see. `live` has a database of its own and really commits: for races and processes.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import pytest
import redis
from sqlalchemy import Engine, create_engine, event
from webtest import TestApp

from competition.core import plugins
from competition.core.auth.api_keys import KnownKeys
from competition.core.db import Database
from competition.core.outbox import FolderOutbox
from competition.core.plugins import build
from competition.core.runtime import Runtime
from competition.core.storage.local import LocalStorage
from competition.embedded import Servers
from tests.support.databases import Databases
from tests.support.document import Document
from tests.support.selection import switched_on
from tests.support.service import Clock, Person, Service

Settings = dict[str, str]


@pytest.fixture(scope="session")
def base_settings(
    servers: Servers, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Settings:
    folder = tmp_path_factory.mktemp("service")
    return {
        "competition.environment": "development",
        "competition.plugins": " ".join(switched_on(pytestconfig)),
        "competition.public_url": "https://league.example",
        "competition.support_email": "support@league.example",
        "competition.database.url": servers.addresses.database_url,
        "competition.redis.url": servers.addresses.redis_url,
        "competition.signing.keys": "development-" + "k" * 32,
        "competition.mail.sender": "league@league.example",
        "competition.mail.folder": str(folder / "mail"),
        "competition.storage.folder": str(folder / "files"),
        # The tests of the limits switch them on.
        "competition.ratelimit.enabled": "false",
    }


@pytest.fixture
def empty_redis(servers: Servers) -> Iterator[None]:
    client = redis.Redis.from_url(servers.addresses.redis_url)
    client.flushall()
    client.close()
    yield


@pytest.fixture(scope="session")
def engine(databases: Databases, template: str) -> Iterator[Engine]:
    engine = create_engine(databases.create(template), connect_args={"options": "-c timezone=UTC"})
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def default_app(base_settings: Settings) -> Iterator[tuple[Runtime, TestApp, Document]]:
    """Built once; `app` gives it fresh state."""
    yield from _built(base_settings)


def _built(settings: Settings) -> Iterator[tuple[Runtime, TestApp, Document]]:
    config = build(settings)
    http = TestApp(config.make_wsgi_app())
    yield config.registry.runtime, http, Document(config.registry.document)
    config.registry.runtime.close()


@pytest.fixture
def in_transaction(
    engine: Engine, empty_redis: None, tmp_path: Path
) -> Iterator[Callable[..., Service]]:
    with engine.connect() as connection:
        transaction = connection.begin()
        own: list[tuple[Runtime, Database]] = []

        def serve(runtime: Runtime, http: TestApp, document: Document) -> Service:
            own.append((runtime, runtime.database))
            runtime.database = Database(connection)
            runtime.api_keys = KnownKeys()
            runtime.outbox = FolderOutbox(tmp_path / "mail")
            runtime.storage = LocalStorage(
                tmp_path / "files", 900, runtime.keyring, runtime.api_url
            )
            return Service(runtime, http, document, Clock(), tmp_path / "mail", tmp_path / "files")

        yield serve
        transaction.rollback()
    for runtime, database in own:
        runtime.database = database


@pytest.fixture
def app(
    in_transaction: Callable[..., Service], default_app: tuple[Runtime, TestApp, Document]
) -> Service:
    return in_transaction(*default_app)


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
def app_with(
    in_transaction: Callable[..., Service], base_settings: Settings
) -> Iterator[Callable[..., Service]]:
    """The same with other settings: ``app_with({"competition.ratelimit.enabled": "true"})``."""
    with ExitStack() as stack:

        def serve(settings: Settings) -> Service:
            generator = _built({**base_settings, **settings})
            built = next(generator)
            stack.callback(lambda: next(generator, None))
            return in_transaction(*built)

        yield serve


@pytest.fixture
def live_with(
    databases: Databases, template: str, base_settings: Settings, empty_redis: None, tmp_path: Path
) -> Iterator[Callable[[Settings], Service]]:
    """`live` with other settings."""
    with ExitStack() as stack:

        def serve(settings: Settings) -> Service:
            url = databases.create(template)
            stack.callback(databases.drop, url)
            generator = _built(
                {
                    **base_settings,
                    "competition.database.url": url,
                    "competition.database.pool_size": "25",
                    "competition.mail.folder": str(tmp_path / "mail"),
                    "competition.storage.folder": str(tmp_path / "files"),
                    **settings,
                }
            )
            built = next(generator)
            stack.callback(lambda: next(generator, None))
            return Service(*built, Clock(), tmp_path / "mail", tmp_path / "files")

        yield serve


@pytest.fixture
def live(live_with: Callable[..., Service]) -> Service:
    return live_with({})


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``install(external="some.module")``: another package that brings these plugins."""

    def bring(**modules: str) -> None:
        brought = [EntryPoint(name, module, plugins.GROUP) for name, module in modules.items()]
        monkeypatch.setattr(
            plugins, "entry_points", lambda group: [*entry_points(group=group), *brought]
        )

    return bring


@pytest.fixture
def statements(engine: Engine) -> Callable[[], AbstractContextManager[list[str]]]:
    """``with statements() as executed:`` collects the SQL of `app`."""

    @contextmanager
    def collect() -> Iterator[list[str]]:
        executed: list[str] = []

        def record(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
            executed.append(statement)

        event.listen(engine, "before_cursor_execute", record)
        yield executed
        event.remove(engine, "before_cursor_execute", record)

    return collect
