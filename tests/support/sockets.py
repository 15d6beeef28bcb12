"""WebSocket clients that misbehave, and socket servers in separate processes."""

import json
import socket as network
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from competition.core.work import begin
from competition.plugins.notifications.services import notify
from competition.testing.service import Person, Service
from competition.testing.sockets import Sockets, receive
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.processes import Launcher, Process, competition
from tests.support.repository import DEVELOPMENT_INI

COMMAND = competition("ws", str(DEVELOPMENT_INI))


def tell(service: Service, *people: Person, subject: str = "Hello", message: str = "Hi.") -> None:
    with begin(service.runtime) as work:
        notify(work, [person.id for person in people], subject, message)


def subjects(client: ClientConnection, count: int) -> list[str]:
    return [receive(client)["message"]["subject"] for _ in range(count)]


def end(client: ClientConnection) -> tuple[int | None, str | None]:
    """Wait until the server closes the socket; return the code and the reason."""
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            client.recv(PATIENCE)
    frame = closed.value.rcvd
    return (frame.code, frame.reason) if frame else (None, None)


def refusal(open_it: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[int, Any]:
    """Open a socket that the server rejects; return the status and the JSON of the reply."""
    with pytest.raises(InvalidStatus) as refused:
        open_it(*arguments, **options)
    response = refused.value.response
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["X-Request-Id"]
    return response.status_code, json.loads(response.body or b"")


def stuck_client(sockets: Sockets, person: Person) -> network.socket:
    """A client with a small receive buffer, which stops reading after the handshake."""
    raw = network.socket()
    raw.setsockopt(network.SOL_SOCKET, network.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", sockets.port))
    lines = [
        "GET /v1/ws/notifications/ HTTP/1.1",
        "Host: localhost",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"X-Api-Key: {sockets.service.key}",
        f"Authorization: Bearer {person.client.token}",
        "",
        "",
    ]
    raw.sendall("\r\n".join(lines).encode())
    assert raw.recv(12) == b"HTTP/1.1 101"
    return raw


@dataclass
class Processes:
    """Starts any number of `competition ws` processes for one service."""

    service: Service
    launcher: Launcher
    clients: ExitStack

    def start(self, port: int | None = None, **changes: str) -> tuple[Process, Sockets]:
        clients = Sockets(self.service, port or free_port(), self.clients)
        process = self.launcher.start(COMMAND, COMPETITION_WS_PORT=str(clients.port), **changes)
        wait_until(lambda: clients.is_listening() or process.says("Error"))
        return process, clients
