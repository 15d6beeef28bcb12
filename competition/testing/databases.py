"""The servers of the tests, a cluster for each process of a run, and databases on them."""

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

# The URLs of a PostgreSQL and a Redis that are for tests alone, in the place of own servers: a test
# that runs tests names its own.
SERVERS_VARIABLE = "TESTS_RUN_ON"
# How folders in memory are called; the id of their process follows.
FOLDER_PREFIX = "competition-tests"
# In memory: the servers of a test process take less than a tenth.
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
    """Servers with all tables that one test may stop and start. What they had in memory is lost
    when they stop; tables are not."""
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
    """A folder for the servers: in memory where there is room, since to make and drop a database on
    a disk costs the kernel more than most tests cost altogether."""
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
    """Whether servers can run in memory: containers have little of it, and may refuse to run
    programs that lie there."""
    return (
        memory.is_dir()
        and shutil.disk_usage(memory).free > FREE_BYTES_NEEDED
        and not os.statvfs(memory).f_flag & os.ST_NOEXEC
    )


class Databases:
    """Makes and drops databases of the cluster; returns URLs."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._engine = create_engine(url, isolation_level="AUTOCOMMIT")

    def create(self, template: str = "template1") -> str:
        name = f"test_{uuid4().hex}"
        self.execute(f'create database "{name}" template "{template}"')
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
    """The name of a database that has all tables, those of plugins of other packages too."""
    plugins = installed()
    folders = sorted((name, str(plugin.migrations)) for name, plugin in plugins.items())
    # Given servers may have those of others.
    name = f"migrated_{sha256(repr(folders).encode()).hexdigest()[:16]}"
    if not databases.exists(name):
        url = databases.create()
        engine = create_engine(url)
        with engine.connect() as connection:
            upgrade(connection, plugins.values())
        engine.dispose()
        databases.rename(url, name)
    return name
