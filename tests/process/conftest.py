"""Fixtures for tests with real processes, started as an operator starts them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import Connection
from sqlalchemy import make_url

from competition.core.database import DatabaseSettings
from competition.core.runtime import RedisSettings
from competition.embedded import Addresses, Servers
from competition.testing.databases import Databases
from competition.testing.service import Service
from tests.support.processes import ELSEWHERE, Launcher, Process, competition, environment
from tests.support.repository import DEVELOPMENT_INI


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder shared by a module's tests, because creating a database cluster takes longest."""
    var = tmp_path_factory.mktemp("service") / "var"
    yield var
    Servers(var).erase()


@pytest.fixture
def launcher(var: Path, tmp_path: Path) -> Iterator[Launcher]:
    """Start processes that run embedded servers in `var`."""
    launcher = Launcher(tmp_path, environment(var))
    yield launcher
    launcher.end_all()


@contextmanager
def launching_beside(
    addresses: Addresses, databases: Databases, template: str, folder: Path
) -> Iterator[Launcher]:
    """Start processes that use running servers, a new database and the third-party plugin."""
    url = databases.create(template)
    launcher = Launcher(
        folder,
        environment(
            folder / "var",
            COMPETITION_INI=str(DEVELOPMENT_INI),
            COMPETITION_DATABASE_URL=url,
            COMPETITION_REDIS_URL=addresses.redis_url,
            COMPETITION_PLUGINS="docs operations outside",
            PYTHONPATH=str(ELSEWHERE),
        ),
    )
    try:
        yield launcher
    finally:
        launcher.end_all()
        databases.drop(url)


@pytest.fixture
def beside(
    addresses: Addresses, databases: Databases, template: str, tmp_path: Path
) -> Iterator[Launcher]:
    with launching_beside(addresses, databases, template, tmp_path) as launcher:
        yield launcher


@pytest.fixture
def on_empty(addresses: Addresses, databases: Databases, tmp_path: Path) -> Iterator[Launcher]:
    """Like `beside`, on an empty database."""
    with launching_beside(addresses, databases, "template1", tmp_path) as launcher:
        yield launcher


@pytest.fixture(scope="module")
def beside_module(
    addresses: Addresses,
    databases: Databases,
    template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Launcher]:
    """Like `beside`, for processes that a module's tests share."""
    folder = tmp_path_factory.mktemp("beside")
    with launching_beside(addresses, databases, template, folder) as launcher:
        yield launcher


@pytest.fixture
def on_live(live: Service, tmp_path: Path) -> Iterator[Launcher]:
    """Start processes on the database of `live`. Leases expire soon after their worker dies."""
    settings = live.runtime.settings
    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "var",
            COMPETITION_INI=str(DEVELOPMENT_INI),
            COMPETITION_DATABASE_URL=settings[DatabaseSettings].url,
            COMPETITION_REDIS_URL=settings[RedisSettings].url,
            COMPETITION_SIGNING_KEYS="development-" + "k" * 32,
            COMPETITION_JOBS_LEASE="3",
            COMPETITION_JOBS_SWEEP="0.2",
            COMPETITION_BROADCASTS_BATCH="2",
        ),
    )
    yield launcher
    launcher.end_all()


@pytest.fixture
def start_worker(on_live: Launcher) -> Callable[..., Process]:
    """``start_worker()`` starts a worker on the database of `live`."""
    return lambda **changes: on_live.start(competition("worker"), **changes)


@pytest.fixture
def sessions(live: Service) -> Iterator[tuple[Connection, Connection]]:
    """Two PostgreSQL connections: one in a transaction, to hold locks, and one to see which queries
    wait."""
    url = make_url(live.runtime.settings[DatabaseSettings].url)
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain) as blocker, psycopg.connect(plain, autocommit=True) as watcher:
        yield blocker, watcher
