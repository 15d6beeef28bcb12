"""Keeps programs running: starts each again when it ends, and stops all of them together."""

import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any, Self

from competition.parent import ending_with_parent

PAUSE = 0.1
# Seconds. One that lived longer than this did start; one that ends sooner gets a longer pause
# before each new try.
SETTLED_AFTER = 5.0
FIRST_BACKOFF = 0.5
EARLY_ENDS_UNTIL_GIVEN_UP = 4
# How long a program may finish what it has in hand.
DRAIN = 30.0


class StopRequest:
    """Ctrl-C and SIGTERM, kept for whoever asks, so that no start or stop is torn in the middle."""

    def __init__(self) -> None:
        self.signals: list[int] = []
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.signals.append(number)

    @property
    def is_made(self) -> bool:
        return bool(self.signals)

    @property
    def is_urgent(self) -> bool:
        """Whether a stop was asked for again while stopping."""
        return len(self.signals) > 1


class GivenUp(Exception):
    """Something that has to run does not."""


class Restarts:
    """Decides when something that has ended is started again: each time later, if it ended
    early."""

    def __init__(self, name: str, say: Callable[[str], None]) -> None:
        self._name = name
        self._say = say
        self._started = time.monotonic()
        self._next_start = 0.0
        self._starts_in_a_row = 0

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._next_start

    def started(self) -> None:
        self._started = time.monotonic()

    def ended(self, how: str) -> None:
        """Plan the next start. Raises GivenUp when it ended too early too often."""
        lived = time.monotonic() - self._started
        # One that lived for long has started well: its end is the first of a new row.
        self._starts_in_a_row = self._starts_in_a_row + 1 if lived < SETTLED_AFTER else 1
        what = f"{self._name} ended ({how})"
        if self._starts_in_a_row >= EARLY_ENDS_UNTIL_GIVEN_UP:
            raise GivenUp(f"{what}, {EARLY_ENDS_UNTIL_GIVEN_UP} times in a row: giving up.")
        backoff = FIRST_BACKOFF * 2 ** (self._starts_in_a_row - 1)
        self._next_start = time.monotonic() + backoff
        self._say(f"{what}. It starts again in {backoff:g} s.")


class Program:
    """One child process at a time, out of reach of the terminal's Ctrl-C."""

    def __init__(self, name: str, command: Sequence[str], say: Callable[[str], None]) -> None:
        self.name = name
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._restarts = Restarts(name, say)

    def keep_running(self) -> None:
        """Start it when it is time to. Raises GivenUp when it ended too early too often."""
        if self._process is None:
            if self._restarts.is_due:
                self._start()
        elif (status := self._process.poll()) is not None:
            self._process = None
            self._restarts.ended(describe(status))

    def _start(self) -> None:
        self._restarts.started()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=ending_with_parent(),
        )

    def ask_to_stop(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @property
    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None


class Supervisor:
    """Leaving its ``with`` block stops every program.

    Linux ends the programs with the *thread* that started them: use it in the main one.
    """

    def __init__(self, programs: Sequence[Program], request: StopRequest) -> None:
        self._programs = programs
        self._request = request

    def run(self, until: Callable[[], bool]) -> None:
        """Return when asked to stop, or when `until` is true; it is asked all the time.

        Raises GivenUp, and what `until` raises.
        """
        while not self._request.is_made and not until():
            for program in self._programs:
                program.keep_running()
            time.sleep(PAUSE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for program in self._programs:
            program.ask_to_stop()
        patience = time.monotonic() + DRAIN
        while not all(program.has_ended for program in self._programs):
            if self._request.is_urgent or time.monotonic() > patience:
                break
            time.sleep(PAUSE)
        for program in self._programs:
            program.kill()


def describe(status: int) -> str:
    """How a process ended, in words, from its Popen return code."""
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return f"exit status {status}"
