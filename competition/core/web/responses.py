"""Finish every response: a metric, a line in the access log, and headers."""

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
    """Subscriber: have the response of a new request finished."""
    started = perf_counter()

    def finish(request: Request, response: Response) -> None:
        if request.exception is not None and is_error_retryable(request, request.exception):
            # The client does not get this response: the request is tried again.
            return
        service = request.current_service
        request.registry.runtime.metrics.request_seconds.labels(
            # Clients may invent methods.
            request.method if request.method in METHODS else "other",
            service.name if service else "",
            response.status_int,
        ).observe(perf_counter() - started)
        if request.registry.runtime.server.access_log:
            log_access(request, response, perf_counter() - started)
        # A message from `competition.core.errors` to pyramid_tm.
        response.headers.pop("X-Tm", None)
        # Nearly every response is about a person. One that may be cached has the header already.
        add_headers(response, {"X-Request-Id": request.request_id, "Cache-Control": "no-store"})

    event.request.add_response_callback(finish)


def add_headers(response: Response, headers: Mapping[str, str]) -> None:
    """Add the headers that the response does not have yet. WebOb would search all of them for
    each."""
    own = {name.lower() for name, _ in response.headerlist}
    response.headerlist.extend(
        (name, value) for name, value in headers.items() if name.lower() not in own
    )


def log_access(request: Request, response: Response, seconds: float) -> None:
    """Write a line of the access log, without the query, which may hold a signature or a ticket."""
    # The transaction is over, so a request that has no work yet must not get one.
    work = vars(request).get("work")
    told = {
        "method": request.method,
        "path": request.environ.get("PATH_INFO", ""),
        "status": response.status_int,
        "milliseconds": round(seconds * 1000),
        "address": request.client_address,
        "user_id": str(work.actor.user_id) if work and work.actor else None,
    }
    access.info("%s", " ".join(ascii(value) for value in told.values()), extra=told)


def includeme(config: Configurator) -> None:
    config.add_subscriber(finish_response, "pyramid.events.NewRequest")
