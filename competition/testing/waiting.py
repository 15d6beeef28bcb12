"""Waiting for what comes by itself."""

import time
from collections.abc import Callable
from typing import Any

# Seconds. Nothing takes so long, on however slow a machine; what does is broken.
PATIENCE = 120


def wait_until(is_so: Callable[[], Any], seconds: float = PATIENCE, pause: float = 0.02) -> None:
    give_up = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < give_up, f"still not so after {seconds} seconds"
        time.sleep(pause)
