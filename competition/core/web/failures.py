"""Log unexpected errors, and choose the error that the client gets.

If PostgreSQL is unavailable, the client can repeat the request: it gets 503 with Retry-After. The
request had no effect, unless only the reply to its COMMIT was lost. The same applies if PostgreSQL
cancelled a statement that ran or waited for too long. Any other exception is a 500.
"""

import logging

import pyramid_retry
from pyramid.config import Configurator
from pyramid.request import Request
from pyramid.response import Response

from competition.core.database_errors import TOO_LATE, is_retryable, noticed, sqlstate
from competition.core.errors import ApiError, ServerError, ServiceUnavailable, error_response

log = logging.getLogger(__name__)


def refusal(error: Exception) -> ApiError:
    """The error that a client gets for an unexpected exception: ServiceUnavailable if PostgreSQL
    was unavailable or too slow, otherwise ServerError. The cause is only logged."""
    if noticed(error):
        return ServiceUnavailable()
    log.exception("unexpected error", exc_info=error)
    return ServiceUnavailable() if sqlstate(error) in TOO_LATE else ServerError()


def unexpected_error(error: Exception, request: Request) -> Response:
    """Exception view for every exception that has no view of its own. It marks exceptions after
    which pyramid_retry may run the request again."""
    if is_retryable(error):
        # Except after the last attempt, the client does not get this reply: pyramid_retry sees the
        # mark, and runs the request again.
        pyramid_retry.mark_error_retryable(error)
        if not pyramid_retry.is_last_attempt(request):
            return error_response(ServiceUnavailable(), request)
    return error_response(refusal(error), request)


def includeme(config: Configurator) -> None:
    config.add_exception_view(unexpected_error, context=Exception)
