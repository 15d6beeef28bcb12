"""One cluster of servers for each test process, and a migrated template database on it."""

import os
import random
from collections.abc import Iterator
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text

from competition.core.migrations import upgrade
from competition.core.plugins import installed
from competition.embedded import Servers
from tests.exercised import Exercised

TEMPLATE = "migrated_template"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--only",
        metavar="PLUGIN",
        help="switch on this plugin and what it requires; run the tests that need no more",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Exercised())
    # All processes of a run have the same one, that of the first.
    os.environ.setdefault("FUZZ_SEED", str(random.randrange(10**6)))


def pytest_report_header() -> str:
    return f"FUZZ_SEED={os.environ['FUZZ_SEED']}"


def switched_on(config: pytest.Config) -> set[str]:
    """The plugins of this run."""
    only = config.getoption("only")
    return with_requirements(only) if only else set(installed())


def with_requirements(name: str) -> set[str]:
    requires = installed()[name].requires
    return {name}.union(*(with_requirements(each) for each in requires))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    only = config.getoption("only")
    if only is None:
        return
    on = switched_on(config)

    def fits(item: pytest.Item) -> bool:
        needs = {name for mark in item.iter_markers("needs") for name in mark.args}
        return only in needs and needs <= on

    config.hook.pytest_deselected(items=[item for item in items if not fits(item)])
    items[:] = [item for item in items if fits(item)]


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    servers = Servers(tmp_path_factory.mktemp("var"), durable=False)
    servers.start()
    yield servers
    servers.erase()


class Databases:
    """Makes and drops databases of the cluster; answers URLs."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._engine = create_engine(url, isolation_level="AUTOCOMMIT")

    def create(self, template: str = "template1") -> str:
        name = f"test_{uuid4().hex}"
        self._execute(f'create database "{name}" template "{template}"')
        return self.url(name)

    def url(self, name: str) -> str:
        return self._url.set(database=name).render_as_string(hide_password=False)

    def drop(self, url: str) -> None:
        self._execute(f'drop database "{make_url(url).database}" with (force)')

    def rename(self, url: str, name: str) -> None:
        self._execute(f'alter database "{make_url(url).database}" rename to "{name}"')

    def close(self) -> None:
        self._engine.dispose()

    def _execute(self, statement: str) -> None:
        with self._engine.connect() as connection:
            connection.execute(text(statement))


@pytest.fixture(scope="session")
def databases(servers: Servers) -> Iterator[Databases]:
    databases = Databases(servers.addresses.database_url)
    yield databases
    databases.close()


@pytest.fixture(scope="session")
def template(databases: Databases) -> str:
    """The name of a database that has all tables."""
    url = databases.create()
    engine = create_engine(url)
    with engine.connect() as connection:
        upgrade(connection)
    engine.dispose()
    databases.rename(url, TEMPLATE)
    return TEMPLATE
