"""The open sockets of this process, and how frames reach them."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import inf
from uuid import UUID

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from competition.core.auth.identity import Identity
from competition.core.metrics import Gauge, Metrics

log = logging.getLogger(__name__)

# Frames that are sent before anything else gets its turn, and to one socket in one go: most of a
# push is the system call.
FRAMES_A_TURN = 200
FRAMES_A_WRITE = 20
MINUTE = 60.0


class Socket(ServerConnection):
    """`identity` is who opened it; `messages` and so many bytes came from there in this minute.
    With a `refusal`, close code and reason, it is nobody's, and closed at once."""

    identity: Identity
    refusal: tuple[int, str] | None = None
    messages = 0
    # Bytes a minute. Pings and parts of messages are no messages, and cost the same.
    allowance = inf
    _received = 0
    _minute = 0.0

    def data_received(self, data: bytes) -> None:
        now = self.loop.time()
        if now - self._minute >= MINUTE:
            self._minute, self._received, self.messages = now, 0, 0
        self._received += len(data)
        if self._received > self.allowance:
            # Without a word: whoever sends so much need not read it either.
            self.transport.abort()
            return
        super().data_received(data)

    @property
    def session_id(self) -> UUID:
        # Only a token or a ticket opens a socket, and both are of a session.
        assert self.identity.session_id is not None
        return self.identity.session_id


class Hub:
    """The open sockets by user. Lives in the event loop, and is touched there only."""

    def __init__(self, send_buffer: int, metrics: Metrics) -> None:
        self._send_buffer = send_buffer
        self._metrics = metrics
        self._sockets: defaultdict[UUID, set[Socket]] = defaultdict(set)
        self._closing: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[Socket]:
        return iter([socket for sockets in self._sockets.values() for socket in sockets])

    @property
    def gauges(self) -> list[Gauge]:
        return [
            Gauge("competition_sockets", "Sockets that are open.", sum(1 for _ in self)),
            Gauge("competition_socket_users", "Users who have one.", len(self._sockets)),
        ]

    @property
    def users(self) -> list[UUID]:
        return list(self._sockets)

    def of(self, user_id: UUID) -> list[Socket]:
        return list(self._sockets.get(user_id, ()))

    def add(self, socket: Socket) -> None:
        self._sockets[socket.identity.user_id].add(socket)

    def remove(self, socket: Socket) -> None:
        user_id = socket.identity.user_id
        self._sockets[user_id].discard(socket)
        if not self._sockets[user_id]:
            del self._sockets[user_id]

    def send(self, socket: Socket, frames: Sequence[bytes]) -> None:
        """Never waits: a client that does not read what it was sent is dropped, and finds the rest
        over REST when it is back."""
        if socket.transport.get_write_buffer_size() > self._send_buffer:
            log.info("socket %s is read too slowly: dropped", socket.id.hex)
            self._metrics.dropped_sockets.inc()
            socket.transport.abort()
            return
        if socket.state is State.OPEN:
            for frame in frames:
                socket.protocol.send_text(frame)
            socket.transport.write(b"".join(socket.protocol.data_to_send()))

    async def push(self, frames: Iterable[tuple[UUID, bytes]]) -> int:
        """Send a frame to every socket of the users; returns how many were sent. Those of a user
        keep their order."""
        by_user: defaultdict[UUID, list[bytes]] = defaultdict(list)
        for user_id, frame in frames:
            by_user[user_id].append(frame)
        sent = in_this_turn = 0
        for user_id, theirs in by_user.items():
            for start in range(0, len(theirs), FRAMES_A_WRITE):
                some = theirs[start : start + FRAMES_A_WRITE]
                for socket in self.of(user_id):
                    self.send(socket, some)
                    sent += len(some)
                    in_this_turn += len(some)
                    if in_this_turn >= FRAMES_A_TURN:
                        in_this_turn = 0
                        await asyncio.sleep(0)
        self._metrics.pushed_frames.inc(sent)
        return sent

    def close(self, sockets: Collection[Socket], code: int, reason: str) -> None:
        """Close a socket without waiting for the client."""
        for socket in sockets:
            task = asyncio.create_task(socket.close(code, reason))
            # The loop itself has only a weak reference.
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
