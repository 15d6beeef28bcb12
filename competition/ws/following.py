"""Followed objects, such as an exam: load the frames (messages) about each object once a second,
and send changed frames to all clients that follow the object."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import Any

import msgspec
from websockets.asyncio.server import broadcast
from websockets.protocol import State

from competition.core.errors import ApiError
from competition.core.messages import Message
from competition.core.monitoring.logs import patient
from competition.core.push.sockets import FollowedFrame, Following, Look
from competition.core.runtime import Runtime
from competition.core.users import callers
from competition.core.work import Work, begin
from competition.ws.hub import Socket
from competition.ws.threads import Threads

log = patient(__name__)

# How often a followed object is loaded, in seconds.
POLL_PERIOD = 1.0
# How many objects one socket may follow. Each object takes at least one query per second.
MOST_FOLLOWED = 10
TOO_MANY_FOLLOWED = Message(
    "You already follow ${max} objects, which is the limit. Stop following one of them first.",
    max=MOST_FOLLOWED,
)


@dataclass(frozen=True)
class Followed:
    """A followed object, and the request of the client that follows it.

    `following` declares this kind of object, `what` identifies the object, and `data` is the data
    that the client sent. Each function in `looks` returns one frame (a message) about the object.
    `frames` are the frames, as JSON, at the time when the client began to follow it.
    """

    following: Following
    what: Hashable
    data: Any
    looks: tuple[Look, ...]
    frames: tuple[bytes, ...]

    @property
    def subject(self) -> tuple[str, Hashable]:
        return self.following.name, self.what


@dataclass(frozen=True)
class Unfollowed:
    """An object that a client no longer follows. `subject` is that of the Followed object: the name
    of its kind, and what identifies it."""

    subject: tuple[str, Hashable]


def follow(work: Work, following: Following, data: Any) -> Followed:
    """The object that `data` names, with its first frames, for the client that starts to follow it.
    Raises an ApiError if the client may not follow the object."""
    what = following.admit(work, data)
    others = work.runtime.catalogue[FollowedFrame].values()
    looks = (
        following.look,
        *(each.look for each in others if each.following == following.name),
    )
    return Followed(following, what, data, looks, _frames(work, looks, what))


def unfollow(work: Work, following: Following, data: Any) -> Unfollowed:
    """The object that `data` names, for the client that stops following it. Raises an ApiError if
    the client may not follow the object."""
    return Unfollowed((following.name, following.admit(work, data)))


def _frames(work: Work, looks: tuple[Look, ...], what: Any) -> tuple[bytes, ...]:
    return tuple(msgspec.json.encode(look(work, what)) for look in looks)


class Followers:
    """The sockets that follow objects. Use it only in the event loop."""

    def __init__(self, runtime: Runtime, threads: Threads) -> None:
        self._runtime = runtime
        self._threads = threads
        self._sockets: defaultdict[tuple[str, Hashable], dict[Socket, Followed]] = defaultdict(dict)
        # The frames of each object when they were last loaded. The next frames are compared with
        # them, and those that differ are sent.
        self._frames: dict[tuple[str, Hashable], tuple[bytes, ...]] = {}

    def add(self, socket: Socket, followed: Followed) -> Message | None:
        """Add a socket, and return None. If the socket already follows too many objects, return an
        error message instead."""
        subjects = [subject for subject, sockets in self._sockets.items() if socket in sockets]
        if followed.subject not in subjects and len(subjects) >= MOST_FOLLOWED:
            return TOO_MANY_FOLLOWED
        self._sockets[followed.subject][socket] = followed
        self._frames.setdefault(followed.subject, followed.frames)
        return None

    def remove(self, socket: Socket, unfollowed: Unfollowed) -> None:
        """Remove a socket from the followers of an object. Nothing happens if the socket does not
        follow the object."""
        if unfollowed.subject in self._sockets:
            self._sockets[unfollowed.subject].pop(socket, None)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(POLL_PERIOD)
            for subject in list(self._sockets):
                try:
                    await self._look(subject)
                except Exception:
                    log.exception("%s %s can't be loaded", *subject)

    async def _look(self, subject: tuple[str, Hashable]) -> None:
        sockets = self._sockets[subject]
        for socket in [each for each in sockets if each.state is not State.OPEN]:
            del sockets[socket]
        if not sockets:
            del self._sockets[subject], self._frames[subject]
            return
        before = self._frames[subject]
        frames, refused = await self._threads.run(self._load, before, dict(sockets))
        for socket in refused:
            sockets.pop(socket, None)
        self._frames[subject] = frames
        for old, new in zip(before, frames, strict=True):
            if new != old:
                broadcast(sockets, new, text=True)

    def _load(
        self, before: tuple[bytes, ...], sockets: dict[Socket, Followed]
    ) -> tuple[tuple[bytes, ...], Collection[Socket]]:
        """The current frames of an object, and the sockets whose users may no longer follow it.

        If no frame has changed, the sockets are not checked. If the frames can't be loaded because
        of an ApiError, this returns the frames `before` and all sockets.
        """
        followed = next(iter(sockets.values()))
        with begin(self._runtime) as work:
            try:
                frames = _frames(work, followed.looks, followed.what)
            except ApiError:
                return before, list(sockets)
            if frames == before:
                return before, []
            living = callers.living(work, {socket.session_id for socket in sockets})
            refused = [
                socket
                for socket, each in sockets.items()
                if not _is_admitted(work, living.get(socket.session_id), each)
            ]
            return frames, refused


def _is_admitted(work: Work, actor: Any, followed: Followed) -> bool:
    if actor is None:
        return False
    work.actor = actor
    try:
        followed.following.admit(work, followed.data)
    except ApiError:
        return False
    return True
