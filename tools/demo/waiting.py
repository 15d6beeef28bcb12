"""Wait for results of the service's worker."""

import time
from collections.abc import Callable
from typing import TypeVar

from tools.demo.errors import DemoError

PATIENCE_SECONDS = 120
PAUSE_SECONDS = 0.1

T = TypeVar("T")


def wait_for(look: Callable[[], T | None], otherwise: str) -> T:
    """Call `look` until it returns something, and return that.

    Raises DemoError with the message `otherwise` if this takes too long.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := look()) is None:
        if time.monotonic() > deadline:
            raise DemoError(f"{otherwise} in {PATIENCE_SECONDS} s. Is the worker running?")
        time.sleep(PAUSE_SECONDS)
    return found
