"""Live pushes: what a committed transaction tells the socket processes, and what plugins bring to
them.

The commit itself sends PostgreSQL's NOTIFY, to every socket process at once. It only says which
feed has grown: the process loads what it has not seen yet, as REST would show it, and a NOTIFY that
was missed is made good by the next one. A plugin brings *feeds* (server to client) and *actions*
(client to server).
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from pyramid.config import Configurator
from sqlalchemy import func, select

from competition.core import locks
from competition.core.settings import setting
from competition.core.work import Work

CHANNEL = "competition_push"
# The topic of ended sessions; every other one is the name of a feed.
SESSIONS = "sessions"

# Called with the frame's `data`, whatever it is; raises ApiErrors. `work.actor` is who sent it.
Action = Callable[[Work, Any], None]


@dataclass(frozen=True, kw_only=True)
class SocketSettings:
    """The process of ``competition ws``. Times in seconds, sizes in bytes.

    `threads` do what clients ask for. A client is dropped when more than `send_buffer` waits for it
    to be read, or when a ping, one each `ping`, is not answered within as long again. Sessions are
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
    send_buffer: int = setting(256 * 1024, minimum=1)
    ping: float = setting(20.0, minimum=0.1)
    recheck: float = setting(15.0, minimum=0.1)
    spread: float = setting(20.0, minimum=0)
    ticket: int = setting(30, minimum=1)


@dataclass(frozen=True)
class Feed:
    """Rows that are pushed to the users they belong to, with integer ids.

    Whoever inserts calls `lock_feed` first, and announces the feed. `latest(work)` is the highest
    id, 0 without any; `load(work, users, after, until)` answers (user, frame) of the rows of those
    users with after < id <= until, in the order of the ids.
    """

    name: str
    latest: Callable[[Work], int]
    load: Callable[[Work, Collection[UUID], int, int], Iterable[tuple[UUID, Any]]]


def lock_feed(work: Work, feed: str) -> None:
    """Until the commit, nobody else inserts. Else a lower id could be committed after a higher one,
    and whoever asks for what came after the higher one would never see it."""
    locks.hold(work, f"feed {feed}")


def announce(work: Work, topic: str, value: str = "") -> None:
    """Tell every socket process when, and only if, this transaction commits; `value` is an id."""
    work.db.execute(select(func.pg_notify(CHANNEL, f"{topic}:{value}")))


def add_socket_action(config: Configurator, name: str, action: Any) -> None:
    """Configuration directive: what a client's ``{"action": name}`` calls, an Action or its dotted
    name."""
    config.registry.runtime.socket_actions[name] = config.maybe_dotted(action)


def add_feed(config: Configurator, name: str, *, latest: Any, load: Any) -> None:
    """Configuration directive: the functions of a Feed, or their dotted names."""
    config.registry.runtime.feeds[name] = Feed(
        name, config.maybe_dotted(latest), config.maybe_dotted(load)
    )
