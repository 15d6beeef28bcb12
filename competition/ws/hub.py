"""Hold the open sockets of this process, push frames to them, and close them."""

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from uuid import UUID

from websockets.asyncio.server import ServerConnection, broadcast

from competition.core.auth.identity import Identity
from competition.core.messages import Language
from competition.core.monitoring.metrics import Gauge, Metrics

# How many frames a push sends before it lets other tasks run.
FRAMES_A_TURN = 200
MINUTE = 60.0


class Socket(ServerConnection):
    """A connection. `identity` is the user who opened it. `language` is the language of errors;
    None is English. A socket with a `refusal` (a close code and a reason) is closed as soon as it
    is open. A client that sends more than `bytes_per_minute` is disconnected."""

    identity: Identity
    language: Language | None = None
    refusal: tuple[int, str] | None = None
    bytes_per_minute: float = math.inf
    _minute = -math.inf
    _received = 0
    _transport: asyncio.BaseTransport

    # The library answers pings itself, and has no option that limits them. It documents that
    # `create_connection` may be a subclass of this `asyncio.Protocol`, and the two methods below
    # are that class's documented interface to the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Count the received bytes before the library answers the pings that they contain. If the
        client has sent too many in this minute, disconnect it instead."""
        now = time.monotonic()
        if now - self._minute >= MINUTE:
            self._minute, self._received = now, 0
        self._received += len(data)
        if self._received > self.bytes_per_minute:
            assert isinstance(self._transport, asyncio.WriteTransport)
            self._transport.abort()
        else:
            super().data_received(data)

    @property
    def session_id(self) -> UUID:
        # A socket is opened with a token or a ticket, and both belong to a session.
        assert self.identity.session_id is not None
        return self.identity.session_id


class Hub:
    """The open sockets by user. Use it only in the event loop."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._sockets: defaultdict[UUID, set[Socket]] = defaultdict(set)
        self._closing: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[Socket]:
        return iter([socket for sockets in self._sockets.values() for socket in sockets])

    @property
    def gauges(self) -> list[Gauge]:
        return [
            Gauge("competition_sockets", "Open sockets.", sum(1 for _ in self)),
            Gauge("competition_socket_users", "Users with an open socket.", len(self._sockets)),
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

    async def push(self, frames: Iterable[tuple[UUID, bytes]]) -> int:
        """Send each frame to all sockets of its user, in order. Returns how many frames were sent,
        counted once per socket.

        This does not wait for clients. A client that does not read is disconnected after a ping
        without a reply.
        """
        sent = 0
        for number, (user_id, frame) in enumerate(frames, start=1):
            sockets = self.of(user_id)
            broadcast(sockets, frame, text=True)
            sent += len(sockets)
            if number % FRAMES_A_TURN == 0:
                await asyncio.sleep(0)
        self._metrics.pushed_frames.inc(sent)
        return sent

    def close(self, sockets: Collection[Socket], code: int, reason: str) -> None:
        """Close the sockets without waiting for the clients."""
        for socket in sockets:
            task = asyncio.create_task(socket.close(code, reason))
            # Keep a reference, because the event loop has only a weak reference.
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
