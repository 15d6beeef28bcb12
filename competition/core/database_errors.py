"""Recognise by an error of PostgreSQL that the database is unavailable, or that a transaction has
lost a race against another transaction. `retrying` then runs the work again."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from competition.core.monitoring.logs import patient, reason

# Logs that PostgreSQL is unavailable, at most once a minute.
log = patient(__name__)

# SQLSTATEs, or their first characters: the server refuses or loses a connection, has too many
# connections, starts, stops or recovers.
OUTAGE = ("08", "53300", "57P")
# statement_timeout or an operator cancelled the statement, or a lock was not free in time.
TOO_LATE = ("57014", "55P03")
# A serialization failure or a deadlock: the same transaction may succeed if it is run again.
LOST_RACE = "40"
# The server has become read-only: it was demoted to a standby while the connection was open.
READ_ONLY = "25006"
# The plan of a prepared statement is from before a migration.
STALE_PLAN = "0A000"
# How many times work is run at most, if it loses a race each time.
TRIES = 3

T = TypeVar("T")


def sqlstate(error: BaseException) -> str:
    """The SQLSTATE of a database error; empty if PostgreSQL gave none."""
    found = getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None
    return str(found or "")


def is_outage(error: BaseException) -> bool:
    """Whether PostgreSQL was unavailable: it refused or lost the connection, is restarting, or no
    connection of the pool became free in time."""
    if isinstance(error, NoConnectionFree):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    # An error without a SQLSTATE comes from libpq, because every error of PostgreSQL has one.
    state = sqlstate(error)
    return isinstance(error, OperationalError) if state == "" else state.startswith(OUTAGE)


def is_unanswered(error: BaseException | None) -> bool:
    """Whether PostgreSQL has not answered the statement that failed with this error, so that the
    statement may have taken effect. If the error is not known (None), this is True."""
    return error is None or sqlstate(error) == "" or is_outage(error)


def noticed(error: BaseException) -> bool:
    """Whether the error is an outage. Outages are logged here, at most once a minute."""
    if not is_outage(error):
        return False
    log.error("the database can't be reached: %s", reason(error))
    return True


def is_retryable(error: BaseException) -> bool:
    """Whether the same work may succeed if it is immediately run again from its beginning, because
    it lost a race, or a statement found that its pooled connection was dead.

    If the connection was lost in the COMMIT, the work may have been committed, so it must not be
    run again, and the result is False.
    """
    if sqlstate(error).startswith(LOST_RACE):
        return True
    # The error of a COMMIT, of a ROLLBACK or of a failed connect has no statement.
    return (
        isinstance(error, DBAPIError)
        and error.connection_invalidated
        and error.statement is not None
    )


def retrying(action: Callable[[], T]) -> T:
    """Call `action` and return its result. Call it again, at most twice, if it loses a race against
    another transaction or its connection turns out to be dead.

    `action` must do all its work in transactions of its own, because it may run more than once.
    """
    for _ in range(TRIES - 1):
        try:
            return action()
        except DBAPIError as error:
            if not is_retryable(error):
                raise
    return action()
