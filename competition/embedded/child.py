"""Child processes: run as the owner of the place, and recognised by their command line."""

import os
import subprocess
import sys
from pathlib import Path
from signal import Signals
from typing import Any

from competition.embedded.place import Place
from competition.parent import ending_with_parent


def as_owner(place: Place, *, on_our_death: Signals = Signals.SIGKILL) -> dict[str, Any]:
    """Arguments of Popen for a child of the owner of `place`, out of reach of a Ctrl-C.

    Linux sends the child `on_our_death` when the *thread* that started it ends: start servers in
    a thread that outlives them, best the main one. Elsewhere the next start recovers.
    """
    switch = not place.is_ours
    return {
        "cwd": place.home,
        # No PG*, no LD_*, no locale of the caller; macOS wants a locale set before threads run.
        "env": {"LC_ALL": "C", "PATH": os.defpath},
        "stdin": subprocess.DEVNULL,
        "start_new_session": True,
        "umask": 0o077,
        "user": place.owner.pw_uid if switch else None,
        "group": place.owner.pw_gid if switch else None,
        "extra_groups": [] if switch else None,
        # Popen calls this after it has switched the user, which would clear the setting.
        "preexec_fn": ending_with_parent(on_our_death),
    }


def command_line(pid: int) -> str:
    """The command line of a process; empty for one that is gone, or a zombie."""
    if sys.platform == "linux":
        try:
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            return ""
        return os.fsdecode(arguments.replace(b"\0", b" "))
    ps = ["ps", "-ww", "-o", "command=", "-p", str(pid)]
    return subprocess.run(ps, capture_output=True, text=True).stdout
