"""Children that end with their parent, however it ends.

Linux does it, and asks which *thread* started the child: its end counts. Elsewhere nothing happens.
"""

import ctypes
import os
import sys
from collections.abc import Callable
from functools import partial
from signal import SIGKILL, Signals

PR_SET_PDEATHSIG = 1
# Loaded here, for a forked child may not load anything.
_libc = ctypes.CDLL(None)


def die_with(parent: int, sign: Signals = SIGKILL) -> None:
    """Called by a child: it gets `sign` when `parent`, its parent, ends, or ends now if it has."""
    if sys.platform == "linux":
        _libc.prctl(PR_SET_PDEATHSIG, int(sign))
        if os.getppid() != parent:
            os._exit(1)


def ending_with_parent(sign: Signals = SIGKILL) -> Callable[[], None] | None:
    """Popen's `preexec_fn`, for a child of this process."""
    return partial(die_with, os.getpid(), sign) if sys.platform == "linux" else None
