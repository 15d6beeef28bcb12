"""Real processes, as they are run by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from competition.embedded import Addresses, Servers
from tests.support.databases import Databases
from tests.support.processes import ELSEWHERE, Launcher, environment
from tests.support.repository import DEVELOPMENT_INI


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One for the tests of a module: to make a cluster takes longest."""
    var = tmp_path_factory.mktemp("service") / "var"
    yield var
    Servers(var).erase()


@pytest.fixture
def launcher(var: Path, tmp_path: Path) -> Iterator[Launcher]:
    """With embedded servers in `var`, which the processes are to start."""
    launcher = Launcher(tmp_path, environment(var))
    yield launcher
    launcher.end_all()


@pytest.fixture
def beside(
    addresses: Addresses, databases: Databases, template: str, tmp_path: Path
) -> Iterator[Launcher]:
    """With servers that run, an own database, and the plugin of the package elsewhere."""
    url = databases.create(template)
    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "var",
            COMPETITION_INI=str(DEVELOPMENT_INI),
            COMPETITION_DATABASE_URL=url,
            COMPETITION_REDIS_URL=addresses.redis_url,
            COMPETITION_PLUGINS="docs metrics outside",
            PYTHONPATH=str(ELSEWHERE),
        ),
    )
    yield launcher
    launcher.end_all()
    databases.drop(url)
