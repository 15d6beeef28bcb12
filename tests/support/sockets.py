"""A real socket server on a real database, and real clients."""

import asyncio
import json
import socket as network
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from competition.core.work import begin
from competition.plugins.notifications.services import notify
from competition.testing.service import Person, Service
from competition.testing.waiting import PATIENCE, wait_until
from competition.ws.server import SocketServer
from tests.support.ports import free_port
from tests.support.processes import Launcher, Process, competition, is_healthy
from tests.support.repository import DEVELOPMENT_INI

COMMAND = competition("ws", str(DEVELOPMENT_INI))


@dataclass
class Clients:
    """Of one socket server, however it runs."""

    service: Service
    port: int
    opened: ExitStack = field(default_factory=ExitStack)
    # In this process.
    server: "LocalServer | None" = None

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/v1/ws/notifications/"

    def open(self, person: Person, **changes: Any) -> ClientConnection:
        """By the two headers."""
        headers = {
            "X-Api-Key": self.service.key,
            "Authorization": f"Bearer {person.client.token}",
        }
        return self.connect(self.url, additional_headers=headers, **changes)

    def connect(self, url: str, **options: Any) -> ClientConnection:
        return self.opened.enter_context(connect(url, open_timeout=PATIENCE, **options))

    def is_listening(self) -> bool:
        return is_healthy(f"http://127.0.0.1:{self.port}/v1")


class LocalServer:
    """In a thread of this process, so that its clock can be moved."""

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
        # It may have stopped by itself.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.stopping.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


def tell(service: Service, *people: Person, subject: str = "Hello", message: str = "Hi.") -> None:
    with begin(service.runtime) as work:
        notify(work, [person.id for person in people], subject, message)


def receive(client: ClientConnection) -> Any:
    return json.loads(client.recv(PATIENCE))


def send(client: ClientConnection, action: Any, data: Any = None) -> None:
    client.send(json.dumps({"action": action, "data": data}))


def subjects(client: ClientConnection, count: int) -> list[str]:
    return [receive(client)["message"]["subject"] for _ in range(count)]


def nothing_came(client: ClientConnection) -> None:
    """What was sent before would have come before the answer to this."""
    send(client, "hello")
    assert receive(client) == {"type": "error", "message": "Unknown action: hello"}


def end(client: ClientConnection) -> tuple[int | None, str | None]:
    """The code and the reason of the close that is awaited."""
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            client.recv(PATIENCE)
    frame = closed.value.rcvd
    return (frame.code, frame.reason) if frame else (None, None)


def refusal(open_it: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[int, Any]:
    """The status and the JSON of a handshake that is refused."""
    with pytest.raises(InvalidStatus) as refused:
        open_it(*arguments, **options)
    response = refused.value.response
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["X-Request-Id"]
    return response.status_code, json.loads(response.body or b"")


def stuck_client(clients: Clients, person: Person) -> network.socket:
    """One that never reads after the handshake, with little room for what comes."""
    raw = network.socket()
    raw.setsockopt(network.SOL_SOCKET, network.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", clients.port))
    lines = [
        "GET /v1/ws/notifications/ HTTP/1.1",
        "Host: localhost",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"X-Api-Key: {clients.service.key}",
        f"Authorization: Bearer {person.client.token}",
        "",
        "",
    ]
    raw.sendall("\r\n".join(lines).encode())
    assert raw.recv(12) == b"HTTP/1.1 101"
    return raw


@dataclass
class Processes:
    """`competition ws`, as often as wanted, for one service."""

    service: Service
    launcher: Launcher
    clients: ExitStack

    def start(self, port: int | None = None, **changes: str) -> tuple[Process, Clients]:
        clients = Clients(self.service, port or free_port(), self.clients)
        process = self.launcher.start(COMMAND, COMPETITION_WS_PORT=str(clients.port), **changes)
        wait_until(lambda: clients.is_listening() or process.says("Error"))
        return process, clients
