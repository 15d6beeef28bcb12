"""The one way to declare an endpoint.

    exam = Service("/exams/{exam_id:int}/")

    @exam.patch(access=staff(ADMIN), body=ExamChanges, errors=(QuestionsFrozen,))
    def change_exam(request: Request, exam_id: int) -> presenters.Exam:
        \"\"\"Change some fields of an exam.\"\"\"
        exam = services.change_exam(request.work, exam_id, request.validated)
        return presenters.exam(request.work, exam)

What is declared is what happens and what the document at ``/docs/spec`` says: who gets in, what
may come in (a Colander schema, then in ``request.validated``), what goes out (the annotation of
the return value: a TypedDict, a list of one, or None for 204) and every error class. A `guard`
is a service function ``(work, **path)`` that refuses before the body is looked at; what it loads
is ``request.target``. Of an endpoint with `headers` it gets those, too. `Endpoint` has everything
else that may be declared.
"""

import gzip
import inspect
import re
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, Literal, TypeVar

import colander
import cornice
import msgspec
from cornice.pyramidhook import register_service_views
from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError
from pyramid.i18n import TranslationString
from pyramid.response import Response

from competition.core.auth.access import Access
from competition.core.errors import ApiError, Invalid, NotFound, UnsupportedMediaType
from competition.core.web import bodies, limits, paths
from competition.core.web.bodies import BodyField
from competition.core.web.paging import PageQuery
from competition.core.web.paths import PathType
from competition.core.web.request import LARGEST_ANONYMOUS_JSON, LARGEST_JSON, Request
from competition.core.web.uploads import (
    MULTIPART,
    FileSizeExceeded,
    InvalidFileType,
    ReceivedFile,
    Upload,
    read_form,
)

Guard = Callable[..., Any]
View = TypeVar("View", bound=Callable[..., Any])

# Bytes of an ETag, of which there are two characters each.
TAG_SIZE = 16
# Of the end of an endpoint (spec "Versioning"): the shortest six months there are.
SHORTEST_NOTICE = timedelta(days=181)


@dataclass(frozen=True)
class Deprecation:
    """An endpoint that will go: `since` when clients are told, and `sunset`, six months later or
    more, when it ends. Raises ValueError for a shorter notice."""

    since: date
    sunset: date

    def __post_init__(self) -> None:
        if self.sunset - self.since < SHORTEST_NOTICE:
            raise ValueError(f"{self.since} to {self.sunset} is less than six months")

    @property
    def headers(self) -> dict[str, str]:
        """The headers of RFC 9745 and RFC 8594."""
        since, sunset = (datetime.combine(day, time(), UTC) for day in (self.since, self.sunset))
        return {
            "Deprecation": f"@{int(since.timestamp())}",
            "Sunset": format_datetime(sunset, usegmt=True),
        }

    def announce(self, request: Request, response: Response) -> None:
        response.headers.update(self.headers)


@dataclass(frozen=True)
class Format:
    """Another form of a reply than JSON: `render` makes its text of what the view returns."""

    media_type: str
    render: Callable[[Any], str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Endpoint:
    """One method of one path, as declared. `files` are the file fields of a multipart body; with
    a `body` besides, its schema reads both JSON and the form, whichever is sent. Where it
    `needs_body` not, none at all is an empty object. `limit` names
    its rate limit windows; `other_statuses` answer in the same shape; `formats` are other forms of
    the reply, by the value of the query's `format` that asks for them. What is `polled` has an
    ETag, and is a 304 while it stays the same, but for the fields that are `untagged`; of what is
    for a user no cache keeps a copy.
    `largest_anonymous_json` is how many bytes of JSON it takes from who is not logged in. `headers`
    is a schema whose field ``idempotency_key`` reads the header ``Idempotency-Key``.
    A GET only reads; with `transaction` it runs in one, as every other method does.
    An endpoint that hashes a password, or compares one with a hash, is in the lane `passwords`: its
    requests hold a hashing permit (`competition.core.auth.passwords`), and have at most 16 KiB of
    JSON.

    What is `compressed` goes out as gzip to who takes that. Its length then tells of its content:
    it is for what is public, and has nothing in it that was sent (BREACH)."""

    method: str
    path: str
    view: Callable[..., Any]
    returns: Any
    parameters: dict[str, PathType]
    # From here on: what a declaration says.
    access: Access
    status: int = 200
    body: type[colander.Schema] | None = None
    needs_body: bool = True
    query: type[colander.Schema] | None = None
    headers: type[colander.Schema] | None = None
    files: tuple[Upload, ...] = ()
    guard: Guard | None = None
    errors: tuple[type[ApiError], ...] = ()
    limit: str = limits.GENERAL
    media_type: str = "application/json"
    formats: Mapping[str, Format] = field(default_factory=dict)
    other_statuses: tuple[int, ...] = ()
    polled: bool = False
    compressed: bool = False
    untagged: tuple[str, ...] = ()
    deprecation: Deprecation | None = None
    transaction: bool = False
    largest_anonymous_json: int = LARGEST_ANONYMOUS_JSON
    lane: Literal["passwords"] | None = None

    def __post_init__(self) -> None:
        fields = bodies.whole(self.query, ()).children if self.query else ()
        choices = [field.typ.schema["enum"] for field in fields if field.name == "format"]
        if not self.formats.keys() <= {value for values in choices for value in values}:
            raise ConfigurationError(
                f"The view {self.view.__module__}.{self.view.__qualname__} has the formats"
                f" {', '.join(self.formats)}, and its query no field `format` that takes them: give"
                " it one, with a Choice of them."
            )

    # Cornice copies view arguments; this one is a constant.
    def __deepcopy__(self, memo: Any) -> "Endpoint":
        return self

    @property
    def largest_json(self) -> int:
        # In a lane the body is read before the caller is known.
        if self.access.needs_user and self.lane is None:
            return LARGEST_JSON
        return self.largest_anonymous_json

    @cached_property
    def header_names(self) -> dict[str, str]:
        """The names of its headers, by those of the fields."""
        fields = self.headers().children if self.headers else ()
        return {field.name: field.name.replace("_", "-").title() for field in fields}

    def all_errors(self) -> set[type[ApiError]]:
        """Every error that the endpoint can raise: declared, or following from what is declared."""
        found = {*self.errors, *self.access.errors(), *limits.errors(self.limit)}
        if self.parameters or (self.query and issubclass(self.query, PageQuery)):
            found.add(NotFound)
        if self.body or self.query or self.files or self.headers:
            found.add(Invalid)
        if self.body or self.files:
            found.add(UnsupportedMediaType)
        if self.files:
            found |= {InvalidFileType, FileSizeExceeded}
        return found

    @property
    def only_reads(self) -> bool:
        """Whether its work has no transaction."""
        return self.method == "GET" and not self.transaction

    def check_path(self, request: Request, **_: Any) -> None:
        """Read the path's values. First of the checks after the policy's (decisions A12). Raises
        NotFound for an id that can't be one."""
        request.path_values = paths.read(self.parameters, request.matchdict)

    def check_headers(self, request: Request, **_: Any) -> None:
        """Validate the headers into ``request.validated``. Second of the checks."""
        if self.headers is not None:
            sent = {name: request.headers.get(header) for name, header in self.header_names.items()}
            given = {name: value for name, value in sent.items() if value is not None}
            request.validated.update(deserialize(self.headers, given))

    def check_guard(self, request: Request, **_: Any) -> None:
        """Call the guard, which refuses by the object's state; what it returns is
        ``request.target``. Third of the checks."""
        if self.guard is not None:
            # So far validated are the headers alone.
            request.target = self.guard(request.work, **request.path_values, **request.validated)

    def check_input(self, request: Request, **_: Any) -> None:
        """Validate the body, form and query into ``request.validated``. Last of the checks."""
        if self.body is not None:
            added = request.work.runtime.catalogue[BodyField].values()
            read = _deserialize(bodies.whole(self.body, added), self._sent(request))
            request.validated.update(bodies.split(self.body, added, read))
        elif self.files:
            sent = read_form(request, self.files)
            for upload in self.files:
                file = sent.get(upload.name)
                request.validated[upload.name] = file if isinstance(file, ReceivedFile) else None
        if self.query is not None:
            request.validated.update(deserialize(self.query, request.query))

    def _sent(self, request: Request) -> dict[str, Any]:
        if self.files and request.content_type.lower() == MULTIPART:
            return read_form(request, self.files)
        if not self.needs_body and not request.has_body:
            return {}
        sent: dict[str, Any] = request.json_object
        return sent

    def answer(self, request: Request) -> Response:
        # A view that answers with another status than the declared one sets it itself.
        if self.status != 200:
            request.response.status_int = self.status
        if self.compressed:
            request.add_response_callback(compress)
        if self.polled:
            request.add_response_callback(self.revalidate)
        if self.deprecation is not None:
            request.add_response_callback(self.deprecation.announce)
        result = self.view(request, **request.path_values)
        request.check_unchanged()
        form = self.formats.get(request.validated.get("format", ""))
        if form is not None:
            return Response(form.render(result), content_type=form.media_type, charset="utf-8")
        if self.status == 204:
            return Response(status=204)
        return result if isinstance(result, Response) else _json(request, result)

    def revalidate(self, request: Request, response: Response) -> None:
        """Set an ETag, and make it a 304 when the client's is still right. What needs no login is
        `no-cache`; replies to a user stay `no-store`, so that a shared school computer keeps no
        copy."""
        if response.status_int != 200:
            return
        tagged = b"".join(response.app_iter)
        if self.untagged:
            fields = msgspec.json.decode(tagged)
            for name in self.untagged:
                fields.pop(name, None)
            tagged = msgspec.json.encode(fields)
        tag = blake2b(tagged, digest_size=TAG_SIZE).hexdigest()
        response.headerlist.append(("ETag", f'"{tag}"'))
        if not self.access.needs_user:
            response.headers["Cache-Control"] = "no-cache"
        # WebOb's conditional_response would decide it at the very end, and look for dates and a
        # Range besides.
        if request.method in ("GET", "HEAD") and tag in request.if_none_match:
            response.status = "304 Not Modified"
            response.app_iter = ()
            response.content_type = None


def compress(request: Request, response: Response) -> None:
    """Send the body as gzip to a client that takes it; each form has an ETag of its own."""
    response.vary = (*(response.vary or ()), "Accept-Encoding")
    offered = request.accept_encoding.acceptable_offers(["gzip"])
    # Who does not say takes anything, by the standard; few such clients unpack it.
    if offered and "Accept-Encoding" in request.headers:
        response.body = _gzipped(response.body)
        response.content_encoding = "gzip"


@lru_cache(maxsize=4)
def _gzipped(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def deserialize(schema: type[colander.Schema], value: Any) -> dict[str, Any]:
    """What was sent, validated by the schema. Raises Invalid with all messages, by field (decisions
    A6)."""
    return _deserialize(bodies.whole(schema, ()), value)


def _deserialize(schema: colander.Schema, value: Any) -> dict[str, Any]:
    """Raises Invalid."""
    try:
        validated: dict[str, Any] = schema.deserialize(value)
    except colander.Invalid as refusal:
        errors = error_tree(refusal)
        raise Invalid(_first_message(errors), errors=errors) from None
    return validated


def error_tree(refusal: colander.Invalid) -> dict[str, Any]:
    """Colander's messages by field: ``{"answers": {"1": {"selected_option": ["…"]}}}``"""
    tree: dict[str, Any] = {}
    for child in refusal.children:
        name = str(child.pos) if child.positional else child.node.name
        tree[name] = error_tree(child) if child.children else _messages(child)
    if not refusal.children:
        return {refusal.node.name or "body": _messages(refusal)}
    return tree


def _messages(refusal: colander.Invalid) -> list[str]:
    """Colander's messages as plain texts: it marks some of them for translation."""
    return [
        message.interpolate() if isinstance(message, TranslationString) else message
        for message in refusal.messages()
    ]


def _first_message(tree: Any, path: str = "") -> str:
    if isinstance(tree, list):
        return f"{path}: {tree[0]}"
    name, below = next(iter(tree.items()))
    return _first_message(below, f"{path}.{name}" if path else name)


def _check_declared(view: Callable[..., Any], declared: Collection[str]) -> None:
    """Raises ConfigurationError."""
    name = f"{view.__module__}.{view.__qualname__}"
    unknown = sorted({*declared} - {field.name for field in fields(Endpoint)})
    if unknown:
        raise ConfigurationError(
            f"The view {name} declares {', '.join(unknown)}, which an endpoint does not have."
        )
    if "access" not in declared:
        raise ConfigurationError(f"The view {name} says not who may call it: it has no access=.")


class Service(cornice.Service):  # type: ignore[misc]  # Cornice has no types
    """A path and its methods. ``{exam_id:int}`` in the path is a typed argument of every view.

    `schemas` say more of a ``str`` than that it is one, for the document: the JSON Schema of what a
    rule accepts, such as its values, with what is answered to others as its ``description``.
    """

    # Endpoint.answer renders.
    renderer = None

    def __init__(self, path: str, schemas: Mapping[str, dict[str, Any]] | None = None) -> None:
        self.parameters = paths.types_of(path)
        for name, schema in (schemas or {}).items():
            self.parameters[name] = self.parameters[name].accepting(**schema)
        self.document_path = paths.ARGUMENT.sub(r"{\1}", path)
        self.endpoints: list[Endpoint] = []
        self.module = inspect.currentframe().f_back.f_globals["__name__"]  # type: ignore[union-attr]
        super().__init__(
            name=f"{self.module}:{path}", path=paths.route_of(path, self.parameters), depth=2
        )

    # Cornice has the same, without types.
    def get(self, **declared: Any) -> Callable[[View], View]:
        return self.decorator("GET", **declared)

    def post(self, **declared: Any) -> Callable[[View], View]:
        return self.decorator("POST", **declared)

    def put(self, **declared: Any) -> Callable[[View], View]:
        return self.decorator("PUT", **declared)

    def patch(self, **declared: Any) -> Callable[[View], View]:
        return self.decorator("PATCH", **declared)

    def delete(self, **declared: Any) -> Callable[[View], View]:
        return self.decorator("DELETE", **declared)

    def decorator(self, method: str, **declared: Any) -> Callable[[View], View]:
        """What `@exam.patch(…)` is: `declared` are fields of the Endpoint."""

        def declare(view: View) -> View:
            hints = typing.get_type_hints(view, include_extras=True)
            if "return" not in hints:
                raise ConfigurationError(
                    f"The view {view.__module__}.{view.__qualname__} says not what it returns: a"
                    " TypedDict, a list of one, or None with status=204."
                )
            _check_declared(view, declared)
            endpoint = Endpoint(
                method=method,
                path=self.document_path,
                view=view,
                returns=hints["return"],
                parameters=self.parameters,
                **declared,
            )
            self.endpoints.append(endpoint)
            self.add_view(
                method,
                endpoint.answer,
                permission=endpoint,
                validators=(
                    endpoint.check_path,
                    endpoint.check_headers,
                    endpoint.check_guard,
                    endpoint.check_input,
                ),
            )
            return view

        return declare


def _json(request: Request, content: Any) -> Response:
    """By msgspec, which knows times (``Z`` for UTC), UUIDs and TypedDicts. A renderer of Pyramid's
    would be told of every view and called by an event, for a twentieth of a request."""
    response: Response = request.response
    response.body = msgspec.json.encode(content)
    return response


def endpoints(config_registry: Any) -> list[Endpoint]:
    """The endpoints of the services that are switched on, in the order of registration."""
    services = config_registry.cornice_services.values()
    return [endpoint for service in services for endpoint in service.endpoints]


def register(config: Configurator, service: Service) -> None:
    """Directive of Cornice, which knows services by their paths and keeps the last one of each.
    Raises ConfigurationError for a path that is there already: nobody could reach it."""
    shape = re.sub(r"{\w+}", "{}", service.document_path)
    others = config.registry.service_paths
    other = others.setdefault(shape, service)
    if other is not service:
        raise ConfigurationError(
            f"{_owner(config, service)} has the path {service.document_path}, which"
            f" {_owner(config, other)} has already: give it another one, such as one that begins"
            " with the plugin's name."
        )
    for endpoint in service.endpoints:
        config.registry.request_headers.update(endpoint.header_names.values())
    register_service_views(config, service)


def _owner(config: Configurator, service: Service) -> str:
    for package, name in config.registry.runtime.packages.items():
        if f"{service.module}.".startswith(f"{package}."):
            return f"the plugin {name} ({service.module})"
    return str(service.module)


def includeme(config: Configurator) -> None:
    config.add_settings({"handle_exceptions": False})
    config.include("cornice")
    config.registry.service_paths = {}
    # Which headers of their own the endpoints read.
    config.registry.request_headers = set()
    config.add_directive("add_cornice_service", register)
