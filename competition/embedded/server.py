"""A server process: started, watched, stopped, and found again after a crash."""

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

# Seconds. Crash recovery and the last checkpoint take a while on a slow disk.
START_TIMEOUT = 60.0
PAUSE = 0.01


class Server(ABC):
    def __init__(
        self,
        name: str,
        place: Place,
        *,
        durable: bool,
        data_option: tuple[str, str],
        pid_files: tuple[Path, ...],
        ask: Signals,
    ) -> None:
        """`data_option` is what its command line, and that of no other server, begins with;
        `pid_files` are the one that tells its pid, then others it would believe after a crash;
        `ask` ends it cleanly, whoever is still connected.
        """
        self.name = name
        self.place = place
        self.durable = durable
        self.data_option = data_option
        self.pid_files = pid_files
        self._ask = ask
        self._log = place.home / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def prepare(self, binaries: Binaries) -> list[str]:
        """Make what it needs; return its command."""

    @abstractmethod
    def is_ready(self, pid: int) -> bool: ...

    def deserves_another_try(self, last_words: str) -> bool:
        return False

    def start(self, binaries: Binaries) -> None:
        self.stop_left_behind()
        command = self.prepare(binaries)
        self.process = self._spawn(command)
        give_up = time.monotonic() + START_TIMEOUT
        while not self.is_ready(self.process.pid):
            too_late = time.monotonic() > give_up
            if self.process.poll() is not None:
                if too_late or not self.deserves_another_try(self._last_words()):
                    raise ServerFailed(f"{self.name} did not start", self._last_words())
                self.process = self._spawn(command)
            elif too_late:
                raise ServerFailed(f"{self.name} is still not ready", self._last_words())
            time.sleep(PAUSE)

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(self._ask)
        try:
            self.process.wait(START_TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()  # its next start recovers
            self.process.wait()
        self.process = None

    @property
    def status(self) -> int | None:
        """The return code if the server has ended by itself, else None."""
        return None if self.process is None else self.process.poll()

    def stop_left_behind(self) -> None:
        """End the server that a killed launcher left, and drop the pid files of dead ones.

        A pid in a file proves nothing: by now it may be a stranger's, or a zombie that no init
        reaps. PostgreSQL itself would refuse to start for either.
        """
        for signal in (self._ask, SIGKILL):
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
            options = as_owner(self.place, on_our_death=self._ask)
            return subprocess.Popen(command, stdout=log, stderr=log, **options)

    def _last_words(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-15:])


def _fresh(log: Path) -> BinaryIO:
    """A log for each start, the one before beside it, so that neither grows for ever.

    Created exclusively: root must not write through a link laid by the owner of the folder.
    """
    with suppress(FileNotFoundError):
        log.replace(log.with_suffix(".log.old"))
    return log.open("xb")
