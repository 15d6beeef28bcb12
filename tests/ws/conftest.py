"""A real socket server on a real database, and real clients."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from competition.core.auth.keyring import SigningSettings
from competition.core.db import DatabaseSettings
from competition.core.push.sockets import SocketSettings
from competition.core.runtime import RedisSettings
from competition.testing.service import Service
from competition.testing.waiting import wait_until
from tests.support.ports import free_port
from tests.support.processes import Launcher, environment
from tests.support.sockets import Clients, LocalServer, Processes


@pytest.fixture
def sockets_with(live_with: Callable[..., Service]) -> Iterator[Callable[..., Clients]]:
    """``sockets_with({"competition.ws.ping": "1"})``; without settings nothing is checked that
    nobody asked for."""
    with ExitStack() as stack:

        def serve(settings: dict[str, str] | None = None) -> Clients:
            port = free_port()
            service = live_with({"competition.ws.recheck": "3600", **(settings or {})})
            runtime = service.runtime
            runtime.settings = runtime.settings.replace(SocketSettings, port=port)
            service.clock.now = datetime.now(UTC)
            server = LocalServer(service)
            stack.callback(server.stop)
            clients = Clients(service, port, server=server)
            stack.enter_context(clients.opened)
            wait_until(clients.is_listening)
            return clients

        yield serve


@pytest.fixture
def sockets(sockets_with: Callable[..., Clients]) -> Clients:
    return sockets_with()


@pytest.fixture
def processes(live_with: Callable[..., Service], tmp_path: Path) -> Iterator[Processes]:
    service = live_with({})
    service.clock.now = datetime.now(UTC)
    settings = service.runtime.settings
    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "var",
            COMPETITION_DATABASE_URL=settings[DatabaseSettings].url,
            COMPETITION_REDIS_URL=settings[RedisSettings].url,
            COMPETITION_SIGNING_KEYS=" ".join(settings[SigningSettings].keys),
            COMPETITION_WS_RECHECK="3600",
        ),
    )
    with ExitStack() as clients:
        yield Processes(service, launcher, clients)
    launcher.end_all()
