import fcntl
import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from competition.embedded.binaries import binaries
from competition.embedded.errors import AlreadyRunning
from competition.embedded.place import Place, locate
from competition.embedded.postgres import Postgres
from competition.embedded.valkey import Valkey


class Servers:
    """Both servers of one `var`, for as long as this process, and no other, holds them.

    They outlive a Ctrl-C, so that a supervisor can stop them last. On Linux they end with the
    *thread* that started them, so start them in the main one.
    """

    def __init__(self, var: Path, *, durable: bool = True) -> None:
        """Not `durable` is for tests: quick, and lost when the machine crashes."""
        self.place = locate(var)
        self.postgres = Postgres(self.place, durable=durable)
        self.valkey = Valkey(self.place, durable=durable)
        self._lock: BinaryIO | None = None
        self.addresses = self.place.addresses

    def check_not_running(self) -> None:
        """Raises AlreadyRunning."""
        _hold(self.place).close()

    def start(self) -> None:
        """Return when both accept connections. Raises AlreadyRunning, ServerFailed."""
        self._lock = _hold(self.place)
        try:
            self.place.create()
            programs = binaries(self.place)
            self.postgres.start(programs)
            self.postgres.create_database()
            self.valkey.start(programs)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        with ExitStack() as from_last_to_first:
            if self._lock is not None:
                from_last_to_first.callback(self._lock.close)
            from_last_to_first.callback(self.valkey.stop)
            from_last_to_first.callback(self.postgres.stop)
        self._lock = None

    def ended(self) -> dict[str, int]:
        """The return codes of servers that have ended by themselves, by their names."""
        statuses = {each.name: each.status for each in (self.postgres, self.valkey)}
        return {name: status for name, status in statuses.items() if status is not None}

    def restart(self, name: str) -> None:
        """Start a server that has ended. Returns when it accepts connections. Raises
        ServerFailed."""
        [server] = (each for each in (self.postgres, self.valkey) if each.name == name)
        server.start(binaries(self.place))

    def erase(self) -> None:
        """Stop, and remove all data: as root it doesn't go away with `var`."""
        self.stop()
        with _hold(self.place):
            for server in (self.postgres, self.valkey):
                server.stop_left_behind()
            for folder in {self.place.home, self.place.sockets}:
                if folder.exists():
                    shutil.rmtree(folder)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _hold(place: Place) -> BinaryIO:
    """Lock `var` until the returned file is closed, by whatever end of this process."""
    place.var.mkdir(parents=True, exist_ok=True)
    # One for each user, as each has a home of its own.
    lock = (place.var / f"embedded-{os.geteuid()}.lock").open("a+b", buffering=0)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        with lock:
            lock.seek(0)
            raise AlreadyRunning(int(lock.read() or 0) or None, place.var) from None
    lock.truncate(0)
    lock.write(str(os.getpid()).encode())
    return lock
