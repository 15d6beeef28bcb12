"""Settings of the socket process, and declarations of what clients can send to it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from competition.core.catalogue import OwnName, declaration
from competition.core.schemas import Schema
from competition.core.settings import setting
from competition.core.work import Work

# The path of the sockets, below `API_PREFIX`.
PATH = "/ws/notifications/"

# The codes with which sockets are closed.
ENDED = 4001
TOO_MANY_MESSAGES = 1008
RESTART = 1012
# The close code of a rejected handshake is this number plus the HTTP status, because a page in a
# browser can't see the status itself.
REFUSED = 4000
CLOSE_CODES = {
    ENDED: "the token has expired, the session has ended, or the account was deactivated.",
    REFUSED + 401: "the credentials are invalid; the reason is the code of the API's error.",
    REFUSED + 403: "the caller may not open sockets; the reason is the code of the API's error.",
    REFUSED + 429: "the user has too many open sockets; the reason is the code of the API's error.",
    TOO_MANY_MESSAGES: "the client sent too many messages in a minute.",
    1009: "the client sent a message that is too long.",
    RESTART: "the service restarts; the reason says after how many seconds to reconnect.",
}


Act = Callable[[Work, Any], None]
Admit = Callable[[Work, Any], Hashable]
Look = Callable[[Work, Any], Any]


@dataclass(frozen=True)
class Action:
    """An action that a client can request with ``{"action": name, "data": …}``.

    `act` is called with the data. If there is a schema `data`, the data has been validated by it;
    otherwise it can be any value. `act` may raise ApiErrors. `work.actor` is the sender.
    """

    name: str
    act: Act
    data: type[Schema] | None = None


@dataclass(frozen=True)
class Following:
    """A kind of object that a client can follow with ``{"action": name, "data": …}``.

    The data is validated as for an Action. `admit` returns the key of the object, such as an id, or
    raises an ApiError if the sender, `work.actor`, may not follow it. `look` is called with the
    key, and returns the *frame* of the object: a message with its current state. Each process calls
    `look` once a second for each object that its clients follow. When the frame has changed, the
    process sends it to all followers who are still admitted. A client stops following with the
    action ``un…``, such as `unfollow_exam` for `follow_exam`, which takes the same data.
    """

    name: str
    admit: Admit
    look: Look
    data: type[Schema] | None = None


@dataclass(frozen=True)
class FollowedFrame(OwnName):
    """A further frame (message) for the clients that follow a kind of object.

    `following` is the name of the Following, which may belong to another plugin. `look` is called
    with the key of the object, and returns the frame, like the `look` of the Following. While the
    Following's plugin is disabled, nobody can follow such objects.
    """

    name: str
    following: str
    look: Look


@dataclass(frozen=True, kw_only=True)
class SocketSettings:
    """Settings of the process ``competition ws``. Times are in seconds.

    `threads` is the number of threads that process actions of clients. Each client gets a ping
    every `ping` seconds, and is disconnected if it does not answer within `ping` seconds. Whether
    the clients' sessions are still valid is checked every `recheck` seconds. When a process stops,
    it asks each client to reconnect after a random time of at most `spread` seconds.
    """

    prefix: ClassVar[str] = "competition.ws"
    host: str = setting("127.0.0.1")
    port: int = setting(6544, minimum=1)
    threads: int = setting(4, minimum=1)
    sockets_per_user: int = setting(5, minimum=1)
    ping: float = setting(20.0, minimum=0.1)
    recheck: float = setting(15.0, minimum=0.1)
    spread: float = setting(20.0, minimum=0)


SETTINGS = SocketSettings


def socket_action(name: str, *, data: type[Schema] | None = None) -> Callable[[Act], Act]:
    """Declare that the decorated function performs the action `name`, which clients request through
    their sockets. A scan of its module finds it."""
    return declaration(Action, name, lambda act: Action(name, act, data))


def following(
    name: str, *, admit: Admit, data: type[Schema] | None = None
) -> Callable[[Look], Look]:
    """Declare a kind of object that clients can follow. The decorated function is the `look` of the
    `Following`, and returns the frame of an object. A scan of the function's module finds it."""
    return declaration(Following, name, lambda look: Following(name, admit, look, data))


def followed_frame(name: str, *, following: str) -> Callable[[Look], Look]:
    """Declare a further frame (message) for clients that follow a kind of object. The decorated
    function returns the frame. A scan of the function's module finds it."""
    return declaration(FollowedFrame, name, lambda look: FollowedFrame(name, following, look))
