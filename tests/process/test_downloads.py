"""Downloads of files that the api sends itself, with the production server."""

import os
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from competition.core.storage import files
from competition.core.storage.contract import Storage
from competition.core.storage.local import LocalStorage
from competition.core.work import begin
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.processes import competition, descendants, is_healthy

# More than the buffers of a connection hold.
CONTENT = bytes(range(256)) * 80_000


@pytest.fixture
def api(live, on_live, tmp_path):
    """Start an api that uses the storage of `live`, and return the process and its port.

    The api uses the real time.
    """
    live.runtime.provide(Storage, LocalStorage(tmp_path / "files"))
    live.clock.now = datetime.now(UTC)
    port = free_port()
    process = on_live.start(
        competition("api"),
        COMPETITION_SERVER_PORT=str(port),
        COMPETITION_STORAGE_FOLDER=str(tmp_path / "files"),
    )
    wait_until(lambda: is_healthy(f"http://127.0.0.1:{port}/v1"))
    return process, port


def begin_download(port, link, **headers):
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", f"{link.path}?{link.query}", headers=headers)
    return connection


def open_files(process):
    return [
        os.readlink(f"/proc/{pid}/fd/{descriptor}")
        for pid in descendants(process.pid)
        for descriptor in os.listdir(f"/proc/{pid}/fd")
    ]


def test_a_file_is_sent_in_full_and_in_ranges_and_clients_may_disconnect(live, api):
    process, port = api
    with begin(live.runtime) as work:
        key = files.store(work, CONTENT, "pdf", plugin="documents", subject="exam 7")
    with begin(live.runtime) as work:
        link = urlsplit(files.link(work, key))
    with closing(begin_download(port, link)) as connection:
        reply = connection.getresponse()
        assert (reply.status, reply.read()) == (200, CONTENT)
    with closing(begin_download(port, link, Range="bytes=300-999")) as connection:
        reply = connection.getresponse()
        assert (reply.status, reply.read()) == (206, CONTENT[300:1000])
        assert reply.headers["Content-Range"] == f"bytes 300-999/{len(CONTENT)}"
    for _ in range(8):
        with closing(begin_download(port, link)) as connection:
            assert connection.getresponse().read(10) == CONTENT[:10]
    wait_until(lambda: not any(key in name for name in open_files(process)))
    assert is_healthy(f"http://127.0.0.1:{port}/v1")
