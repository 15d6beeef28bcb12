"""How many statements a request sends to PostgreSQL, and how many round trips they and what is
around them take: counted in the protocol, by libpq's own trace."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any, Self

from psycopg.pq import Trace
from sqlalchemy import Engine, event

# What the frontend waits for. That a connection prepares a statement, once, is not counted.
ANSWERED = re.compile(rb"^F\t\d+\t(Query|Execute)\b", re.MULTILINE)
# What is around statements, and is none.
AROUND = re.compile(
    rb'^F\t\d+\t(Query|Parse)\t.*?"(BEGIN|COMMIT|ROLLBACK(?! TO))\b', re.MULTILINE | re.I
)


@dataclass
class Traffic:
    statements: int = 0
    round_trips: int = 0


class Tap:
    """Listens on every connection that an engine opens inside the ``with`` block."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._files: list[IO[bytes]] = []
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._engine.dispose()
        event.listen(self._engine, "connect", self._listen)
        return self

    def __exit__(self, *_: object) -> None:
        event.remove(self._engine, "connect", self._listen)
        # The connections first: they write into the files.
        self._engine.dispose()
        self._open.close()

    def _listen(self, connection: Any, record: Any) -> None:
        file = TemporaryFile()  # noqa: SIM115  # the stack closes it
        self._open.enter_context(file)
        connection.pgconn.trace(file.fileno())
        connection.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
        self._files.append(file)

    @contextmanager
    def counting(self) -> Iterator[Traffic]:
        """What goes over the connections inside the block."""
        traffic = Traffic()
        starts = [_size(file) for file in self._files]
        yield traffic
        for at, file in enumerate(self._files):
            file.seek(starts[at] if at < len(starts) else 0)
            heard = file.read()
            trips = len(ANSWERED.findall(heard))
            traffic.round_trips += trips
            traffic.statements += trips - len(AROUND.findall(heard))


def _size(file: IO[bytes]) -> int:
    return file.seek(0, 2)
