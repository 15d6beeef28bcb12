"""How many statements a request sends to PostgreSQL, and how many round trips they and what is
around them take: counted in the protocol, by libpq's own trace."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any

from psycopg.pq import Trace
from sqlalchemy import Engine, event

# A message of the frontend that PostgreSQL answers at once: a simple query, or the end of an
# extended one.
ANSWERED = re.compile(rb"^F\t\d+\t(Query|Sync)\b", re.MULTILINE)
# What is around statements, and is none.
AROUND = re.compile(rb'^F\t\d+\t(Query|Parse)\t.*?"(BEGIN|COMMIT|ROLLBACK)\b', re.MULTILINE)


@dataclass
class Traffic:
    statements: int = 0
    round_trips: int = 0


class Tap:
    """Listens on every connection of an engine."""

    def __init__(self, engine: Engine) -> None:
        self._files: list[IO[bytes]] = []
        event.listen(engine, "connect", self._listen)
        engine.dispose()

    def _listen(self, connection: Any, record: Any) -> None:
        file = TemporaryFile()  # noqa: SIM115  # open for as long as the connection
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
