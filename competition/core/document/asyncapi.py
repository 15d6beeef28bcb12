"""The AsyncAPI 3 document of the sockets: what is pushed, what clients may send, how they end.

It is made of the feeds and actions that plugins bring: what a feed pushes is what its `load`
returns, what an action takes is its schema.
"""

import inspect
import typing
from collections.abc import Callable
from typing import Any, Literal, TypedDict
from urllib.parse import urlsplit

from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

from competition.core.catalogue import Assembled
from competition.core.document.served import details, parts_of
from competition.core.document.shapes import Components, Json, Part, input_object, output_schema
from competition.core.push.feeds import Feed
from competition.core.push.sockets import CLOSE_CODES, PATH, Action, Following, SocketSettings
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.slots import Field

INTRODUCTION = """\
A socket opens with the headers `X-Api-Key` and `Authorization: Bearer <token>`. A browser, which
can't send them, asks for a ticket first (`POST /ws/tickets/`), and gives that as `?ticket=` or as
the subprotocol `ticket.<value>`. What is pushed is in the API too: after a reconnect ask it for
what was missed.

Bad credentials are refused as the API does, with 401, 403 or 429. With an `Origin`, as browsers
send it, the socket opens and is closed at once, since a page can't see why a handshake failed. A
socket closes with:"""


class SocketError(TypedDict):
    """What was wrong with a frame that the client sent. Silence is success."""

    type: Literal["error"]
    message: str


class Listing:
    """The messages and operations of the one channel."""

    def __init__(self, components: Components) -> None:
        self._components = components
        self.messages: Json = {}
        self.operations: Json = {}

    def add(self, name: str, action: str, told: str, payload: Json) -> None:
        self.messages[name] = {"name": name, "summary": told, "payload": payload}
        channel = "#/channels/notifications"
        self.operations[f"{action}_{name}"] = {
            "action": action,
            "summary": told,
            "channel": {"$ref": channel},
            "messages": [{"$ref": f"{channel}/messages/{name}"}],
        }

    def add_feed(self, feed: Feed) -> None:
        self.add_frame(_frame(feed.load), feed.name, f"What the feed {feed.name} brings.")

    def add_frame(self, annotation: Any, name: str, told: str) -> None:
        """A message that is sent, by the type that it says it has."""
        schema = output_schema(annotation, self._components)
        shape = self._components.schemas.get(schema.get("$ref", "").rpartition("/")[2], {})
        types = shape.get("properties", {}).get("type", {}).get("enum", [name])
        self.add(types[0], "send", shape.get("description", told), schema)

    def add_action(self, action: Action) -> None:
        self.add_asked(action.name, action.act, action.data)

    def add_following(self, following: Following) -> None:
        self.add_asked(following.name, following.admit, following.data)
        annotation = typing.get_type_hints(following.look).get("return", Any)
        self.add_frame(annotation, f"{following.name}_changed", f"What {following.name} brings.")

    def add_asked(self, name: str, function: Callable[..., Any], schema: Any) -> None:
        part = self._components.part_of(function.__module__) or Part("")
        data: Json = {} if schema is None else input_object(schema(), None, part)
        told = inspect.cleandoc(function.__doc__ or name).partition("\n\n")[0]
        payload = {
            "type": "object",
            "required": ["action", "data"] if schema else ["action"],
            "properties": {"action": {"type": "string", "const": name}, "data": data},
        }
        self.add(name, "receive", told.replace("\n", " "), payload)


def _frame(load: Callable[..., Any]) -> Any:
    """What a feed pushes: the second of each pair that it loads, as its annotation says."""
    pairs = typing.get_args(typing.get_type_hints(load).get("return"))
    frames = typing.get_args(pairs[0]) if pairs else ()
    return frames[1] if len(frames) == 2 else Any


def describe(registry: Any) -> Json:
    """The document of an application. Raises TypeError for a shape that can't be described."""
    runtime: Runtime = registry.runtime
    parts = parts_of(registry)
    components = Components(parts, runtime.catalogue[Field].values(), closed=False)
    listing = Listing(components)
    for feed in runtime.catalogue[Feed].values():
        listing.add_feed(feed)
    for action in runtime.catalogue[Action].values():
        listing.add_action(action)
    for following in runtime.catalogue[Following].values():
        listing.add_following(following)
    error = output_schema(SocketError, components)
    listing.add("error", "send", "What was wrong with a frame that the client sent.", error)
    codes = "\n".join(f"- {code}: {why}" for code, why in CLOSE_CODES.items())
    return {
        "asyncapi": "3.0.0",
        "info": {**details(registry), "description": f"{INTRODUCTION}\n\n{codes}"},
        "defaultContentType": "application/json",
        "servers": {"sockets": _server(runtime)},
        "channels": {
            "notifications": {
                "address": f"{API_PREFIX}{PATH}",
                "description": "Everything that is pushed to whoever opened the socket.",
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
    """Where clients reach the sockets: behind the public address, or by themselves without one."""
    url, own = urlsplit(runtime.service.public_url), runtime.settings[SocketSettings]
    return {
        "host": url.netloc or f"{own.host}:{own.port}",
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


def includeme(config: Configurator) -> None:
    config.add_subscriber(keep_document, Assembled)


def keep_document(event: Assembled) -> None:
    """Build the document at the start. Raises ConfigurationError for what can't be described."""
    try:
        event.registry.events_document = describe(event.registry)
    except TypeError as error:
        raise ConfigurationError(f"The document of the sockets can't be made: {error}.") from error
