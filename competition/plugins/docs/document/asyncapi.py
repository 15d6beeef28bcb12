"""The AsyncAPI 3 document of the sockets: pushed messages, client messages and close codes.

It is built from what plugins declare: feeds of pushed messages, actions that clients can send, and
followings (kinds of objects that clients can follow). The return annotation of a feed's `load`
describes the messages of the feed. The schema of an action describes the data that clients send
with it.
"""

import inspect
import typing
from collections.abc import Callable
from typing import Any, Literal, TypedDict
from urllib.parse import urlsplit

from competition.core.push.feeds import Feed
from competition.core.push.sockets import (
    CLOSE_CODES,
    PATH,
    Action,
    FollowedFrame,
    Following,
    Look,
    SocketSettings,
)
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.slots import Field
from competition.plugins.docs.document.served import details, parts_of
from competition.plugins.docs.document.shapes import (
    Components,
    Json,
    Part,
    input_object,
    output_schema,
)

INTRODUCTION = """\
To open a socket, send the headers `X-Api-Key` and `Authorization: Bearer <token>`. Browsers can't
send them: get a ticket first (`POST /ws/tickets/`), and send it as `?ticket=` or as the subprotocol
`ticket.<value>`. Everything that is pushed is also in the API. After a reconnect, get the messages
that you missed from the API.

A handshake with invalid credentials gets the same errors as a request to the API: 401, 403 or 429.
Browsers send an `Origin`, and a page can't see why a handshake failed. So if the handshake has an
`Origin`, the socket opens and is closed immediately with a code. The close codes are:"""


class SocketError(TypedDict):
    """The error in a frame that the client sent. A frame without an error gets no reply."""

    type: Literal["error"]
    message: str


class Listing:
    """The messages and operations of the document's only channel, as they are collected."""

    def __init__(self, components: Components) -> None:
        self._components = components
        self.messages: Json = {}
        self.operations: Json = {}

    def add(self, name: str, action: str, summary: str, payload: Json) -> None:
        self.messages[name] = {"name": name, "summary": summary, "payload": payload}
        channel = "#/channels/notifications"
        self.operations[f"{action}_{name}"] = {
            "action": action,
            "summary": summary,
            "channel": {"$ref": channel},
            "messages": [{"$ref": f"{channel}/messages/{name}"}],
        }

    def add_frame(self, annotation: Any, name: str, summary: str) -> None:
        """Add a message that the service sends. The annotation is its shape; `name` and `summary`
        are used if the shape has no field ``type`` or no description."""
        schema = output_schema(annotation, self._components)
        shape = self._components.schemas.get(schema.get("$ref", "").rpartition("/")[2], {})
        types = shape.get("properties", {}).get("type", {}).get("enum", [name])
        self.add(types[0], "send", shape.get("description", summary), schema)

    def add_following(self, following: Following) -> None:
        self.add_client_message(following.name, following.admit, following.data)
        self.add_client_message(f"un{following.name}", _unfollow, following.data)
        self.add_look(following.look, f"{following.name}_changed", following.name)

    def add_look(self, look: Look, name: str, following: str) -> None:
        """Add a frame that clients get when an object that they follow changes. The function `look`
        returns the frame. `following` is the name of the action with which clients follow it."""
        annotation = typing.get_type_hints(look).get("return", Any)
        self.add_frame(
            annotation, name, f"The new state of an object that clients follow with {following}."
        )

    def add_client_message(self, name: str, function: Callable[..., Any], schema: Any) -> None:
        """Add a message that clients send. Its summary is from the function's docstring."""
        part = self._components.part_of(function.__module__) or Part("")
        data: Json = {} if schema is None else input_object(schema(), Components(), part)
        summary = inspect.cleandoc(function.__doc__ or name).partition("\n\n")[0]
        payload = {
            "type": "object",
            "required": ["action", "data"] if schema else ["action"],
            "properties": {"action": {"type": "string", "const": name}, "data": data},
        }
        self.add(name, "receive", summary.replace("\n", " "), payload)


def _unfollow() -> None:
    """Stop following an object."""


def _frame(load: Callable[..., Any]) -> Any:
    """The type of the messages that a feed pushes, from the return annotation of its `load`: an
    iterable of (user, message)."""
    pairs = typing.get_args(typing.get_type_hints(load).get("return"))
    frames = typing.get_args(pairs[0]) if pairs else ()
    return frames[1] if len(frames) == 2 else Any


def describe(registry: Any) -> Json:
    """The AsyncAPI document of an application. Raises TypeError for a shape that can't be
    described."""
    runtime: Runtime = registry.runtime
    parts = parts_of(registry)
    components = Components(parts, runtime.catalogue[Field].values(), closed=False)
    listing = Listing(components)
    for feed in runtime.catalogue[Feed].values():
        listing.add_frame(_frame(feed.load), feed.name, f"A message of the feed {feed.name}.")
    for action in runtime.catalogue[Action].values():
        listing.add_client_message(action.name, action.act, action.data)
    for following in runtime.catalogue[Following].values():
        listing.add_following(following)
    for frame in runtime.catalogue[FollowedFrame].values():
        if frame.following in runtime.catalogue[Following]:
            listing.add_look(frame.look, frame.name, frame.following)
    error = output_schema(SocketError, components)
    listing.add("error", "send", "The error in a frame that the client sent.", error)
    codes = "\n".join(f"- {code}: {why}" for code, why in CLOSE_CODES.items())
    return {
        "asyncapi": "3.0.0",
        "info": {**details(registry), "description": f"{INTRODUCTION}\n\n{codes}"},
        "defaultContentType": "application/json",
        "servers": {"sockets": _server(runtime)},
        "channels": {
            "notifications": {
                "address": f"{API_PREFIX}{PATH}",
                "description": "Everything that is pushed to the user who opened the socket.",
                "messages": listing.messages,
                "bindings": {"ws": _handshake()},
            }
        },
        "operations": listing.operations,
        "components": {
            "schemas": dict(sorted(components.schemas.items())),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
            },
        },
    }


def _server(runtime: Runtime) -> Json:
    """The address of the sockets: the public address of the service or, if none is configured, the
    address of the socket process."""
    url = urlsplit(runtime.service.public_url)
    host = url.netloc
    if not host:
        own = runtime.settings[SocketSettings]
        host = f"{own.host}:{own.port}"
    return {
        "host": host,
        "protocol": "wss" if url.scheme == "https" else "ws",
        "security": [{"$ref": "#/components/securitySchemes/bearer"}],
    }


def _handshake() -> Json:
    text = {"type": "string"}
    return {
        "method": "GET",
        "query": {"type": "object", "properties": {"ticket": text}},
        "headers": {"type": "object", "properties": {"X-Api-Key": text, "Authorization": text}},
        "bindingVersion": "0.1.0",
    }
