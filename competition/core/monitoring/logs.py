"""Logging: request ids in log records, formatters, and loggers that limit repeated warnings.

The log records of a job have the id of the request that enqueued it, and the log records of a
socket have the id of its handshake.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import psycopg
import redis
import sqlalchemy.exc
from cachetools import TTLCache
from pythonjsonlogger.json import JsonFormatter

request_id_var: ContextVar[str] = ContextVar("request_id", default="-")


@contextmanager
def carrying(request_id: str) -> Iterator[None]:
    """Context manager: log records inside have this request id."""
    before = request_id_var.get()
    request_id_var.set(request_id)
    try:
        yield
    finally:
        request_id_var.set(before)


class InUtc(logging.Formatter):
    """Formats times in UTC, with a Z at the end, whatever the time zone of the machine is."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        time = datetime.fromtimestamp(record.created, UTC)
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class PlainFormatter(InUtc):
    """Formats log lines for a terminal. The format string may contain ``%(request_id)s``."""

    def format(self, record: logging.LogRecord) -> str:
        record.request_id = request_id_var.get()
        return super().format(record)


class StructuredFormatter(InUtc, JsonFormatter):
    """Formats log lines as JSON, one object per line."""

    def add_fields(
        self,
        log_data: dict[str, object],
        record: logging.LogRecord,
        message_dict: dict[str, object],
    ) -> None:
        super().add_fields(log_data, record, message_dict)
        log_data.update(level=record.levelname, logger=record.name, request_id=request_id_var.get())


# Errors raised if a server can't be reached, or does not reply in time. Their tracebacks are of no
# use.
UNAVAILABLE = (
    OSError,
    psycopg.OperationalError,
    redis.RedisError,
    sqlalchemy.exc.OperationalError,
    sqlalchemy.exc.TimeoutError,
)
# How long a warning is not repeated, in seconds.
REPEATED_AFTER = 60.0
# How many different warnings are tracked. If a process logs more in a minute, some are repeated.
MOST_WARNINGS = 1000


def reason(error: BaseException) -> str:
    """Why a server is unavailable, in one line. For PostgreSQL it is the error's message, which
    contains no password; for other servers only the class of the error."""
    cause = getattr(error, "orig", error)
    if not isinstance(cause, psycopg.Error | sqlalchemy.exc.TimeoutError):
        return type(cause).__name__
    # The other lines are hints for a terminal.
    return str(cause).partition("\n")[0] or type(cause).__name__


class Seldom(logging.Filter):
    """A filter that passes the same warning or error only once a minute.

    Log records count as the same if they have the same logger, format string and class of
    exception, whatever their arguments are. If a server is unavailable, the filter replaces the
    traceback by one line with the reason.
    """

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        # The warnings of the last minute. A lock protects this cache, because all threads log, and
        # caches of cachetools are not thread-safe.
        self._logged: TTLCache[Any, bool] = TTLCache(MOST_WARNINGS, REPEATED_AFTER, timer)
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        error = record.exc_info[1] if record.exc_info else None
        what = (record.name, record.msg, type(error))
        if isinstance(error, UNAVAILABLE):
            record.msg = f"{record.getMessage()}: {reason(error)}"
            record.args, record.exc_info = (), None
        with self._lock:
            is_repeated = what in self._logged
            if not is_repeated:
                self._logged[what] = True
        return not is_repeated

    def forget(self) -> None:
        """Forget the logged warnings: each passes again, as after a start of the process."""
        with self._lock:
            self._logged.clear()


SELDOM = Seldom()


def patient(name: str) -> logging.Logger:
    """A logger for code that keeps retrying: it logs the same warning only once a minute."""
    logger = logging.getLogger(name)
    logger.addFilter(SELDOM)
    return logger
