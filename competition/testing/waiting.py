"""Wait until a condition is true."""

import time
from collections.abc import Callable
from typing import Any

# The default timeout, in seconds. It is longer than anything should take, even on a slow machine.
PATIENCE = 120
# How long the service of a test waits for PostgreSQL and Redis, in seconds. The defaults are for
# production. On a busy machine, Redis or a process may stand still for longer.
PATIENT_SETTINGS = {
    "database.pool_timeout": str(PATIENCE),
    "database.statement_timeout": str(PATIENCE),
    "database.lock_timeout": str(PATIENCE),
    "redis.timeout": "10",
}


def wait_until(is_so: Callable[[], Any], seconds: float = PATIENCE, pause: float = 0.02) -> None:
    """Call `is_so` repeatedly until it returns true. Raises AssertionError after `seconds`."""
    give_up = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < give_up, f"the condition is still false after {seconds} seconds"
        time.sleep(pause)
