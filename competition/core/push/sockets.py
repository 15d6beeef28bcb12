"""Settings of the socket process, and actions: what clients may send to it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from competition.core.catalogue import declare
from competition.core.schemas import Schema
from competition.core.settings import setting
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


Act = Callable[[Work, Any], None]
Admit = Callable[[Work, Any], Hashable]
Look = Callable[[Work, Any], Any]


@dataclass(frozen=True)
class Action:
    """What a client's ``{"action": name, "data": …}`` calls, with the data: validated by the schema
    `data`, or without one whatever it is. It raises ApiErrors; `work.actor` is who sent it."""

    name: str
    act: Act
    data: type[Schema] | None = None


@dataclass(frozen=True)
class Following:
    """What a client follows by ``{"action": name, "data": …}``, with the data as of an Action.
    `admit` returns what that is, such as an id, or raises ApiErrors; `work.actor` is who sent it.
    `look` is the frame of it as of now: each process looks once a second, and sends it to who
    follows when it has changed, and they are still admitted."""

    name: str
    admit: Admit
    look: Look
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


def socket_action(name: str, *, data: type[Schema] | None = None) -> Callable[[Act], Act]:
    """Declare an action, found when its module is scanned."""

    def decorate(act: Act) -> Act:
        declare(act, Action, name, lambda: Action(name, act, data))
        return act

    return decorate


def following(
    name: str, *, admit: Admit, data: type[Schema] | None = None
) -> Callable[[Look], Look]:
    """Declare what clients can follow, found when its module is scanned: the decorated function
    returns the frame."""

    def decorate(look: Look) -> Look:
        declare(look, Following, name, lambda: Following(name, admit, look, data))
        return look

    return decorate
