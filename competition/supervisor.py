"""Keep programs running: restart each one when it ends, and stop all of them together."""

import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, Self

from competition.parent import ending_with_parent

PAUSE = 0.1
# If a program ends within this time after its start, in seconds, it has not started properly. If
# that happens several times in a row, the pause before the next start doubles each time.
SETTLED_AFTER = 5.0
FIRST_BACKOFF = 0.5
EARLY_ENDS_UNTIL_GIVEN_UP = 4
# How long programs may take to finish their work when they are stopped, in seconds.
DRAIN = 30.0


class StopRequest:
    """Records Ctrl-C and SIGTERM instead of interrupting the program, so that no start or stop of a
    child process is interrupted half-way."""

    def __init__(self) -> None:
        self.signals: list[int] = []
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *failure: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.signals.append(number)

    @property
    def is_made(self) -> bool:
        return bool(self.signals)

    @property
    def is_urgent(self) -> bool:
        """Whether a second signal came, so that the stop must not take long."""
        return len(self.signals) > 1


class GivenUp(Exception):
    """A program ended too often shortly after its start, and is no longer restarted."""


class Restarts:
    """Decides when a program that has ended is restarted. If the program ends early several times
    in a row, the pause before the next start gets longer each time."""

    def __init__(self, name: str, say: Callable[[str], None]) -> None:
        self._name = name
        self._say = say
        self._started = time.monotonic()
        self._next_start = 0.0
        self._early_ends = 0

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._next_start

    def started(self) -> None:
        self._started = time.monotonic()

    def ended(self, how: str) -> None:
        """Schedule the next start. Raises GivenUp if the program has ended early too often in a
        row."""
        lived = time.monotonic() - self._started
        # A program that ran long enough had started properly, so its end is no early one.
        self._early_ends = self._early_ends + 1 if lived < SETTLED_AFTER else 0
        what = f"{self._name} ended ({how})"
        if self._early_ends >= EARLY_ENDS_UNTIL_GIVEN_UP:
            raise GivenUp(f"{what}, {EARLY_ENDS_UNTIL_GIVEN_UP} times in a row: giving up.")
        backoff = FIRST_BACKOFF * 2 ** max(0, self._early_ends - 1)
        self._next_start = time.monotonic() + backoff
        self._say(f"{what}. It starts again in {backoff:g} s.")


class Program:
    """A program that runs as a child process and does not get the terminal's Ctrl-C."""

    def __init__(self, name: str, command: Sequence[str], say: Callable[[str], None]) -> None:
        self.name = name
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._restarts = Restarts(name, say)

    def keep_running(self) -> None:
        """Start the program if it does not run, and if the pause after its last end is over. Raises
        GivenUp if the program has ended early too often in a row."""
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
    """Runs several programs. Leaving its ``with`` block stops all of them.

    On Linux the programs end with the *thread* that started them, so run the Supervisor in the main
    thread.
    """

    def __init__(self, programs: Sequence[Program], request: StopRequest) -> None:
        self._programs = programs
        self._request = request

    def run(self, until: Callable[[], bool]) -> None:
        """Keep the programs running until a stop is requested or `until()` returns true. `until` is
        called repeatedly.

        Raises GivenUp if a program has ended early too often in a row, and the exceptions of
        `until`.
        """
        while not self._request.is_made and not until():
            for program in self._programs:
                program.keep_running()
            time.sleep(PAUSE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
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
    """Describe how a process ended, from its Popen return code."""
    if -status in {*signal.Signals}:
        return f"killed by {signal.Signals(-status).name}"
    if status < 0:
        # Real-time signals have no names.
        return f"killed by signal {-status}"
    return f"exit status {status}"
