"""The OpenAPI 3.1 document of the endpoints that are switched on.

Nothing is written here by hand: paths, inputs, shapes, codes and rights are what the endpoints
declare. Objects of a response are closed: a field that no TypedDict has is a mistake.
"""

import inspect
import types
import typing
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from http import HTTPStatus
from importlib import import_module, metadata
from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

import colander
from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

from competition.core.auth.access import Access
from competition.core.catalogue import Assembled
from competition.core.errors import (
    ApiError,
    AuthenticationFailed,
    ErrorBody,
    Invalid,
    InvalidToken,
    NotAuthenticated,
    PermissionDenied,
    ServerError,
    ServiceUnavailable,
)
from competition.core.web import examples
from competition.core.web.schemas import NullableMapping, Type
from competition.core.web.service import Endpoint, endpoints
from competition.core.web.slots import Field, fields_of
from competition.core.web.uploads import MULTIPART, Upload

Json = dict[str, Any]

SCALARS: dict[Any, Json] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    UUID: {"type": "string", "format": "uuid"},
    Any: {},
}


INTRODUCTION = """\
Every request carries the header `X-Api-Key`. Requests on behalf of a user also send the access
token from the login: `Authorization: Bearer <token>`. Bodies are JSON unless said otherwise, and
unknown fields are ignored. Times are ISO 8601, in responses always UTC.

Every error is `{"detail": text, "code": code}`. A client decides by the code: each operation lists
its own. The code `invalid` brings `errors`, the messages by field.

A list comes in pages, with `page` and `limit`; its `pagination` has the links to the next and the
previous one. Requests are counted by user, or by address and account; those over the limit are
refused with 429, and `Retry-After` says how many seconds to wait. It comes with 503,
`service_unavailable`, too: nothing was done, and the same request may be sent again after that
time, with a longer pause each time."""

SECURITY_SCHEMES: Json = {
    "api_key": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Api-Key",
        "description": "The key of the client application, issued by the operators of the service.",
    },
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "The access token from the login; the refresh token gets a new one.",
    },
}

# Name → type and description.
HEADERS = {
    "X-Request-Id": ("string", "Names the request in the service's logs."),
    "X-RateLimit-Limit": ("integer", "Requests allowed in the strictest limit that applies."),
    "X-RateLimit-Remaining": ("integer", "Requests left in it."),
    "X-RateLimit-Reset": ("integer", "When it starts again, in seconds since 1970, UTC."),
    "Retry-After": ("integer", "Seconds to wait."),
    "WWW-Authenticate": ("string", "`Bearer`"),
    "ETag": ("string", "For If-None-Match: 304 while nothing has changed."),
    "Deprecation": ("string", "Since when this operation is deprecated (RFC 9745)."),
    "Sunset": ("string", "When it will be gone (RFC 8594)."),
}
# The package of the plugins of this repository.
BUILT_IN_PLUGINS = "competition.plugins."
EXTRA_HEADERS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}
RATE_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


@dataclass(frozen=True)
class Part:
    """The operations of one plugin: a tag of the document. `words` are for the examples; `prefix`
    is what the names of its views and shapes begin with, if it is of another package."""

    name: str
    description: str = ""
    words: Json = field(default_factory=dict)
    prefix: str = ""


CORE = Part(
    "service",
    "Whether the service is up, and the files that temporary links lead to.",
    dict(examples.CORE),
)


@dataclass
class Components:
    """The shapes and responses of the document that have a name. `parts` are those of the document,
    by their packages; `owners` the modules that the shapes come from, `fields` those that plugins
    put into slots."""

    parts: dict[str, Part] = field(default_factory=dict)
    fields: Collection[Field] = ()
    schemas: Json = field(default_factory=dict)
    responses: Json = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)

    def part_of(self, module: str) -> Part | None:
        return next(
            (
                part
                for package, part in self.parts.items()
                if f"{module}.".startswith(f"{package}.")
            ),
            None,
        )


def document(
    described: Iterable[Endpoint],
    parts: dict[str, Part],
    server: str,
    version: str,
    description: str = "",
    fields: Collection[Field] = (),
) -> Json:
    """The OpenAPI document of these endpoints. `parts` by their packages; `description` is said
    before how to call; `fields` are those that plugins put into slots.

    Raises TypeError for what can't be described.
    """
    components = Components(parts, fields)
    paths: dict[str, Json] = {}
    used: dict[str, str] = {}
    names: set[str] = set()
    for endpoint in described:
        part = components.part_of(endpoint.view.__module__)
        if part is None:
            raise TypeError(f"{endpoint.view.__module__} belongs to no plugin")
        used[part.name] = part.description
        operation = _operation(endpoint, part, components)
        if operation["operationId"] in names:
            raise TypeError(f"there are two views named {operation['operationId']}")
        names.add(operation["operationId"])
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Competition Service",
            "version": version,
            "description": f"{description}\n\n{INTRODUCTION}".strip(),
        },
        "servers": [{"url": server}],
        "tags": [{"name": name, "description": text} for name, text in used.items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.schemas.items())),
            "responses": dict(sorted(components.responses.items())),
            "headers": {
                name: {"description": text, "schema": {"type": kind}}
                for name, (kind, text) in HEADERS.items()
            },
            "securitySchemes": SECURITY_SCHEMES,
        },
    }


def _operation(endpoint: Endpoint, part: Part, components: Components) -> Json:
    summary, _, description = inspect.cleandoc(endpoint.view.__doc__ or "").partition("\n\n")
    operation: Json = {
        "operationId": "_".join(filter(None, (part.prefix, endpoint.view.__name__))),
        "tags": [part.name],
        "summary": summary.replace("\n", " "),
        "description": f"{description}\n\nAccess: {endpoint.access.describe()}.".strip(),
        "security": _security(endpoint.access),
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint, part.words, components),
    }
    if endpoint.deprecation is not None:
        operation["deprecated"] = True
    body = _request_body(endpoint, part.words)
    if body:
        operation["requestBody"] = body
    return operation


def _security(access: Access) -> list[dict[str, list[str]]]:
    schemes: dict[str, list[str]] = {}
    if access.api_key:
        schemes["api_key"] = []
    if access.needs_user:
        schemes["bearer"] = []
    return [schemes] if schemes else []


def _parameters(endpoint: Endpoint) -> list[Json]:
    found: list[Json] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": "An unknown or malformed value is 404.",
            "schema": kind.schema,
        }
        for name, kind in endpoint.parameters.items()
    ]
    for node in endpoint.query().children if endpoint.query else []:
        found.append(_parameter(node, "query", node.name))
    for node in endpoint.headers().children if endpoint.headers else []:
        found.append(_parameter(node, "header", endpoint.header_names[node.name]))
    return found


def _parameter(node: colander.SchemaNode, where: str, name: str) -> Json:
    schema = input_schema(node)
    described = {"description": schema.pop("description")} if node.description else {}
    return {"name": name, "in": where, "required": node.required, **described, "schema": schema}


def _request_body(endpoint: Endpoint, words: Json) -> Json | None:
    content: Json = {}
    schema = endpoint.body() if endpoint.body else None
    body = input_schema(schema) if schema is not None else None
    if body is not None:
        given = getattr(schema, "example", None) or examples.example(body, words, {})
        content["application/json"] = {"schema": body, "example": given}
    if endpoint.files:
        # A form is flat. A file is not required here: which ones are is a rule, with a code of
        # its own.
        texts = body["properties"] if body is not None else {}
        fields = {name: each for name, each in texts.items() if each["type"] != "object"}
        files = {upload.name: _file_schema(upload) for upload in endpoint.files}
        form = _open_object({**fields, **files}, [])
        content[MULTIPART] = {
            "schema": form,
            "example": examples.example(form, words, {}),
            "encoding": {
                upload.name: {"contentType": ", ".join(upload.content_types)}
                for upload in endpoint.files
            },
        }
    return {"required": endpoint.needs_body, "content": content} if content else None


def _file_schema(upload: Upload) -> Json:
    megabytes = upload.largest // 2**20
    return {
        "type": "string",
        "format": "binary",
        "description": f"{megabytes} MB at most.",
    }


def _open_object(properties: Json, required: list[str]) -> Json:
    """The schema of an object that ignores unknown fields (decisions A10)."""
    schema: Json = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def input_schema(node: colander.SchemaNode) -> Json:
    """The JSON Schema of a Colander node, with its description and the default that a client would
    see."""
    schema = _input_schema(node)
    if node.description:
        schema["description"] = node.description
    if isinstance(node.missing, str | int) and node.missing != "":
        schema["default"] = node.missing
    return schema


def _input_schema(node: colander.SchemaNode) -> Json:
    if isinstance(node.typ, Type):
        return dict(node.typ.schema)
    if isinstance(node.typ, colander.Sequence):
        schema = {"type": "array", "items": input_schema(node.children[0])}
        if node.validator.min:
            schema["minItems"] = node.validator.min
        return {**schema, "maxItems": node.validator.max}
    properties = {child.name: input_schema(child) for child in node.children}
    schema = _open_object(properties, [child.name for child in node.children if child.required])
    if isinstance(node.typ, NullableMapping):
        schema["type"] = ["object", "null"]
    return schema


def _responses(endpoint: Endpoint, words: Json, components: Components) -> Json:
    responses: Json = {}
    counted = RATE_HEADERS if endpoint.limit != "none" else ()
    tagged = ("ETag",) if endpoint.polled else ()
    ending = ("Deprecation", "Sunset") if endpoint.deprecation is not None else ()
    for status in (endpoint.status, *endpoint.other_statuses):
        responses[str(status)] = {
            "description": HTTPStatus(status).phrase,
            "headers": _headers(*counted, *tagged, *ending),
            **_content(endpoint, words, components),
        }
    if endpoint.polled:
        responses["304"] = {
            "description": "Not modified: the ETag in If-None-Match is still current.",
            "headers": _headers(*counted, *tagged, *ending),
        }
    by_status: dict[int, dict[str, set[str]]] = {}
    shapes: dict[int, type[Any]] = {}
    for error in _errors(endpoint):
        if error.shape is not ErrorBody:
            shapes[error.status] = error.shape
        details = by_status.setdefault(error.status, {}).setdefault(error.code, set())
        details.add(error.detail)
    for status, codes in sorted(by_status.items()):
        shape = shapes.get(status, ErrorBody)
        schema = _error_schema(status, sorted(codes), shape, components)
        name = schema["$ref"].rpartition("/")[2] + ("" if counted else "Uncounted")
        if name not in components.responses:
            components.responses[name] = _refusal(status, codes, counted, schema)
        responses[str(status)] = {"$ref": f"#/components/responses/{name}"}
    return responses


def _headers(*names: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *names)}


def _content(endpoint: Endpoint, words: Json, components: Components) -> Json:
    if endpoint.status == 204:
        return {}
    media: Json = {"schema": {"type": "string"}}
    if endpoint.media_type == "application/json":
        schema = output_schema(endpoint.returns, components)
        media = {"schema": schema}
        given = examples.example(schema, words, components.schemas)
        if given:
            media["example"] = given
    elif not endpoint.media_type.startswith("text/"):
        media["schema"]["format"] = "binary"
    return {"content": {endpoint.media_type: media}}


def _refusal(
    status: int, codes: dict[str, set[str]], counted: tuple[str, ...], schema: Json
) -> Json:
    """The response of an error status; `codes` maps each code to what is said to it."""
    extra = EXTRA_HEADERS.get(status, ())
    told = {code: " ".join(sorted(details)) for code, details in sorted(codes.items())}
    return {
        "description": "\n".join(f"- `{code}`: {text}" for code, text in told.items()),
        "headers": _headers(*counted, *extra),
        "content": {
            "application/json": {
                "schema": schema,
                "examples": {
                    code: {"value": _error_example(code, text)} for code, text in told.items()
                },
            }
        },
    }


def _error_example(code: str, text: str) -> Json:
    if code != Invalid.code:
        return {"detail": text, "code": code}
    message = "This field is required."
    return {"detail": f"email: {message}", "code": code, "errors": {"email": [message]}}


def _errors(endpoint: Endpoint) -> set[type[ApiError]]:
    found = endpoint.all_errors() | {ServerError}
    if endpoint.access.api_key:
        # A key is looked up in the database, and may be without the scope.
        found |= {NotAuthenticated, AuthenticationFailed, PermissionDenied, ServiceUnavailable}
    if endpoint.access.needs_user:
        found |= {NotAuthenticated, InvalidToken}
    return {error for error in found if error.status not in endpoint.other_statuses}


def _error_schema(status: int, codes: list[str], shape: type[Any], components: Components) -> Json:
    """The schema of an error status, under a name, so that a generated client has one class for
    it."""
    name = f"Error{status}" + "".join(code.title().replace("_", "") for code in codes)
    envelope = output_schema(shape, components)
    components.schemas[name] = {"allOf": [envelope, {"properties": {"code": {"enum": codes}}}]}
    return {"$ref": f"#/components/schemas/{name}"}


def output_schema(hint: Any, components: Components) -> Json:
    """The closed JSON Schema of a type; TypedDicts go into `components`. Raises TypeError for a
    type that no response may have."""
    if hint in SCALARS:
        return SCALARS[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": output_schema(arguments[0], components)}
    if origin is dict:
        return {
            "type": "object",
            "additionalProperties": output_schema(arguments[1], components),
        }
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [output_schema(each, components) for each in arguments]}
    if typing.is_typeddict(hint):
        return _component(hint, components)
    raise TypeError(f"{hint!r} has no JSON Schema")


def _component(shape: Any, components: Components) -> Json:
    owner = components.part_of(shape.__module__)
    prefix = owner.prefix if owner else ""
    name = prefix.title().replace("_", "") + shape.__name__
    if components.owners.setdefault(name, shape.__module__) != shape.__module__:
        raise TypeError(
            f"{components.owners[name]} and {shape.__module__} both name a shape {name}"
        )
    if name not in components.schemas:
        schema: Json = {"type": "object", "additionalProperties": False}
        if shape.__doc__:
            schema["description"] = inspect.cleandoc(shape.__doc__).replace("\n", " ")
        # In its place before its fields are looked at: a shape may hold itself.
        components.schemas[name] = schema
        schema["required"], schema["properties"] = [], {}
        for key, hint, is_required in _fields(shape, components):
            schema["properties"][key] = output_schema(hint, components)
            if is_required:
                schema["required"].append(key)
    return {"$ref": f"#/components/schemas/{name}"}


def _fields(shape: Any, components: Components) -> Iterator[tuple[str, Any, bool]]:
    """Name, type, and whether it is always there, of each field of a shape; a slot is replaced by
    what plugins put into it."""
    for key, hint in typing.get_type_hints(shape, include_extras=True).items():
        is_required = key in shape.__required_keys__
        if typing.get_origin(hint) is NotRequired:
            hint = typing.get_args(hint)[0]
        if typing.get_origin(hint) is not Annotated:
            yield key, hint, is_required
            continue
        _, slot = typing.get_args(hint)
        for each in fields_of(slot, components.fields):
            yield each.name, each.type, True


def includeme(config: Configurator) -> None:
    def describe(event: Any) -> None:
        """Build the document at the start: an endpoint that can't be described stops it."""
        registry = event.app.registry
        runtime = registry.runtime
        vocabularies = runtime.catalogue[examples.Vocabulary]
        words = {package: each.words for package, each in vocabularies.items()}
        registry.document = document(
            endpoints(registry),
            parts={
                package: _part(package, name, words) for package, name in runtime.packages.items()
            }
            | {"competition.core": CORE},
            server=runtime.api_url,
            description=runtime.service.description,
            fields=runtime.catalogue[Field].values(),
            version=metadata.version("competition"),
        )

    config.add_subscriber(check_summaries, Assembled)
    config.add_subscriber(describe, "pyramid.events.ApplicationCreated")


def check_summaries(event: Assembled) -> None:
    """Refuse a view without a summary. Raises ConfigurationError."""
    for endpoint in endpoints(event.registry):
        if not inspect.cleandoc(endpoint.view.__doc__ or ""):
            raise ConfigurationError(
                f"{endpoint.method} {endpoint.path} has no docstring"
                f" ({endpoint.view.__module__}.{endpoint.view.__name__}): its first line is the"
                " summary in the document."
            )


def _part(package: str, name: str, words: dict[str, Json]) -> Part:
    """The Part of a plugin; its description is the first line of the package's docstring."""
    told = inspect.cleandoc(import_module(package).__doc__ or "").partition("\n\n")[0]
    others = {name: value for each in words.values() for name, value in each.items()}
    return Part(
        name,
        told.replace("\n", " "),
        {**others, **examples.CORE, **words.get(package, {})},
        prefix="" if package.startswith(BUILT_IN_PLUGINS) else name,
    )
