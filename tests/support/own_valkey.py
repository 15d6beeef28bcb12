"""A Valkey for one test, which the test can freeze and stop."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from competition.embedded import Servers
from competition.embedded.binaries import binaries


class OwnValkey:
    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self.url = servers.addresses.redis_url

    def start(self) -> None:
        self._servers.place.create()
        self._servers.valkey.start(binaries(self._servers.place))

    def stop(self) -> None:
        self._servers.valkey.stop()

    def freeze(self) -> None:
        """Freeze the process: it accepts connections but never replies."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        process = self._servers.valkey.process
        assert process is not None
        os.kill(process.pid, number)


@contextmanager
def own_valkey(var: Path) -> Iterator[OwnValkey]:
    servers = Servers(var, durable=False)
    valkey = OwnValkey(servers)
    valkey.start()
    try:
        yield valkey
    finally:
        if servers.valkey.process is not None:
            valkey.thaw()
        servers.erase()
