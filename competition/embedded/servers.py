import fcntl
import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Self

from competition.embedded.binaries import binaries
from competition.embedded.errors import AlreadyRunning
from competition.embedded.place import Place, locate
from competition.embedded.postgres import Postgres
from competition.embedded.valkey import Valkey


class Servers:
    """PostgreSQL and Valkey for one folder `var`. Only one process at a time can run them.

    They don't get a Ctrl-C, so that a supervisor can stop them last. On Linux they end with the
    *thread* that started them, so start them in the main thread.
    """

    def __init__(self, var: Path, *, durable: bool = True) -> None:
        """Servers that are not `durable` are for tests: they are fast, but lose their data if the
        machine crashes."""
        self.place = locate(var)
        self.postgres = Postgres(self.place, durable=durable)
        self.valkey = Valkey(self.place, durable=durable)
        self._lock: BinaryIO | None = None
        self.addresses = self.place.addresses

    def check_not_running(self) -> None:
        """Check that no other process runs the servers. Raises AlreadyRunning otherwise."""
        _lock_var(self.place).close()

    def start(self) -> None:
        """Start both servers, and return when they accept connections. Raises AlreadyRunning if
        another process runs them, and ServerFailed if a server does not start."""
        self._lock = _lock_var(self.place)
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
        """The return codes of the servers that have ended without being stopped, by name."""
        statuses = {each.name: each.status for each in (self.postgres, self.valkey)}
        return {name: status for name, status in statuses.items() if status is not None}

    def restart(self, name: str) -> None:
        """Start a server that has ended, and return when it accepts connections. Raises
        ServerFailed if it does not start."""
        [server] = (each for each in (self.postgres, self.valkey) if each.name == name)
        server.start(binaries(self.place))

    def erase(self) -> None:
        """Stop the servers and delete all their data.

        Deleting `var` is not enough: if root starts the servers, their data is elsewhere. Raises
        AlreadyRunning if another process runs the servers.
        """
        self.stop()
        with _lock_var(self.place):
            for server in (self.postgres, self.valkey):
                server.stop_left_behind()
            for folder in {self.place.home, self.place.sockets}:
                if folder.exists():
                    shutil.rmtree(folder)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self.stop()


def _lock_var(place: Place) -> BinaryIO:
    """Lock `var` until the returned file is closed, which also happens when this process ends.
    Raises AlreadyRunning if another process has locked it."""
    place.var.mkdir(parents=True, exist_ok=True)
    # One lock per user, because each user has servers of their own.
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
