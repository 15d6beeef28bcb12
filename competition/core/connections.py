"""The connections of a process to PostgreSQL.

One that PostgreSQL has closed is replaced when it is wanted: its end can be read from the socket,
without a round trip. One that was not used for long is asked, since a network may have forgotten it
without a word.
"""

import select
import time
from typing import Any

import psycopg
from sqlalchemy import QueuePool
from sqlalchemy.pool import ConnectionPoolEntry

# Seconds without use.
FORGOTTEN_AFTER = 30.0
# The rest of what a DB-API column has: sizes, precision, scale, whether it may be null.
NOT_DESCRIBED = (None,) * 5
# In the `info` of a connection.
USED = "competition.used"


class Cursor(psycopg.Cursor[Any]):
    """Describes what it found by names and types alone, which is what SQLAlchemy reads; psycopg's
    own description is an object a column, and costs as much as the rows."""

    @property
    def description(self) -> Any:
        found = self.pgresult
        if found is None or not found.nfields:
            return None
        return [
            ((found.fname(at) or b"").decode(), found.ftype(at), *NOT_DESCRIBED)
            for at in range(found.nfields)
        ]


def begin(connection: psycopg.Connection[Any]) -> None:
    """A transaction, unless there is one."""
    if connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
        connection.execute("BEGIN", prepare=False)


class Pool(QueuePool):
    """SQLAlchemy's, that also lends a connection for a statement which leaves nothing to undo:
    without what is around each for sessions, which takes half as long as PostgreSQL does.

    That takes more of SQLAlchemy than it documents: tests/core/test_connections.py says whether
    another version still does it.
    """

    def lend(self) -> ConnectionPoolEntry:
        """One that lives, until it is given `back`. Raises TimeoutError, and what psycopg raises
        when there is none to be had."""
        entry = self._do_get()
        try:
            entry.get_connection()  # type: ignore[attr-defined]  # it is a _ConnectionRecord
        except BaseException as error:
            entry.invalidate(error)
            self._do_return_conn(entry)
            raise
        return entry

    def back(self, entry: ConnectionPoolEntry) -> None:
        self._do_return_conn(entry)

    def _do_get(self) -> ConnectionPoolEntry:
        entry = super()._do_get()
        if (connection := entry.driver_connection) is not None:
            try:
                _check_alive(connection, entry.info.get(USED))
            except psycopg.OperationalError as error:
                # Whoever asked for it connects anew.
                entry.invalidate(error)
        return entry

    def _do_return_conn(self, record: ConnectionPoolEntry) -> None:
        if record.dbapi_connection is not None:
            record.info[USED] = time.monotonic()
        super()._do_return_conn(record)


def _check_alive(connection: psycopg.Connection[Any], used: float | None) -> None:
    """Raises OperationalError."""
    if used is None:
        return
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if time.monotonic() - used > FORGOTTEN_AFTER or poll.poll(0):
        connection.execute("")
