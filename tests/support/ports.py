"""Ports for the servers of tests."""

import os
import random
import socket
from contextlib import suppress
from itertools import count

WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
# Below those that a system gives to whoever asks for any, and to no other process of a run: each
# is still free when its server starts.
OURS = range(10_000 + WORKER, 30_000, WORKERS)

turns = count(random.randrange(len(OURS)))


def free_port() -> int:
    """Another one each time."""
    while True:
        port = OURS[next(turns) % len(OURS)]
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
