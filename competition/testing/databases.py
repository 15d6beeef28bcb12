"""Fixtures: the servers of the tests (one PostgreSQL and one Valkey per pytest process), and the
databases on them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text

from competition.core.histories.migrations import upgrade
from competition.core.plugins import installed
from competition.embedded import Addresses, AlreadyRunning, Servers
from competition.embedded.place import MEMORY

# The environment variable with the URLs of a PostgreSQL and a Redis to use instead of starting
# servers. They must be for tests only. A test that runs pytest in another process sets the variable
# there, so that no further servers are started.
SERVERS_VARIABLE = "TESTS_RUN_ON"
# The names of folders in memory begin with this, followed by the id of the pytest process.
FOLDER_PREFIX = "competition-tests"
# The free memory needed to run the servers in memory, in bytes. The servers of one pytest process
# use less than a tenth of it.
FREE_BYTES_NEEDED = 8 * 2**30


@pytest.fixture(scope="session")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Addresses]:
    if given := os.environ.get(SERVERS_VARIABLE):
        yield Addresses(*given.split())
        return
    with _folder(tmp_path_factory) as var:
        servers = Servers(var, durable=False)
        servers.start()
        yield servers.addresses
        servers.erase()


@pytest.fixture
def own_servers(tmp_path: Path) -> Iterator[Servers]:
    """Servers with all tables, for a test that stops and starts them. When the servers are stopped,
    PostgreSQL keeps its data, and Valkey loses its data."""
    servers = Servers(tmp_path / "var", durable=False)
    servers.start()
    engine = create_engine(servers.addresses.database_url)
    with engine.connect() as connection:
        upgrade(connection)
    engine.dispose()
    yield servers
    servers.erase()


@contextmanager
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Context manager: a folder for the servers, in memory if there is enough free memory. Creating
    and dropping a database on a disk takes longer than most tests."""
    if not _has_room(MEMORY):
        yield tmp_path_factory.mktemp("var")
        return
    for folder in MEMORY.glob(f"{FOLDER_PREFIX}-*"):
        if not Path("/proc", folder.name.split("-")[2]).exists():
            # Left behind by a run that was killed.
            with suppress(AlreadyRunning, PermissionError):
                Servers(folder).erase()
                shutil.rmtree(folder)
    with TemporaryDirectory(prefix=f"{FOLDER_PREFIX}-{os.getpid()}-", dir=MEMORY) as name:
        yield Path(name)


def _has_room(memory: Path) -> bool:
    """Whether the servers can run in the folder `memory`, a file system in memory. In containers
    such a file system is often small, or mounted so that no program can be run from it."""
    return (
        memory.is_dir()
        and shutil.disk_usage(memory).free > FREE_BYTES_NEEDED
        and not os.statvfs(memory).f_flag & os.ST_NOEXEC
    )


class Databases:
    """Creates and drops databases of the PostgreSQL server. Each database is identified by its
    URL."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._engine = create_engine(url, isolation_level="AUTOCOMMIT")

    def create(self, template: str = "template1") -> str:
        name = f"test_{uuid4().hex}"
        # Copying the files takes half as much CPU time as the default strategy, which writes their
        # content to the write-ahead log.
        self.execute(f'create database "{name}" template "{template}" strategy file_copy')
        return self.url(name)

    def url(self, name: str) -> str:
        return self._url.set(database=name).render_as_string(hide_password=False)

    def drop(self, url: str) -> None:
        self.execute(f'drop database "{make_url(url).database}" with (force)')

    def exists(self, name: str) -> bool:
        found = text("select exists (select from pg_database where datname = :name)")
        with self._engine.connect() as connection:
            return bool(connection.scalar(found, {"name": name}))

    def rename(self, url: str, name: str) -> None:
        self.execute(f'alter database "{make_url(url).database}" rename to "{name}"')

    def close(self) -> None:
        self._engine.dispose()

    def execute(self, statement: str) -> None:
        with self._engine.connect() as connection:
            connection.execute(text(statement))


@pytest.fixture(scope="session")
def databases(addresses: Addresses) -> Iterator[Databases]:
    databases = Databases(addresses.database_url)
    yield databases
    databases.close()


@pytest.fixture(scope="session")
def template(databases: Databases) -> str:
    """The name of a template database with all tables, including those of third-party plugins."""
    plugins = installed()
    folders = sorted((name, str(plugin.migrations)) for name, plugin in plugins.items())
    # The name depends on the plugins, because servers from the environment may have template
    # databases for other plugins.
    name = f"migrated_{sha256(repr(folders).encode()).hexdigest()[:16]}"
    if not databases.exists(name):
        url = databases.create()
        engine = create_engine(url)
        with engine.connect() as connection:
            upgrade(connection, plugins.values())
        engine.dispose()
        databases.rename(url, name)
    return name
