"""What nobody expected, a mistake of ours or a PostgreSQL that is away: what clients and the log
are told of it.

Without PostgreSQL nothing was done, and the same request works a little later: 503 with
Retry-After. So it is with what PostgreSQL cancelled because it waited or ran for too long.
"""

import logging
import threading
from datetime import datetime, timedelta

import pyramid_retry
from pyramid.config import Configurator
from pyramid.request import Request
from pyramid.response import Response
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from competition.core.errors import ApiError, ServerError, ServiceUnavailable, error_response
from competition.core.runtime import Runtime

log = logging.getLogger(__name__)

# SQLSTATEs, or what they begin with: a connection that is refused or lost, too many of them, a
# server that starts, stops or recovers.
AWAY = ("08", "53300", "57P")
# Cancelled, by statement_timeout or by hand; a lock that was not free in time.
TOO_LATE = ("57014", "55P03")
# Transaction rollback: a serialization failure, a deadlock.
LOST_RACE = "40"
SAID_EVERY = timedelta(minutes=1)


class _Said:
    """When this process last said that PostgreSQL is away."""

    def __init__(self) -> None:
        self._at: datetime | None = None
        self._lock = threading.Lock()

    def is_due(self, now: datetime) -> bool:
        with self._lock:
            if self._at is not None and self._at <= now < self._at + SAID_EVERY:
                return False
            self._at = now
            return True


def is_outage(error: BaseException) -> bool:
    """Whether PostgreSQL was not there: refused, lost, restarting, or without a free connection."""
    if isinstance(error, NoConnectionFree):
        return True
    # What has no state is libpq's: PostgreSQL gives one to every error of its own.
    state = _state(error)
    return isinstance(error, OperationalError) if state == "" else state.startswith(AWAY)


def noticed(runtime: Runtime, error: BaseException) -> bool:
    """Whether it is an outage; then the log says why, in one line a minute, however many ask."""
    if not is_outage(error):
        return False
    if runtime.part(_Said).is_due(runtime.clock()):
        # The first line: what follows are hints for a terminal.
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        log.error("the database can't be reached: %s", reason)
    return True


def refusal(runtime: Runtime, error: Exception) -> ApiError:
    """What a client is told. Nothing of the exception reaches it; the log has the rest."""
    if noticed(runtime, error):
        return ServiceUnavailable()
    log.exception("unexpected error", exc_info=error)
    return ServiceUnavailable() if _state(error) in TOO_LATE else ServerError()


def unexpected_error(error: Exception, request: Request) -> Response:
    """Last resort."""
    if _state(error).startswith(LOST_RACE):
        # Rendered before pyramid_retry sees it; the mark makes it try again all the same.
        pyramid_retry.mark_error_retryable(error)
    return error_response(refusal(request.registry.runtime, error))


def _state(error: BaseException) -> str:
    """The SQLSTATE."""
    found = getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None
    return str(found or "")


def includeme(config: Configurator) -> None:
    config.add_exception_view(unexpected_error, context=Exception)
