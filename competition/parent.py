"""Make child processes end with their parent, even if the parent is killed.

This only works on Linux, where the child ends when the *thread* that started it ends. On other
systems it has no effect.
"""

import ctypes
import os
import sys
from collections.abc import Callable
from functools import partial
from signal import SIGKILL, Signals

PR_SET_PDEATHSIG = 1
# Loaded at import, because a forked child must not load libraries.
_libc = ctypes.CDLL(None)


def die_with(parent: int, sign: Signals = SIGKILL) -> None:
    """Make the calling process get the signal `sign` when its parent ends.

    `parent` is the process id of the parent. If the parent has already ended, exit now.
    """
    if sys.platform == "linux":
        _libc.prctl(PR_SET_PDEATHSIG, int(sign))
        if os.getppid() != parent:
            os._exit(1)


def ending_with_parent(sign: Signals = SIGKILL) -> Callable[[], None] | None:
    """A `preexec_fn` for Popen that makes the child end with this process. None on systems other
    than Linux."""
    return partial(die_with, os.getpid(), sign) if sys.platform == "linux" else None
