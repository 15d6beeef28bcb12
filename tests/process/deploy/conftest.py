"""Fixtures that start the service's processes, sockets and servers."""

from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from competition.testing.service import Service
from competition.testing.waiting import wait_until
from tests.support.nginx import Nginx
from tests.support.ports import free_port
from tests.support.processes import Launcher, competition, is_healthy
from tests.support.sockets import Processes


@pytest.fixture
def nginx(tmp_path):
    proxy = Nginx(tmp_path / "nginx")
    with proxy.client:
        yield proxy


@dataclass
class Fleet:
    """The processes of one service. Any number of each can be started."""

    service: Service
    launcher: Launcher
    sockets: Processes

    def start_api(self, port=None, **changes):
        """Start an api; return the process and its base URL."""
        port = port or free_port()
        process = self.launcher.start(
            competition("api"), COMPETITION_SERVER_PORT=str(port), **changes
        )
        base = f"http://127.0.0.1:{port}/v1"
        wait_until(lambda: is_healthy(base) or process.says("Error"))
        return process, base

    def start_worker(self, **changes):
        return self.launcher.start(competition("worker"), **changes)

    def start_ws(self, port=None, **changes):
        """Start a socket server; return the process and the object that opens sockets there."""
        return self.sockets.start(port, **changes)


@pytest.fixture
def fleet(live, on_live):
    # The processes use the real time. With the test's fixed time, sessions would have expired.
    live.clock.now = datetime.now(UTC)
    with ExitStack() as clients:
        yield Fleet(live, on_live, Processes(live, on_live, clients))
