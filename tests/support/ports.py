"""Free ports for the servers that tests start."""

import os
import random
import socket
from contextlib import suppress
from itertools import count

WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
# Ports below the range of ephemeral ports. Each worker of the run has its own ports, so that a port
# is still free when its server starts.
OURS = range(10_000 + WORKER, 30_000, WORKERS)

turns = count(random.randrange(len(OURS)))


def free_port() -> int:
    """A free port, a different one on each call."""
    while True:
        port = OURS[next(turns) % len(OURS)]
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
