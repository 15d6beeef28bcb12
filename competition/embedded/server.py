"""Start and stop a server process, and stop a server that kept running when the process that had
started it, the launcher, was killed."""

import os
import subprocess
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL, Signals
from typing import BinaryIO

from competition.embedded.binaries import Binaries
from competition.embedded.child import as_owner, command_line
from competition.embedded.errors import ServerFailed
from competition.embedded.place import Place

# How long a start or a stop may take, in seconds. Crash recovery and the last checkpoint are slow
# on a slow disk.
START_TIMEOUT = 60.0
PAUSE = 0.01


class Server(ABC):
    """An embedded server. The subclasses are PostgreSQL and Valkey."""

    def __init__(
        self,
        name: str,
        place: Place,
        *,
        durable: bool,
        data_option: tuple[str, str],
        pid_files: tuple[Path, ...],
        stop_signal: Signals,
    ) -> None:
        """`data_option` comes right after the program in the command line, and identifies the
        process. The first of `pid_files` has the pid of the server; the other files would also
        prevent a start after a crash. `stop_signal` stops the server cleanly, even while clients
        are connected.
        """
        self.name = name
        self.place = place
        self.durable = durable
        self.data_option = data_option
        self.pid_files = pid_files
        self._stop_signal = stop_signal
        self._log = place.home / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def prepare(self, binaries: Binaries) -> list[str]:
        """Create the files that the server needs, and return its command line."""

    @abstractmethod
    def is_ready(self, pid: int) -> bool: ...

    def can_retry(self, end_of_log: str) -> bool:
        """Whether to start the server again after it ended during its start. `end_of_log` has the
        last lines of its log."""
        return False

    def start(self, binaries: Binaries) -> None:
        """Start the server, and return when it is ready. Raises ServerFailed if it does not become
        ready."""
        self.stop_left_behind()
        command = self.prepare(binaries)
        self.process = self._spawn(command)
        give_up = time.monotonic() + START_TIMEOUT
        while not self.is_ready(self.process.pid):
            too_late = time.monotonic() > give_up
            if self.process.poll() is not None:
                if too_late or not self.can_retry(self._end_of_log()):
                    raise ServerFailed(f"{self.name} did not start", self._end_of_log())
                self.process = self._spawn(command)
            elif too_late:
                raise ServerFailed(f"{self.name} is still not ready", self._end_of_log())
            time.sleep(PAUSE)

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(self._stop_signal)
        try:
            self.process.wait(START_TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()  # the next start recovers the data
            self.process.wait()
        self.process = None

    @property
    def status(self) -> int | None:
        """The return code if the server has ended without being stopped, otherwise None."""
        return None if self.process is None else self.process.poll()

    def stop_left_behind(self) -> None:
        """Stop the server that a killed launcher left running, and delete pid files of servers that
        no longer run.

        The pid in such a file may now belong to another program or to a zombie, and PostgreSQL
        would then not start. So this looks for `data_option` in the command line of the process. If
        it is missing, the process is not the server, and only the files are deleted.
        """
        for signal in (self._stop_signal, SIGKILL):
            if (pid := self._left_behind()) is not None:
                os.kill(pid, signal)
                give_up = time.monotonic() + START_TIMEOUT
                while self._left_behind() == pid and time.monotonic() < give_up:
                    time.sleep(PAUSE)
        if self._left_behind() is None:
            for file in self.pid_files:
                file.unlink(missing_ok=True)

    def _left_behind(self) -> int | None:
        try:
            pid = int(self.pid_files[0].read_text().split()[0])
        except (FileNotFoundError, IndexError, ValueError):
            return None
        return pid if f" {' '.join(self.data_option)} " in command_line(pid) else None

    def _spawn(self, command: list[str]) -> subprocess.Popen[bytes]:
        with _fresh(self._log) as log:
            options = as_owner(self.place, on_parent_death=self._stop_signal)
            return subprocess.Popen(command, stdout=log, stderr=log, **options)

    def _end_of_log(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-15:])


def _fresh(log: Path) -> BinaryIO:
    """Open an empty log file. The log of the previous start is renamed, and replaces an older log.

    The file must not exist before: root must not write through a link that the owner of the folder
    has placed there.
    """
    with suppress(FileNotFoundError):
        log.replace(log.with_suffix(".log.old"))
    return log.open("xb")
