"""Record the metric and the access log line of every response, and add headers to the response."""

import logging
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from pyramid.config import Configurator
from pyramid.response import Response
from pyramid_retry import is_error_retryable

from competition.core.web.request import Request

access = logging.getLogger("competition.access")

METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


def finish_response(event: Any) -> None:
    """Subscriber of new requests: register a callback that records the metric and the access log
    line of the response, and adds its headers X-Request-Id and Cache-Control."""
    started = perf_counter()

    def finish(request: Request, response: Response) -> None:
        if request.exception is not None and is_error_retryable(request, request.exception):
            # The client does not get this response, because the request is run again.
            return
        service = request.current_service
        request.registry.runtime.metrics.request_seconds.labels(
            # Clients may send any method. A label for each would grow the metric without limit.
            request.method if request.method in METHODS else "other",
            service.name if service else "",
            response.status_int,
        ).observe(perf_counter() - started)
        if request.registry.runtime.server.access_log:
            log_access(request, response, perf_counter() - started)
        # `competition.core.errors` sets this header for pyramid_tm only.
        response.headers.pop("X-Tm", None)
        # Most responses contain personal data. A response that may be cached already has the header
        # Cache-Control.
        add_headers(response, {"X-Request-Id": request.request_id, "Cache-Control": "no-store"})

    event.request.add_response_callback(finish)


def add_headers(response: Response, headers: Mapping[str, str]) -> None:
    """Add the headers that the response does not have yet.

    WebOb's own method would search all headers of the response for each header that is added.
    """
    own = {name.lower() for name, _ in response.headerlist}
    response.headerlist.extend(
        (name, value) for name, value in headers.items() if name.lower() not in own
    )


def log_access(request: Request, response: Response, seconds: float) -> None:
    """Write a line of the access log. It has no query string, which may contain a signature or a
    ticket."""
    work = request.begun_work
    fields = {
        "method": request.method,
        "path": request.environ.get("PATH_INFO", ""),
        "status": response.status_int,
        "milliseconds": round(seconds * 1000),
        "address": request.client_address,
        "user_id": str(work.actor.user_id) if work and work.actor else None,
    }
    access.info("%s", " ".join(ascii(value) for value in fields.values()), extra=fields)


def includeme(config: Configurator) -> None:
    config.add_subscriber(finish_response, "pyramid.events.NewRequest")
