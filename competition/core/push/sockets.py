"""Settings of the socket process, and actions: what clients may send to it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from pyramid.config import Configurator

from competition.core.catalogue import catalogue_of, function_of
from competition.core.settings import setting
from competition.core.web.schemas import Schema
from competition.core.work import Work

# Below the API's.
PATH = "/ws/notifications/"

# What a socket is closed with.
ENDED = 4001
TOO_MANY_MESSAGES = 1008
RESTART = 1012
# To be added to the status of a refusal, which a page in a browser can't see.
REFUSED = 4000
CLOSE_CODES = {
    ENDED: "the token has expired, the session has ended, the account is off.",
    REFUSED + 401: "bad credentials; the reason is the code of the API's error.",
    REFUSED + 403: "who it is may open no socket; the reason is the code.",
    REFUSED + 429: "this user has too many sockets already; the reason is the code.",
    TOO_MANY_MESSAGES: "too many messages a minute.",
    1009: "a message that is too long.",
    RESTART: "the service restarts; the reason says in how many seconds to come back.",
}


@dataclass(frozen=True)
class Action:
    """What a client's ``{"action": name, "data": …}`` calls, with the data: validated by the schema
    `data`, or without one whatever it is. It raises ApiErrors; `work.actor` is who sent it."""

    name: str
    act: Callable[[Work, Any], None]
    data: type[Schema] | None = None


@dataclass(frozen=True)
class Following:
    """What a client follows by ``{"action": name, "data": …}``, with the data as of an Action.
    `admit` returns what that is, such as an id, or raises ApiErrors; `work.actor` is who sent it.
    `look` is the frame of it as of now: each process looks once a second, and sends it to who
    follows when it has changed, and they are still admitted."""

    name: str
    admit: Callable[[Work, Any], Hashable]
    look: Callable[[Work, Any], Any]
    data: type[Schema] | None = None


@dataclass(frozen=True, kw_only=True)
class SocketSettings:
    """The process of ``competition ws``. Times in seconds, sizes in bytes.

    `threads` do what clients ask for. Each client gets a ping every `ping`, and is dropped if it
    does not answer within as long again, such as one that does not read. Sessions are
    looked at every `recheck`. Clients that a stopping process sends away are told to come back at
    some time within `spread`. A ticket opens one socket within `ticket`.
    """

    prefix: ClassVar[str] = "competition.ws"
    host: str = setting("127.0.0.1")
    port: int = setting(6544, minimum=1)
    threads: int = setting(4, minimum=1)
    sockets_per_user: int = setting(5, minimum=1)
    message_size: int = setting(4096, minimum=128)
    messages_per_minute: int = setting(60, minimum=1)
    ping: float = setting(20.0, minimum=0.1)
    recheck: float = setting(15.0, minimum=0.1)
    spread: float = setting(20.0, minimum=0)
    ticket: int = setting(30, minimum=1)


SETTINGS = SocketSettings


def add_socket_action(config: Configurator, name: str, action: Any, data: Any = None) -> None:
    """Configuration directive ``config.add_socket_action``: the function of an Action and the
    schema of its data, or their dotted names."""
    act, schema = function_of(config, action), _schema_of(config, data)
    catalogue_of(config).add(Action, name, Action(name, act, schema))


def add_following(
    config: Configurator, name: str, *, admit: Any, look: Any, data: Any = None
) -> None:
    """Configuration directive ``config.add_following``: the functions of a Following and the schema
    of its data, or their dotted names."""
    functions = function_of(config, admit), function_of(config, look)
    catalogue_of(config).add(Following, name, Following(name, *functions, _schema_of(config, data)))


def _schema_of(config: Configurator, data: Any) -> Any:
    return None if data is None else function_of(config, data)


def includeme(config: Configurator) -> None:
    config.add_directive("add_following", add_following)
    config.add_directive("add_socket_action", add_socket_action)
