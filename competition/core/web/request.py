"""The service's Request class: the work, the validated input and the body of a request."""

import json
from contextlib import suppress
from datetime import datetime
from math import isfinite
from typing import Any
from uuid import uuid4

import msgspec
import pyramid.request
from pyramid.config import Configurator
from pyramid.decorator import reify
from pyramid.response import Response
from transaction import TransactionManager

from competition.core import versions
from competition.core.database import ReadingSession
from competition.core.errors import Invalid, NotFound, UnsupportedMediaType
from competition.core.limits.addresses import client_address
from competition.core.limits.counters import RateLimitSettings
from competition.core.messages import Language, Message, language_of
from competition.core.schemas import LARGEST_ANONYMOUS_JSON
from competition.core.work import Work

JSON = "application/json"
MULTIPART = "multipart/form-data"
# The largest JSON body from a user who is logged in, in bytes.
LARGEST_JSON = 2 * 1024 * 1024


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Invalid(
            Message("The body has an object with the same key twice. Send each key once.")
        )
    return found


def _number(text: str) -> float:
    """Parse a number in a JSON body. Raises ValueError if it is too large, NaN or Infinity."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return number


# Rejects an object with the same key twice, which msgspec would accept: a proxy or a log may have
# read the other value.
_JSON = json.JSONDecoder(object_pairs_hook=_object, parse_float=_number, parse_constant=_number)


class Request(pyramid.request.Request):  # type: ignore[misc]  # Pyramid has no types
    tm: TransactionManager
    # The value of `work` after its first use, otherwise None.
    begun_work: Work | None = None
    # Set by Cornice, and filled by the checks of the endpoint: the validated input.
    validated: dict[str, Any]
    # The arguments of the path, by name.
    path_values: dict[str, Any]
    # The result of the endpoint's guard.
    target: Any
    # Whether the client's path ended in a slash. If not, `complete_slash` has added the slash.
    ends_in_slash = True
    # Whether the work has no transaction. Endpoints declare it.
    only_reads = False
    # The largest JSON body, in bytes. `policy` sets a larger value for users who are logged in.
    largest_json = LARGEST_ANONYMOUS_JSON
    # WebOb copies larger bodies to a file.
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
        work.user_agent = self.user_agent
        self.begun_work = work
        if self.only_reads:
            self.add_finished_callback(lambda request: work.db.close())
        return work

    def check_unchanged(self) -> None:
        """Raise ChangedWhileReading if a view that may only read has changed an object."""
        work = self.begun_work
        if work is not None and isinstance(work.db, ReadingSession):
            work.db.check_unchanged()

    @reify
    def response(self) -> Response:
        """The response of a view that returns no Response of its own. It is created with the type
        JSON, because changing the type later takes as long as creating the response."""
        return Response(content_type=JSON, charset=None)

    def tag(self, updated_at: datetime) -> None:
        """Send the version of the object in the reply as the ETag. `updated_at` is when the object
        was last changed."""
        self.response.headers["ETag"] = versions.tag(updated_at)

    @reify
    def language(self) -> Language | None:
        """The language of the texts in the reply: the language that the client asks for in
        Accept-Language, or None, which means English, if the service does not have it.

        Read this property only if the reply depends on the language: reading it may add the headers
        Content-Language and Vary.
        """
        language = language_of(self)
        if language is not None:
            self.response.headers["Content-Language"] = language
            self.response.vary = ("Accept-Language",)
        return language

    @property
    def client_address(self) -> str:
        trusted = self.registry.runtime.settings[RateLimitSettings].trusted_proxies
        return client_address(self.environ, trusted)

    @property
    def public_url(self) -> str:
        """The requested URL, under the configured public address."""
        url: str = self.registry.runtime.public_url + self.path_qs
        return url

    @reify
    def bearer_token(self) -> str | None:
        token: str | None = self.registry.runtime.tokens.from_request(self)
        return token

    @reify
    def query(self) -> dict[str, str]:
        """The query as a dict. If a parameter is repeated, its last value counts.

        Raises Invalid if the query is not UTF-8.
        """
        try:
            return dict(self.GET)
        except UnicodeDecodeError:
            raise Invalid(
                Message("The query string is not valid UTF-8. Encode its values as UTF-8.")
            ) from None

    @reify
    def json_object(self) -> dict[str, Any]:
        """The body as a dict. Raises UnsupportedMediaType if its type is not JSON, and Invalid if
        it is not a JSON object, or is too large."""
        if self.content_type.lower() != JSON:
            raise UnsupportedMediaType(Message("Send the body as ${type}.", type=JSON))
        body = self._read_body()
        try:
            value = _JSON.decode(body.decode())
            if b"\\u" in body:
                # Raises ValueError if one half of a surrogate pair is missing.
                msgspec.json.encode(value)
        except (ValueError, RecursionError):
            raise Invalid(Message("The body is not valid JSON. Check its syntax.")) from None
        if not isinstance(value, dict):
            raise Invalid(Message("The body must be a JSON object."))
        return value

    @property
    def has_body(self) -> bool:
        """Whether the client sent a body. Raises Invalid if the body is too large."""
        return bool(self._read_body())

    def receive_body(self) -> None:
        """Read the body now, so that a slow client does not delay the request while it holds a
        lock or a permit. An invalid body is ignored here; the endpoint's checks reject it."""
        with suppress(Invalid):
            self._read_body()

    def receive_chunks(self, largest: int) -> None:
        """Read a body that comes in chunks, up to one byte more than `largest`: that is enough to
        reject it. Raises OSError if the body stops before its end."""
        self.body = self.body_file.read(largest + 1)

    def _read_body(self) -> bytes:
        """The body. Raises Invalid if it is too large, or stops before the announced end."""
        try:
            if self.content_length is None and self.is_body_readable:
                self.receive_chunks(self.largest_json)
            if (self.content_length or 0) > self.largest_json:
                raise Invalid(Message("The body is too large. Send less in one request."))
            body: bytes = self.body
        except OSError:
            raise Invalid(Message("The body is not valid JSON. Check its syntax.")) from None
        return body


def complete_slash(event: Any) -> None:
    """Subscriber: serve ``/v1/exams`` as ``/v1/exams/`` (decisions A8). A redirect would lose the
    body of a POST."""
    request = event.request
    try:
        if not request.path_info.endswith("/"):
            request.path_info += "/"
            request.ends_in_slash = False
    except UnicodeDecodeError:
        raise NotFound from None


def includeme(config: Configurator) -> None:
    config.set_request_factory(Request)
    config.add_subscriber(complete_slash, "pyramid.events.NewRequest")
