"""Log records carry the id of the request that caused them, in tasks and sockets too; who waits
for something that is away says so once a minute."""

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
    """Context manager: log records inside carry the id of the request that caused them."""
    before = request_id_var.get()
    request_id_var.set(request_id)
    try:
        yield
    finally:
        request_id_var.set(before)


class InUtc(logging.Formatter):
    """Times in UTC, which say so, wherever the process runs."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        time = datetime.fromtimestamp(record.created, UTC)
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class PlainFormatter(InUtc):
    """Log lines for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        record.request_id = request_id_var.get()
        return super().format(record)


class StructuredFormatter(InUtc, JsonFormatter):
    """Log lines as JSON: one object a line."""

    def add_fields(
        self,
        log_data: dict[str, object],
        record: logging.LogRecord,
        message_dict: dict[str, object],
    ) -> None:
        super().add_fields(log_data, record, message_dict)
        log_data.update(level=record.levelname, logger=record.name, request_id=request_id_var.get())


# What is raised when a server can't be reached, or not in time: where it was raised tells nothing.
AWAY = (
    OSError,
    psycopg.OperationalError,
    redis.RedisError,
    sqlalchemy.exc.OperationalError,
    sqlalchemy.exc.TimeoutError,
)
REPEATED_AFTER = 60.0
# How many different warnings a process has in a minute at most, before it repeats some.
MOST_WARNINGS = 1000


def reason(error: BaseException) -> str:
    """Why something is away, in a line. Of PostgreSQL its own words, which quote no password; of
    others the type alone."""
    cause = getattr(error, "orig", error)
    if not isinstance(cause, psycopg.Error | sqlalchemy.exc.TimeoutError):
        return type(cause).__name__
    # What follows are hints for a terminal.
    return str(cause).partition("\n")[0] or type(cause).__name__


class Seldom(logging.Filter):
    """Lets a warning of one text and one kind of error through once a minute, and without a
    traceback when something is away."""

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        # The warnings of the last minute. All threads log, and cachetools leaves locking to its
        # users.
        self._said: TTLCache[Any, bool] = TTLCache(MOST_WARNINGS, REPEATED_AFTER, timer)
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        error = record.exc_info[1] if record.exc_info else None
        what = (record.name, record.msg, type(error))
        if isinstance(error, AWAY):
            record.msg = f"{record.getMessage()}: {reason(error)}"
            record.args, record.exc_info = (), None
        with self._lock:
            is_repeated = what in self._said
            if not is_repeated:
                self._said[what] = True
        return not is_repeated

    def forget(self) -> None:
        """Let the next warning through, as at a start."""
        with self._lock:
            self._said.clear()


SELDOM = Seldom()


def patient(name: str) -> logging.Logger:
    """The logger of somebody who tries again and again, and need not say so each time."""
    logger = logging.getLogger(name)
    logger.addFilter(SELDOM)
    return logger
