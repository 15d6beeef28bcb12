"""Install the wheel and the pinned production packages in an empty environment, and use them."""

import os
import re
import shutil
import signal
import sys
import venv
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest

from competition.core.plugins import installed
from competition.embedded import Addresses
from competition.testing.databases import Databases
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.processes import Launcher, call, environment, is_healthy
from tests.support.repository import REPOSITORY

SOURCES = ("alembic", "competition", "pyproject.toml", "setup.py")
# A file that an earlier build left, although its source was deleted.
LEFT = "plugins/deleted.py"
# Time to download the production packages on a slow connection, in seconds.
INSTALLING = 900

INI = """\
[app:main]
use = egg:competition
competition.environment = production
competition.plugins = {plugins}
competition.public_url = https://league.example
competition.support_email = support@league.example
competition.server.port = {port}
competition.signing.keys = 0f7a93c1e5d24b86a1c09e3fd7528b64f3e61a0dc95b7284
competition.receipts.keys = {receipts_key}
competition.database.url = {database_url}
competition.redis.url = {redis_url}
competition.mail.sender = league@league.example
competition.mail.smtp_host = smtp.league.example
competition.storage.folder = %(here)s/files
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Launcher]:
    """Start processes in a folder outside the checkout, without settings in environment
    variables.
    """
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    kept = environment(tmp_path / "var")
    for name in [name for name in kept if name.startswith(("COMPETITION_", "PYTHONPATH"))]:
        del kept[name]
    launcher = Launcher(tmp_path, kept, cwd=folder)
    yield launcher
    launcher.end_all()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    sources.mkdir()
    # Copy the sources, because a build leaves folders beside them.
    for name in SOURCES:
        copy = shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy
        copy(REPOSITORY / name, sources / name)
    left = sources / "build/lib/competition" / LEFT
    left.parent.mkdir(parents=True)
    left.touch()
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    builder = Launcher(folder, environment(folder / "var"), cwd=folder)
    builder.succeed([*build, f"--wheel-dir={folder}", str(sources)], INSTALLING)
    shutil.rmtree(sources)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture
def scripts(elsewhere: Launcher, wheel: Path, tmp_path: Path) -> Path:
    """The scripts folder of an environment with the wheel installed."""
    venv.create(tmp_path / "environment")
    scripts = tmp_path / "environment/bin"
    pip = [sys.executable, "-m", "pip", "--python", str(scripts / "python")]
    asking = [*pip, "index", "versions", "--retries=1", "--timeout=15", "setuptools"]
    if elsewhere.run(asking).returncode:
        pytest.skip("pip reaches no package index to install from")
    lock = str(REPOSITORY / "requirements.lock")
    # Python compiles the modules that the service imports, which are the fewest.
    install = [*pip, "install", "--no-compile"]
    elsewhere.succeed([*install, "--require-hashes", "-r", lock], INSTALLING)
    elsewhere.succeed([*install, "--no-deps", str(wheel)])
    elsewhere.succeed([*pip, "check"])
    return scripts


@pytest.fixture
def database_url(databases: Databases) -> Iterator[str]:
    url = databases.create()
    yield url
    databases.drop(url)


def test_the_wheel_migrates_and_serves_without_a_checkout(
    addresses: Addresses, database_url: str, scripts: Path, elsewhere: Launcher
) -> None:
    port = free_port()
    values = {
        # The example plugin is not in the wheel.
        "plugins": " ".join(each.name for each in installed().values() if each.is_ours),
        "port": port,
        "receipts_key": urlsafe_b64encode(os.urandom(32)).decode().rstrip("="),
        "database_url": database_url.replace("%", "%%"),
        "redis_url": addresses.redis_url.replace("%", "%%"),
    }
    (elsewhere.cwd / "league.ini").write_text(INI.format_map(values))
    program = str(scripts / "competition")

    assert "up to date" in elsewhere.succeed([program, "db", "upgrade", "league.ini"])
    api = elsewhere.start([program, "api", "league.ini"])
    base = f"http://127.0.0.1:{port}/v1"
    wait_until(lambda: api.popen.poll() is not None or is_healthy(base))
    assert api.popen.poll() is None, api.output

    status, document = call("GET", f"{base}/docs/spec")
    assert status == 200 and document["openapi"]
    for page in (f"{base}/docs/swagger/", f"{base}/docs/redoc/"):
        for link in re.findall(r'(?:src|href)="([^"]+)"', read(page)):
            assert link == "data:," or read(urljoin(page, link))
    assert api.end(signal.SIGTERM) == 0


def test_the_wheel_contains_no_files_of_an_earlier_build(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert f"competition/{LEFT}" not in names
    assert "competition/migrations/env.py" in names


def read(url: str) -> str:
    with urlopen(url, timeout=PATIENCE) as reply:
        assert reply.status == 200
        return reply.read().decode()
