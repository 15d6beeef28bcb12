"""The OpenAPI 3.1 document of endpoints.

Paths, inputs, shapes, error codes and access rules come from the declarations of the endpoints. The
served document is for client generators in every language: it has stable names, shapes that allow
unknown fields, and one shape for all errors. Tests use a `closed` document, which is as exact as
possible.
"""

import inspect
import json
from collections import Counter
from collections.abc import Collection, Iterable
from http import HTTPStatus
from typing import Any

import colander

from competition.core.auth.access import Access
from competition.core.errors import (
    ApiError,
    ErrorBody,
    Invalid,
    ServerError,
)
from competition.core.messages import worded
from competition.core.slots import Field
from competition.core.web import bodies, counting
from competition.core.web.bodies import BodyField
from competition.core.web.endpoint import Endpoint
from competition.core.web.forms import Upload
from competition.core.web.request import JSON, MULTIPART
from competition.plugins.docs.document import examples
from competition.plugins.docs.document.shapes import (
    Components,
    Json,
    Part,
    input_object,
    input_schema,
    open_object,
    output_schema,
    without_null,
)

INTRODUCTION = """\
Send the header `X-Api-Key` with every request, except to public operations. Requests on behalf of a
user also need the access token from the login: `Authorization: Bearer <token>`. Bodies are JSON
unless an operation lists another media type, and unknown fields are ignored. Times are in ISO 8601,
in responses always in UTC.

Every error is `{"detail": text, "code": code}`. Clients should decide by the code; each operation
lists its codes. Errors with the code `invalid` also have `errors`, the messages by field.

Lists are paginated: `page` and `limit` choose a page, and `pagination` has links to the next and
the previous page. Rate limits count requests by user, or by address and account. A request over
a limit gets 429, and `Retry-After` says how many seconds to wait. A response 503 with the code
`service_unavailable` has `Retry-After` too. In that case the request had no effect, and you can
send it again after that time; wait longer after each further 503."""

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
        "description": "The access token from the login. To renew it, send the refresh token.",
    },
}

# The type and the description of each response header, by its name.
HEADERS = {
    "X-Request-Id": ("string", "The id of the request in the service's logs."),
    "X-RateLimit-Limit": (
        "integer",
        "How many requests per period are allowed. If several rate limits apply, the three headers"
        " describe the limit with the fewest requests left.",
    ),
    "X-RateLimit-Remaining": ("integer", "How many requests are left in the current period."),
    "X-RateLimit-Reset": (
        "integer",
        "When the current period ends, in seconds since 1970-01-01 UTC.",
    ),
    "Retry-After": ("integer", "How long to wait before the next request, in seconds."),
    "WWW-Authenticate": ("string", "`Bearer`"),
    "ETag": (
        "string",
        "The version of the reply. With If-None-Match, some operations reply 304 if nothing has"
        " changed. With If-Match, some operations reject a change if the object has been changed"
        " since.",
    ),
    "Deprecation": ("string", "Since when this operation is deprecated (RFC 9745)."),
    "Sunset": ("string", "When this operation will be removed (RFC 8594)."),
}
EXTRA_HEADERS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}
RATE_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def document(
    described: Iterable[Endpoint],
    parts: dict[str, Part],
    server: str,
    version: str,
    description: str = "",
    fields: Collection[Field] = (),
    closed: bool = True,
    added: Collection[BodyField] = (),
) -> Json:
    """The OpenAPI document of the endpoints in `described`.

    `parts` has the plugins by their packages. `description` precedes the general introduction.
    `fields` are the fields that plugins put into slots, and `added` the fields that plugins add to
    bodies. If `closed` is true, the schemas are as exact as possible, for tests (see `shapes`).

    Raises TypeError for a view or a type that can't be described.
    """
    components = Components(parts, fields, closed, added=added)
    paths: dict[str, Json] = {}
    used: dict[str, str] = {}
    named: dict[str, Endpoint] = {}
    found: list[tuple[Endpoint, Part, Json]] = []
    for endpoint in described:
        part = components.part_of(endpoint.view.__module__)
        if part is None:
            module = endpoint.view.__module__
            raise TypeError(f"{module} belongs to no plugin: move it to the package of a plugin")
        used[part.name] = part.description
        try:
            operation = _operation(endpoint, part, components)
        except TypeError as error:
            where = f"{endpoint.method} {endpoint.path} ({_named(endpoint)})"
            raise TypeError(f"{where}: {error}") from error
        other = named.setdefault(operation["operationId"], endpoint)
        if other is not endpoint:
            raise TypeError(
                f"{_named(other)} and {_named(endpoint)} would both be the operation"
                f" {operation['operationId']}: rename one of them"
            )
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
        found.append((endpoint, part, operation))
    # Describe the inputs after all outputs, because outputs take precedence in the choice of names.
    for endpoint, part, operation in found:
        body = _request_body(endpoint, operation["operationId"], part, components)
        if body:
            operation["requestBody"] = body
    shared = {} if closed else _share_parameters(paths)
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
            "parameters": shared,
            "headers": {
                name: {"description": text, "schema": {"type": kind}}
                for name, (kind, text) in HEADERS.items()
            },
            "securitySchemes": SECURITY_SCHEMES,
        },
    }


def _named(endpoint: Endpoint) -> str:
    return f"{endpoint.view.__module__}.{endpoint.view.__qualname__}"


def _operation(endpoint: Endpoint, part: Part, components: Components) -> Json:
    summary, _, description = inspect.cleandoc(endpoint.view.__doc__ or "").partition("\n\n")
    name = "_".join(filter(None, (part.prefix, endpoint.view.__name__)))
    operation: Json = {
        "operationId": name,
        "tags": [part.name],
        "summary": summary.replace("\n", " "),
        "description": f"{description}\n\nAccess: {endpoint.access.description}.".strip(),
        "security": _security(endpoint.access),
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint, part.words, components),
    }
    if endpoint.deprecation is not None:
        operation["deprecated"] = True
    return operation


def _share_parameters(paths: dict[str, Json]) -> Json:
    """Replace parameters that several operations have by references, and return the parameters.

    If parameters with the same name differ, only the most frequent one is shared.
    """
    every = [operation for item in paths.values() for operation in item.values()]
    counts = Counter(json.dumps(each) for operation in every for each in operation["parameters"])
    shared: Json = {}
    for text, count in counts.most_common():
        parameter = json.loads(text)
        if count > 1:
            shared.setdefault(parameter["name"], parameter)
    for operation in every:
        operation["parameters"] = [
            {"$ref": f"#/components/parameters/{each['name']}"}
            if shared.get(each["name"]) == each
            else each
            for each in operation["parameters"]
        ]
    return dict(sorted(shared.items()))


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
            "description": kind.description,
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


def _request_body(
    endpoint: Endpoint, operation: str, part: Part, components: Components
) -> Json | None:
    content: Json = {}
    schema = bodies.whole(endpoint.body, components.added) if endpoint.body else None
    is_form = endpoint.body is not None and endpoint.body.is_form
    # The form comes before JSON, because many generators use only the first media type. A client
    # that knew only the JSON body could send no file.
    if endpoint.files:
        # A form has no nested objects, and no null. In the schema, a file is required only if the
        # body is always a form. Otherwise the code of the endpoint checks which files are missing,
        # and has its own error for that.
        texts = input_object(schema, Components(), part)["properties"] if schema is not None else {}
        fields = {n: without_null(each) for n, each in texts.items() if each["type"] != "object"}
        name = operation.title().replace("_", "") + "Form"
        files = {
            each.name: _file_schema(each, part.meaning(name, each.name)) for each in endpoint.files
        }
        needed = [each.name for each in schema or () if is_form and each.required]
        form = open_object({**fields, **files}, needed)
        given = examples.example(form, part.words, {})
        if not components.closed:
            components.claim(name, endpoint)
            components.schemas[name] = form
            form = {"$ref": f"#/components/schemas/{name}"}
        content[MULTIPART] = {
            "schema": form,
            "example": given,
            "encoding": {
                upload.name: {"contentType": ", ".join(upload.content_types)}
                for upload in endpoint.files
            },
        }
    if schema is not None and not is_form:
        body = input_schema(schema, components, part)
        given = getattr(schema, "example", None)
        content[JSON] = {
            "schema": body,
            "example": given
            or examples.example(body, part.words, components.schemas, words_of=components.words),
        }
    required = endpoint.body is None or not endpoint.body.optional
    return {"required": required, "content": content} if content else None


def _file_schema(upload: Upload, meaning: str | None) -> Json:
    unit, size = ("MB", 2**20) if upload.largest >= 2**20 else ("kB", 2**10)
    limit = f"{upload.largest / size:.4g} {unit}"
    described = f"{meaning} At most {limit}." if meaning else f"A file of at most {limit}."
    return {"type": "string", "format": "binary", "description": described}


def _responses(endpoint: Endpoint, words: Json, components: Components) -> Json:
    responses: Json = {}
    counted = RATE_HEADERS if endpoint.limit != counting.UNLIMITED else ()
    tagged = ("ETag",) if endpoint.polled or endpoint.versioned else ()
    ending = ("Deprecation", "Sunset") if endpoint.deprecation is not None else ()
    for status in endpoint.statuses:
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
    for error in _errors(endpoint, components.added):
        if error.shape is not ErrorBody:
            shapes[error.status] = error.shape
        details = by_status.setdefault(error.status, {}).setdefault(error.code, set())
        details.add(worded(error.detail))
    for status, codes in sorted(by_status.items()):
        shape = shapes.get(status, ErrorBody)
        if components.closed:
            schema = _closed_error(status, sorted(codes), shape, components)
            name = schema["$ref"].rpartition("/")[2]
        else:
            # One shape for all errors, because its name must not change with the codes. Clients
            # decide by the code.
            schema = output_schema(shape, components)
            name = "".join(codes).title().replace("_", "") if len(codes) == 1 else ""
        if name and not counted:
            name += "Uncounted"
        refusal = _refusal(status, codes, counted, schema)
        responses[str(status)] = _shared(name, refusal, components)
    if not components.closed and not any(status.startswith("4") for status in responses):
        refusal = _refusal(400, {}, (), output_schema(ErrorBody, components))
        responses["4XX"] = _shared("Refusal", refusal, components)
    return responses


def _shared(name: str, refusal: Json, components: Components) -> Json:
    """Store the error response under `name`, and return a reference to it. If the name is empty, or
    belongs to a different response, the response itself is returned."""
    if not name or components.responses.setdefault(name, refusal) != refusal:
        return refusal
    return {"$ref": f"#/components/responses/{name}"}


def _headers(*names: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *names)}


def _content(endpoint: Endpoint, words: Json, components: Components) -> Json:
    if 204 in endpoint.statuses:
        return {}
    first, *others = endpoint.media_types
    media: Json = {"schema": {"type": "string"}}
    if first == JSON:
        schema = output_schema(endpoint.returns, components)
        media = {"schema": schema}
        shapes = {**components.schemas, **components.firsts}
        given = examples.example(schema, words, shapes, words_of=components.words)
        if given:
            media["example"] = given
    elif not first.startswith("text/"):
        media["schema"]["format"] = "binary"
    return {"content": {first: media, **{each: {"schema": {"type": "string"}} for each in others}}}


def _refusal(
    status: int, codes: dict[str, set[str]], counted: tuple[str, ...], schema: Json
) -> Json:
    """The response of an error status. `codes` maps each error code to its messages, and `counted`
    has the names of the headers about rate limits."""
    extra = EXTRA_HEADERS.get(status, ())
    messages = {code: " ".join(sorted(details)) for code, details in sorted(codes.items())}
    return {
        "description": "\n".join(f"- `{code}`: {text}" for code, text in messages.items())
        or "A malformed request, such as one whose path is not valid UTF-8.",
        "headers": _headers(*counted, *extra),
        "content": {
            JSON: {
                "schema": schema,
                "examples": {
                    code: {"value": _error_example(code, text)} for code, text in messages.items()
                },
            }
        },
    }


def _error_example(code: str, text: str) -> Json:
    if code != Invalid.code:
        return {"detail": text, "code": code}
    message = "This field is required."
    return {"detail": f"email: {message}", "code": code, "errors": {"email": [message]}}


def _errors(endpoint: Endpoint, added: Collection[BodyField]) -> set[type[ApiError]]:
    found = endpoint.all_errors() | {ServerError}
    for each in bodies.added_to(endpoint.body, added) if endpoint.body else ():
        found |= {*each.errors}
    return {error for error in found if error.status not in endpoint.statuses}


def _closed_error(status: int, codes: list[str], shape: type[Any], components: Components) -> Json:
    """The schema of an error status that allows only these codes."""
    name = f"Error{status}" + "".join(code.title().replace("_", "") for code in codes)
    envelope = output_schema(shape, components)
    components.schemas[name] = {"allOf": [envelope, {"properties": {"code": {"enum": codes}}}]}
    return {"$ref": f"#/components/schemas/{name}"}
