"""Decides who may open a socket: answered before it is one, with the service's own errors."""

from collections.abc import Sequence
from datetime import datetime
from http import HTTPStatus
from urllib.parse import parse_qs

import msgspec
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from competition.core.auth.access import USER
from competition.core.auth.identity import Identity
from competition.core.errors import (
    ApiError,
    Invalid,
    NotAuthenticated,
    NotFound,
    error_response,
)
from competition.core.monitoring.metrics import MEDIA_TYPE, Gauge, MetricsSettings
from competition.core.monitoring.scraping import check_scraper
from competition.core.push import sockets
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.users import api_keys, sessions, tickets
from competition.core.work import begin

PATH = f"{API_PREFIX}{sockets.PATH}".removesuffix("/")
HEALTH = f"{API_PREFIX}/health"
METRICS = f"{API_PREFIX}/metrics"
# What a browser can send besides the URL.
TICKET_PROTOCOL = "ticket."


def path_of(request: Request) -> str:
    return request.path.partition("?")[0].removesuffix("/")


def identify(runtime: Runtime, request: Request, request_id: str) -> Identity:
    """The identity of who wants a socket, checked in the order of decisions A12; a ticket stands
    for both headers. Raises ApiErrors."""
    if path_of(request) != PATH:
        raise NotFound
    with begin(runtime, request_id) as work:
        ticket = _ticket(request)
        if ticket is not None:
            identity = tickets.redeem(work, ticket)
        else:
            key_id = api_keys.check(work, _header(request, "X-Api-Key"))
            token = _bearer_token(runtime, request)
            identity = sessions.identify(work, token, api_key_id=key_id)
    refusal = USER.refusal(identity)
    if refusal is not None:
        raise refusal
    return identity


def choose_protocol(connection: object, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """A browser that offers protocols gives up unless one of them is chosen."""
    return next((name for name in offered if name.startswith(TICKET_PROTOCOL)), None)


def close_code(error: ApiError, request: Request) -> int | None:
    """With what to close a socket in the place of a refusal: a page in a browser, which sends its
    Origin, sees only that a handshake failed, and would knock for ever."""
    code = sockets.REFUSED + error.status
    return code if "Origin" in request.headers and code in sockets.CLOSE_CODES else None


def refuse(error: ApiError, request_id: str) -> Response:
    response = error_response(error)
    return _respond(error.status, response.body, request_id, dict(response.headers))


def explain(response: Response) -> None:
    """The library's refusal of what is no handshake, in our envelope."""
    response.body = error_response(Invalid("Only a WebSocket can be opened here.")).body
    del response.headers["Content-Type"], response.headers["Content-Length"]
    response.headers["Content-Type"] = "application/json"
    response.headers["Content-Length"] = str(len(response.body))


def health(is_listening: bool, now: datetime, request_id: str) -> Response:
    """Health of this process for load balancers, in the shape of the API's (decisions M14)."""
    status = "healthy" if is_listening else "unhealthy"
    body = msgspec.json.encode({"status": status, "timestamp": now})
    return _respond(200 if is_listening else 503, body, request_id, {})


def metrics(
    runtime: Runtime, request: Request, gauges: Sequence[Gauge], request_id: str
) -> Response:
    """Metrics of this process, in the shape of the API's. Raises ApiErrors."""
    token = runtime.tokens.from_header(_header(request, "Authorization") or "")
    check_scraper(runtime.settings[MetricsSettings], token)
    text = runtime.metrics.exposition(gauges)
    return _respond(200, text, request_id, {"Content-Type": MEDIA_TYPE})


def _respond(status: int, body: bytes, request_id: str, headers: dict[str, str]) -> Response:
    sent = Headers(
        {
            "Content-Type": "application/json",
            **headers,
            "Content-Length": str(len(body)),
            "Connection": "close",
            "X-Request-Id": request_id,
        }
    )
    return Response(status, HTTPStatus(status).phrase, sent, body)


def _ticket(request: Request) -> str | None:
    query = parse_qs(request.path.partition("?")[2])
    if "ticket" in query:
        return query["ticket"][-1]
    offered = ",".join(request.headers.get_all("Sec-WebSocket-Protocol")).split(",")
    chosen = choose_protocol(None, [Subprotocol(name.strip()) for name in offered])
    return None if chosen is None else chosen.removeprefix(TICKET_PROTOCOL)


def _bearer_token(runtime: Runtime, request: Request) -> str:
    """The bearer token of the handshake. Raises NotAuthenticated without one."""
    token: str | None = runtime.tokens.from_header(_header(request, "Authorization") or "")
    if token is None:
        raise NotAuthenticated
    return token


def _header(request: Request, name: str) -> str | None:
    """A header's value; of several the last one, as the API takes it."""
    return next(reversed(request.headers.get_all(name)), None)
