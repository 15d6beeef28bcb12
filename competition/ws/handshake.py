"""Decide who may open a socket. A rejected handshake gets an HTTP response with the API's error."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
    AuthenticationFailed,
    Invalid,
    InvalidToken,
    NotAuthenticated,
    NotFound,
    response_in,
)
from competition.core.limits import counters
from competition.core.limits.addresses import client_address, customer
from competition.core.limits.counters import RateLimiter, RateLimitSettings
from competition.core.messages import Language, Message, language_in
from competition.core.monitoring.metrics import MEDIA_TYPE, Gauge, MetricsSettings, check_scraper
from competition.core.push import sockets
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.users import api_keys, callers, tickets
from competition.core.work import Work, begin

PATH = f"{API_PREFIX}{sockets.PATH}".removesuffix("/")
HEALTH = f"{API_PREFIX}/health"
METRICS = f"{API_PREFIX}/metrics"
# The prefix of a subprotocol that carries a ticket. Browsers can set no headers of a handshake
# except subprotocols.
TICKET_PROTOCOL = "ticket."


def path_of(request: Request) -> str:
    return request.path.partition("?")[0].removesuffix("/")


def identify(runtime: Runtime, request: Request, request_id: str, peer: str) -> Identity:
    """The identity of the user who opens a socket. The API key is checked first, then the access
    token (decisions A12). A ticket replaces both. `peer` is the address from which the connection
    comes.

    Raises the ApiErrors of the API's checks, and ThrottleExceeded if the client's address has sent
    too many invalid credentials.
    """
    if path_of(request) != PATH:
        raise NotFound
    address = _client_address(runtime, request, peer)
    with begin(runtime, request_id, address) as work, _counting_bad_credentials(work):
        ticket = _ticket(request)
        if ticket is not None:
            identity = tickets.redeem(work, ticket)
        else:
            key_id = api_keys.check(work, _header(request, "X-Api-Key")).id
            token = _bearer_token(runtime, request)
            identity = callers.identify(work, token, api_key_id=key_id)
    refusal = USER.refusal(identity)
    if refusal is not None:
        raise refusal
    return identity


@contextmanager
def _counting_bad_credentials(work: Work) -> Iterator[None]:
    """Context manager: count a handshake with an invalid key, token or ticket against a rate limit
    of the client's address.

    The rates are the same as for all API requests from the address. They are checked before any SQL
    statement. Valid credentials do not count, because a whole school may connect at the same time.

    Raises ThrottleExceeded if there were too many such handshakes from the address.
    """
    settings, address = work.settings[RateLimitSettings], work.address
    rates = settings.of_address(address, settings.general.address) if settings.enabled else ()
    windows = counters.windows_of(f"handshake:{customer(address)}", rates)
    counters.hit(work, "handshake", windows)
    with work.runtime[RateLimiter].counting_only(windows, AuthenticationFailed, InvalidToken):
        yield


def choose_protocol(connection: object, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The offered subprotocol with the ticket, or None. Browsers that offer subprotocols close the
    socket unless the server chooses one."""
    return next((name for name in offered if name.startswith(TICKET_PROTOCOL)), None)


def close_code(error: ApiError, request: Request) -> int | None:
    """The code to close the socket with instead of rejecting the handshake, or None.

    The code is for browsers, which send an Origin. A page can't see why a handshake failed, and
    would repeat it.
    """
    code = sockets.REFUSED + error.status
    return code if "Origin" in request.headers and code in sockets.CLOSE_CODES else None


def refuse(
    runtime: Runtime, error: ApiError, request_id: str, language: Language | None
) -> Response:
    """The HTTP response to a handshake that is rejected with this error, in this language."""
    response = response_in(language, runtime, error)
    return _respond(error.status, response.body, request_id, dict(response.headers))


def explain(runtime: Runtime, response: Response, language: Language | None) -> None:
    """Replace the library's response to a request that is no handshake by an error of the API, in
    this language."""
    error = Invalid(Message("This address only accepts WebSocket connections."))
    explained = response_in(language, runtime, error)
    response.body = explained.body
    for name, value in explained.headers.items():
        response.headers.pop(name, None)
        response.headers[name] = value


def health(is_listening: bool, now: datetime, request_id: str) -> Response:
    """The health of this process, in the same shape as the health of the API (decisions M14). The
    process is unhealthy (status 503) while it does not listen to PostgreSQL's notifications."""
    status = "healthy" if is_listening else "unhealthy"
    body = msgspec.json.encode({"status": status, "timestamp": now})
    return _respond(200 if is_listening else 503, body, request_id, {})


def metrics(
    runtime: Runtime, request: Request, gauges: Sequence[Gauge], request_id: str
) -> Response:
    """The metrics of this process, in the same form as the metrics of the API. Raises an ApiError
    if the caller may not read them."""
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


def language(request: Request) -> Language | None:
    """The language for the errors of a socket, or None for English. The query parameter `language`
    takes precedence over Accept-Language, in which a browser sends its own language."""
    query = parse_qs(request.path.partition("?")[2])
    asked = query.get("language") or request.headers.get_all("Accept-Language")
    return language_in(",".join(asked))


def _ticket(request: Request) -> str | None:
    query = parse_qs(request.path.partition("?")[2])
    if "ticket" in query:
        return query["ticket"][-1]
    offered = ",".join(request.headers.get_all("Sec-WebSocket-Protocol")).split(",")
    chosen = choose_protocol(None, [Subprotocol(name.strip()) for name in offered])
    return None if chosen is None else chosen.removeprefix(TICKET_PROTOCOL)


def _bearer_token(runtime: Runtime, request: Request) -> str:
    """The bearer token of the handshake. Raises NotAuthenticated if there is none."""
    token: str | None = runtime.tokens.from_header(_header(request, "Authorization") or "")
    if token is None:
        raise NotAuthenticated
    return token


def _client_address(runtime: Runtime, request: Request, peer: str) -> str:
    """The client's address, determined with the API's setting for trusted proxies."""
    forwarded = ",".join(request.headers.get_all("X-Forwarded-For"))
    environ = {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": forwarded}
    return client_address(environ, runtime.settings[RateLimitSettings].trusted_proxies)


def _header(request: Request, name: str) -> str | None:
    """The value of a header, or None. If the header is repeated, the last one counts, as in the
    API."""
    return next(reversed(request.headers.get_all(name)), None)
