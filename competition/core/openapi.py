"""The OpenAPI 3.1 document of the endpoints that are switched on.

Nothing is written here by hand: paths, inputs, shapes, codes and rights are what the endpoints
declare. Objects of a response are closed: a field that no TypedDict has is a mistake.
"""

import inspect
import types
import typing
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from importlib import metadata
from typing import Any, Literal, NotRequired
from uuid import UUID

import colander
from pyramid.config import Configurator

from competition.core.errors import (
    ApiError,
    AuthenticationFailed,
    ErrorBody,
    InvalidToken,
    NotAuthenticated,
    ServerError,
)
from competition.core.roles import Access
from competition.core.schemas import Type
from competition.core.service import Endpoint, endpoints
from competition.core.uploads import MULTIPART

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


@dataclass
class Components:
    """The named shapes; `owners` are the modules they come from."""

    schemas: Json = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)


def document(
    described: Iterable[Endpoint], tags: dict[str, str], server: str, version: str
) -> Json:
    """`tags` maps the package of a plugin to the name its operations are listed under."""
    components = Components()
    paths: dict[str, Json] = {}
    used: dict[str, None] = {}
    for endpoint in described:
        tag = next(
            name
            for package, name in tags.items()
            if f"{endpoint.view.__module__}.".startswith(f"{package}.")
        )
        used[tag] = None
        item = paths.setdefault(endpoint.path, {})
        item[endpoint.method.lower()] = _operation(endpoint, tag, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Competition Service", "version": version},
        "servers": [{"url": server}],
        "tags": [{"name": tag} for tag in used],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.schemas.items())),
            "securitySchemes": {
                "api_key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
            },
        },
    }


def _operation(endpoint: Endpoint, tag: str, components: Components) -> Json:
    summary, _, description = inspect.cleandoc(endpoint.view.__doc__ or "").partition("\n\n")
    operation: Json = {
        "operationId": endpoint.view.__name__,
        "tags": [tag],
        "summary": summary.replace("\n", " "),
        "description": f"{description}\n\nAccess: {endpoint.access.describe()}.".strip(),
        "security": _security(endpoint.access),
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint, components),
    }
    if endpoint.deprecation is not None:
        operation["deprecated"] = True
    body = _request_body(endpoint)
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
        {"name": name, "in": "path", "required": True, "schema": kind.schema}
        for name, kind in endpoint.parameters.items()
    ]
    for node in endpoint.query().children if endpoint.query else []:
        schema = input_schema(node)
        found.append(
            {"name": node.name, "in": "query", "required": node.required, "schema": schema}
        )
    return found


def _request_body(endpoint: Endpoint) -> Json | None:
    content = {}
    body = input_schema(endpoint.body()) if endpoint.body else None
    if body is not None:
        content["application/json"] = {"schema": body}
    if endpoint.files:
        # A form is flat. A file is not required here: which ones are is a rule, with a code of
        # its own.
        texts = body["properties"] if body is not None else {}
        fields = {name: each for name, each in texts.items() if each["type"] != "object"}
        files = {upload.name: {"type": "string", "format": "binary"} for upload in endpoint.files}
        content[MULTIPART] = {"schema": _open_object({**fields, **files}, [])}
    return {"required": True, "content": content} if content else None


def _open_object(properties: Json, required: list[str]) -> Json:
    """Fields that are not known are ignored (decisions A10)."""
    schema: Json = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def input_schema(node: colander.SchemaNode) -> Json:
    if isinstance(node.typ, Type):
        return node.typ.schema
    if isinstance(node.typ, colander.Sequence):
        schema = {"type": "array", "items": input_schema(node.children[0])}
        if node.validator.min:
            schema["minItems"] = node.validator.min
        return {**schema, "maxItems": node.validator.max}
    properties = {child.name: input_schema(child) for child in node.children}
    return _open_object(properties, [child.name for child in node.children if child.required])


def _responses(endpoint: Endpoint, components: Components) -> Json:
    responses: Json = {}
    content: Json = {}
    if endpoint.status != 204:
        schema = output_schema(endpoint.returns, components)
        content = {"content": {endpoint.media_type: {"schema": schema}}}
    for status in (endpoint.status, *endpoint.other_statuses):
        responses[str(status)] = {"description": "", **content}
    if endpoint.polled:
        responses["304"] = {"description": "As If-None-Match has it."}
    by_status: dict[int, set[str]] = {}
    for error in _errors(endpoint):
        by_status.setdefault(error.status, set()).add(error.code)
    for status, codes in sorted(by_status.items()):
        responses[str(status)] = {
            "description": ", ".join(sorted(codes)),
            "content": {"application/json": {"schema": _error_schema(sorted(codes), components)}},
        }
    return responses


def _errors(endpoint: Endpoint) -> set[type[ApiError]]:
    found = endpoint.all_errors() | {ServerError}
    if endpoint.access.api_key:
        found |= {NotAuthenticated, AuthenticationFailed}
    if endpoint.access.needs_user:
        found |= {NotAuthenticated, InvalidToken}
    return found


def _error_schema(codes: list[str], components: Components) -> Json:
    envelope = output_schema(ErrorBody, components)
    return {"allOf": [envelope, {"properties": {"code": {"enum": codes}}}]}


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
    name = shape.__name__
    if components.owners.setdefault(name, shape.__module__) != shape.__module__:
        raise TypeError(
            f"{components.owners[name]} and {shape.__module__} both name a shape {name}"
        )
    if name not in components.schemas:
        schema: Json = {"type": "object", "additionalProperties": False}
        # In its place before its fields are looked at: a shape may hold itself.
        components.schemas[name] = schema
        hints = typing.get_type_hints(shape, include_extras=True)
        schema["required"] = [key for key in hints if key in shape.__required_keys__]
        schema["properties"] = {
            key: output_schema(_unwrapped(hint), components) for key, hint in hints.items()
        }
    return {"$ref": f"#/components/schemas/{name}"}


def _unwrapped(hint: Any) -> Any:
    return typing.get_args(hint)[0] if typing.get_origin(hint) is NotRequired else hint


def includeme(config: Configurator) -> None:
    def describe(event: Any) -> None:
        """At the start: an endpoint that can't be described stops it."""
        registry = event.app.registry
        runtime = registry.runtime
        registry.document = document(
            endpoints(registry),
            tags={"competition.core": "core", **runtime.packages},
            server=runtime.api_url,
            version=metadata.version("competition"),
        )

    config.add_subscriber(describe, "pyramid.events.ApplicationCreated")
