"""The request, with what every view finds on it."""

import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any
from uuid import uuid4

import msgspec
import pyramid.request
from cornice.util import current_service
from pyramid.config import Configurator
from pyramid.decorator import reify
from pyramid.interfaces import IRequestExtensions, IRequestFactory
from pyramid.response import Response
from pyramid_retry import is_error_retryable
from transaction import TransactionManager

from competition.core.catalogue import Assembled
from competition.core.database import TRIES, ReadingSession
from competition.core.errors import Invalid, NotFound, UnsupportedMediaType
from competition.core.limits.addresses import client_address
from competition.core.limits.counters import RateLimitSettings
from competition.core.work import Work

access = logging.getLogger("competition.access")

METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
JSON = "application/json"
MULTIPART = "multipart/form-data"
# The largest body of an endpoint that takes JSON, in bytes: of somebody who is logged in, and of
# anybody else.
LARGEST_JSON = 2 * 1024 * 1024
LARGEST_ANONYMOUS_JSON = 16 * 1024


def _each_key_once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise Invalid("A key of the body is there twice.")


# Besides msgspec, which is stricter in everything else but can't tell that a key came twice, and
# a proxy or a log may have read the other one.
_KEYS = json.JSONDecoder(object_pairs_hook=_each_key_once)


class Request(pyramid.request.Request):  # type: ignore[misc]  # Pyramid has no types
    tm: TransactionManager
    # Cornice's: what the endpoint's schema let through.
    validated: dict[str, Any]
    # What the endpoint's guard returned.
    target: Any
    # Whether the path that the client asked for did; `path` always does.
    ends_in_slash = True
    # Whether its work has no transaction; the security policy sets it, as the endpoint declares it.
    only_reads = False
    # In bytes. The security policy raises it for callers that it knows.
    largest_json = LARGEST_ANONYMOUS_JSON
    # WebOb would copy larger bodies to a file.
    request_body_tempfile_limit = LARGEST_JSON

    @reify
    def request_id(self) -> str:
        return uuid4().hex

    @reify
    def work(self) -> Work:
        work = Work.of(
            self.registry.runtime,
            self.tm,
            self.request_id,
            self.client_address,
            only_reads=self.only_reads,
        )
        if self.only_reads:
            self.add_finished_callback(lambda request: work.db.close())
        return work

    def check_unchanged(self) -> None:
        """Raise ChangedWhileReading if a view that may only read has changed an object."""
        work = vars(self).get("work")
        if work is not None and isinstance(work.db, ReadingSession):
            work.db.check_unchanged()

    @reify
    def response(self) -> Response:
        """What the view returns is the body of this. To make it another type later takes as long
        as to make it."""
        return Response(content_type=JSON, charset=None)

    @property
    def client_address(self) -> str:
        trusted = self.registry.runtime.settings[RateLimitSettings].trusted_proxies
        return client_address(self.environ, trusted)

    @property
    def public_url(self) -> str:
        """The URL that the client asked for, under the configured public address."""
        url: str = self.registry.runtime.public_url + self.path_qs
        return url

    @reify
    def bearer_token(self) -> str | None:
        token: str | None = self.registry.runtime.tokens.from_request(self)
        return token

    @reify
    def query(self) -> dict[str, str]:
        """The query as a dict; of a repeated parameter the last one. Raises Invalid when it is no
        UTF-8."""
        try:
            return dict(self.GET)
        except UnicodeDecodeError:
            raise Invalid("The query is not text in UTF-8.") from None

    @reify
    def json_object(self) -> dict[str, Any]:
        """The body as a dict. Raises UnsupportedMediaType, or Invalid when it is no JSON object."""
        if self.content_type.lower() != JSON:
            raise UnsupportedMediaType(f"Send the body as {JSON}.")
        body = self._read_body()
        try:
            value = msgspec.json.decode(body)
            _KEYS.decode(body.decode())
        except (msgspec.DecodeError, ValueError, RecursionError):
            raise Invalid("The body is not valid JSON.") from None
        if not isinstance(value, dict):
            raise Invalid("The body has to be a JSON object.")
        return value

    @property
    def has_body(self) -> bool:
        """Whether a body was sent. Raises Invalid for one that is too large."""
        return bool(self._read_body())

    def receive_body(self) -> None:
        """Read the body now, however slowly the client sends it, so that nothing that the request
        holds later waits for the client. The view still finds what is wrong with the body."""
        with suppress(Invalid):
            self._read_body()

    def _read_body(self) -> bytes:
        """The body. Raises Invalid if it is too large, or stops before the announced end."""
        try:
            if self.content_length is None and self.is_body_readable:
                # Sent in chunks: read no more than shows that it is too large.
                self.body = self.body_file.read(self.largest_json + 1)
            if (self.content_length or 0) > self.largest_json:
                raise Invalid("The body is too large.")
            body: bytes = self.body
        except OSError:
            raise Invalid("The body is not valid JSON.") from None
        return body


def complete_slash(event: Any) -> None:
    """Serve ``/v1/exams`` as ``/v1/exams/`` (decisions A8): a redirected POST loses its body."""
    request = event.request
    try:
        if not request.path_info.endswith("/"):
            request.path_info += "/"
            request.ends_in_slash = False
    except UnicodeDecodeError:
        raise NotFound from None


def finish_response(event: Any) -> None:
    started = perf_counter()

    def finish(request: Request, response: Response) -> None:
        if request.exception is not None and is_error_retryable(request, request.exception):
            # Nobody gets it: the request is tried again.
            return
        service = current_service(request)
        request.registry.runtime.metrics.request_seconds.labels(
            # Whatever a client makes up is one.
            request.method if request.method in METHODS else "other",
            service.document_path if service else "",
            response.status_int,
        ).observe(perf_counter() - started)
        if request.registry.runtime.server.access_log:
            log_access(request, response, perf_counter() - started)
        # Said to pyramid_tm, by competition.core.errors.
        response.headers.pop("X-Tm", None)
        # Nearly everything is about somebody; what may be kept says so itself.
        add_headers(response, {"X-Request-Id": request.request_id, "Cache-Control": "no-store"})

    event.request.add_response_callback(finish)


def add_headers(response: Response, headers: Mapping[str, str]) -> None:
    """Add those that the response has not yet; WebOb would look through all of them for each."""
    own = {name.lower() for name, _ in response.headerlist}
    response.headerlist.extend(
        (name, value) for name, value in headers.items() if name.lower() not in own
    )


def log_access(request: Request, response: Response, seconds: float) -> None:
    """Without the query, which may be a signature or a ticket."""
    # The transaction is over: what has no work by now gets none.
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


def retry_attempts(request: Request) -> int:
    """How often pyramid_retry may try a request.

    For more than one try it keeps the body in memory, before the API key is checked. So a form,
    which is read as a stream, a body of unknown length, and one that is larger than its sender may
    send get a single try.
    """
    length = request.content_length
    if length is None:
        return 1 if request.is_body_readable else TRIES
    largest = LARGEST_JSON if "X-Api-Key" in request.headers else LARGEST_ANONYMOUS_JSON
    if length > largest or request.content_type.lower() == MULTIPART:
        return 1
    try:
        request.make_body_seekable()
    except OSError:
        # The client has stopped before the end. Endpoints that take a body reject it.
        return 1
    return TRIES


def complete_class(event: Assembled) -> None:
    """Put what libraries and plugins add to requests on their class. Pyramid makes a class of each
    request for that, which costs a tenth of all that it does for one."""
    registry = event.registry
    added = registry.queryUtility(IRequestExtensions)
    own = type("Request", (Request,), {**added.methods, **added.descriptors})
    registry.registerUtility(own, IRequestFactory)
    added.methods.clear()
    added.descriptors.clear()


def includeme(config: Configurator) -> None:
    config.set_request_factory(Request)
    config.add_subscriber(complete_class, Assembled)
    config.add_subscriber(finish_response, "pyramid.events.NewRequest")
    config.add_subscriber(complete_slash, "pyramid.events.NewRequest")
