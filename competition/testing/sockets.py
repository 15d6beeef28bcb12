"""Fixtures: a socket server in a thread of this process, and real clients that connect to it.

    def test_a_note_is_pushed(sockets):
        ada = sockets.service.candidate()
        client = sockets.open(ada)
        ada.post("/notes/notes/", {"text": "First"})
        assert receive(client)["type"] == "note"

`sockets.service` is a service like `live`, but its clock starts at the real time.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Thread
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from competition.core.push.sockets import PATH, SocketSettings
from competition.core.runtime import API_PREFIX
from competition.testing.service import Person, Service
from competition.testing.waiting import PATIENCE, wait_until
from competition.ws import following
from competition.ws.server import SocketServer


@dataclass
class Sockets:
    """The address of a socket server, which may run in any process, and the clients of the test.
    The clients are closed after the test."""

    service: Service
    port: int
    opened: ExitStack = field(default_factory=ExitStack)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}{API_PREFIX}{PATH}"

    def open(self, person: Person, **options: Any) -> ClientConnection:
        """Open a socket for a person, with the headers for the API key and the access token."""
        headers = {
            "X-Api-Key": self.service.key,
            "Authorization": f"Bearer {person.client.token}",
        }
        return self.connect(self.url, additional_headers=headers, **options)

    def connect(self, url: str, **options: Any) -> ClientConnection:
        client: ClientConnection = connect(url, open_timeout=PATIENCE, **options)
        return self.opened.enter_context(client)

    def is_listening(self) -> bool:
        url = f"http://127.0.0.1:{self.port}{API_PREFIX}/health/"
        with suppress(URLError, ConnectionError), urlopen(url, timeout=PATIENCE) as reply:
            return bool(reply.status == 200)
        return False


class LocalServer:
    """A socket server in a thread of this process, so that tests can move its clock."""

    def __init__(self, service: Service) -> None:
        self.server = SocketServer(service.runtime)
        self._loop = asyncio.new_event_loop()
        self.stopping = asyncio.Event()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        self._loop.run_until_complete(self.server.run(self.stopping))
        self._loop.close()

    def stop(self) -> None:
        # The server may have stopped already.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.stopping.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@dataclass
class LocalSockets(Sockets):
    """The sockets of a server in this process."""

    server: LocalServer = field(kw_only=True)


@pytest.fixture
def sockets_with(
    live_with: Callable[..., Service], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., LocalSockets]]:
    """Function that returns `sockets` with other settings:
    ``sockets_with({"competition.ws.ping": "1"})``."""
    monkeypatch.setattr(following, "POLL_PERIOD", 0.05)
    with ExitStack() as stack:

        def serve(settings: dict[str, str] | None = None) -> LocalSockets:
            # Make the period of the checks so long that only events close sockets.
            service = live_with({"competition.ws.recheck": "3600", **(settings or {})})
            runtime = service.runtime
            # Port 0 lets the system choose a free port.
            runtime.settings = runtime.settings.replace(SocketSettings, port=0)
            service.clock.now = datetime.now(UTC)
            local = LocalServer(service)
            stack.callback(local.stop)
            wait_until(lambda: local.server.port)
            sockets = LocalSockets(service, local.server.port, server=local)
            stack.enter_context(sockets.opened)
            wait_until(sockets.is_listening)
            return sockets

        yield serve


@pytest.fixture
def sockets(sockets_with: Callable[..., LocalSockets]) -> LocalSockets:
    """A socket server, with a service like `live` as its `service`."""
    return sockets_with()


def receive(client: ClientConnection) -> Any:
    """Wait for the next message, and return it."""
    return json.loads(client.recv(PATIENCE))


def send(client: ClientConnection, action: Any, data: Any = None) -> None:
    client.send(json.dumps({"action": action, "data": data}))


def nothing_came(client: ClientConnection) -> None:
    """Check that the client has received no message. Raises AssertionError if it has.

    This sends an unknown action, and checks that the reply to it is the next message. So all
    earlier actions were also handled without an error.
    """
    send(client, "hello")
    assert receive(client) == {"type": "error", "message": "Unknown action: hello"}
