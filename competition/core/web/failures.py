"""What nobody expected, a mistake of ours or a PostgreSQL that is away: what clients and the log
are told of it.

Without PostgreSQL nothing was done, and the same request works a little later: 503 with
Retry-After. So it is with what PostgreSQL cancelled because it waited or ran for too long.
"""

import logging

import pyramid_retry
from pyramid.config import Configurator
from pyramid.request import Request
from pyramid.response import Response
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from competition.core.errors import ApiError, ServerError, ServiceUnavailable, error_response
from competition.core.logs import patient, reason

log = logging.getLogger(__name__)
# Says once a minute that PostgreSQL is away, however many ask.
outages = patient(f"{__name__}.outages")
standbys = patient(f"{__name__}.standbys")

# SQLSTATEs, or what they begin with: a connection that is refused or lost, too many of them, a
# server that starts, stops or recovers.
AWAY = ("08", "53300", "57P")
# Cancelled, by statement_timeout or by hand; a lock that was not free in time.
TOO_LATE = ("57014", "55P03")
# Transaction rollback: a serialization failure, a deadlock.
LOST_RACE = "40"


def is_outage(error: BaseException) -> bool:
    """Whether PostgreSQL was not there: refused, lost, restarting, or without a free connection."""
    if isinstance(error, NoConnectionFree):
        return True
    # What has no state is libpq's: PostgreSQL gives one to every error of its own.
    state = _state(error)
    return isinstance(error, OperationalError) if state == "" else state.startswith(AWAY)


def noticed(error: BaseException) -> bool:
    """Whether the error is an outage. If so, it is logged in one line a minute, however many
    requests and jobs meet it."""
    if not is_outage(error):
        return False
    outages.error("the database can't be reached: %s", reason(error))
    return True


def refusal(error: Exception) -> ApiError:
    """The error that a client gets for an unexpected exception, which tells nothing of it; the log
    has the rest."""
    if noticed(error):
        return ServiceUnavailable()
    log.exception("unexpected error", exc_info=error)
    return ServiceUnavailable() if _state(error) in TOO_LATE else ServerError()


def unexpected_error(error: Exception, request: Request) -> Response:
    """The reply to any exception that nothing else handles."""
    if isinstance(error, pyramid_retry.RetryableException):
        # It asks for another try; nobody gets this.
        return error_response(ServiceUnavailable())
    work = vars(request).get("work")
    if work and work.is_on_standby and (is_outage(error) or _state(error).startswith(LOST_RACE)):
        # The next try reads from the primary.
        standbys.warning("the standby is not read: %s", reason(error))
        work.runtime.standby.leave()
        pyramid_retry.mark_error_retryable(error)
        return error_response(ServiceUnavailable())
    if _state(error).startswith(LOST_RACE):
        # Rendered before pyramid_retry sees it; the mark makes it try again all the same.
        pyramid_retry.mark_error_retryable(error)
    return error_response(refusal(error))


def _state(error: BaseException) -> str:
    """The SQLSTATE of a database error."""
    found = getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None
    return str(found or "")


def includeme(config: Configurator) -> None:
    config.add_exception_view(unexpected_error, context=Exception)
