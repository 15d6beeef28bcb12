"""Waiting for what the service's worker does."""

import time
from collections.abc import Callable
from typing import TypeVar

from tools.demo.errors import DemoError

PATIENCE_SECONDS = 120
PAUSE_SECONDS = 0.1

T = TypeVar("T")


def wait_for(look: Callable[[], T | None], otherwise: str) -> T:
    """Wait until `look` returns something, and return it. Raises DemoError, which says
    `otherwise`."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := look()) is None:
        if time.monotonic() > deadline:
            raise DemoError(f"{otherwise} in {PATIENCE_SECONDS} s: is the worker running?")
        time.sleep(PAUSE_SECONDS)
    return found
