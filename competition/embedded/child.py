"""Start child processes as the user who owns the folders of the embedded servers (a `Place`), and
read the command lines of processes."""

import os
import subprocess
import sys
from pathlib import Path
from signal import Signals
from typing import Any

from competition.embedded.place import Place
from competition.parent import ending_with_parent


def as_owner(place: Place, *, on_parent_death: Signals = Signals.SIGKILL) -> dict[str, Any]:
    """Arguments of Popen for a child that runs as the owner of `place` and gets no Ctrl-C.

    On Linux the child gets the signal `on_parent_death` when the *thread* that started it ends. So
    start servers in a thread that outlives them, best in the main thread. On other systems the
    child keeps running, and the next start of the servers stops it.
    """
    switch = not place.is_ours
    return {
        "cwd": place.home,
        # The caller's PG* and LD_* variables and its locale are not passed on. macOS needs a locale
        # to be set before threads start.
        "env": {"LC_ALL": "C", "PATH": os.defpath},
        "stdin": subprocess.DEVNULL,
        "start_new_session": True,
        "umask": 0o077,
        "user": place.owner.pw_uid if switch else None,
        "group": place.owner.pw_gid if switch else None,
        "extra_groups": [] if switch else None,
        # Popen calls this function after it has switched the user. A later switch would clear the
        # signal that the function sets.
        "preexec_fn": ending_with_parent(on_parent_death),
    }


def command_line(pid: int) -> str:
    """The command line of a process. Empty if the process does not exist or is a zombie."""
    if sys.platform == "linux":
        try:
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            return ""
        return os.fsdecode(arguments.replace(b"\0", b" "))
    ps = ["ps", "-ww", "-o", "command=", "-p", str(pid)]
    return subprocess.run(ps, capture_output=True, text=True).stdout
