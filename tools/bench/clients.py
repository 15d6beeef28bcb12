"""Many WebSocket clients in a separate process, each with as little overhead as possible."""

import asyncio
import multiprocessing
import random
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, Self

AT_ONCE = 64
PATIENCE = 60
# The first and the longest pause before a client tries again, in seconds. Each pause is twice as
# long as the one before, as in the client guide.
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
SECONDS = re.compile(rb"\d+\.\d+")

Headers = dict[str, str]


class Arrival(NamedTuple):
    """A frame that a client received, with its time by time.monotonic(). This clock is the same in
    all processes.
    """

    client: int
    at: float
    payload: bytes


class Return(NamedTuple):
    """When a client had a socket again, by time.monotonic(), and how many tries it needed."""

    at: float
    tries: int


class Clients:
    """Controls the clients' process. Leaving the ``with`` block closes all sockets."""

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_run, args=[theirs], daemon=True)
        self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.send(("end",))
        self._process.join()

    def open(self, port: int, path: str, headers: Sequence[Headers]) -> None:
        """Open one socket for each item of `headers`."""
        self._call("open", port, path, headers)

    def expect(self, count: int) -> None:
        """Discard all frames received so far, and record the next `count` frames."""
        self._call("expect", count)

    def arrived(self) -> list[Arrival]:
        """Wait for all expected frames, and return them."""
        return [Arrival(*each) for each in self._call("arrived")]

    def received(self, after: float) -> list[Arrival]:
        """Wait for the expected frames, for at most PATIENCE seconds, and then `after` seconds for
        further frames. Return all frames.
        """
        return [Arrival(*each) for each in self._call("received", after)]

    def reopen(
        self, port: int, path: str, headers: Sequence[Headers], *, as_asked: bool
    ) -> list[Return]:
        """Open the sockets again once the server has closed them.

        With `as_asked`, each client first waits for the time that the server has asked for.
        Otherwise all clients connect at the same moment. If the server rejects a client, the client
        tries again after a random pause.
        """
        return [Return(*each) for each in self._call("reopen", port, path, headers, as_asked)]

    def _call(self, *command: Any) -> Any:
        self._pipe.send(command)
        answer = self._pipe.recv()
        if isinstance(answer, Exception):
            raise answer
        return answer


class _Hall:
    def __init__(self) -> None:
        self.clients: dict[int, _Client] = {}
        self.count = 0
        self.frames: list[tuple[int, float, bytes]] = []
        self.complete = asyncio.Event()

    async def open(self, port: int, path: str, headers: Sequence[Headers]) -> None:
        at_once = asyncio.Semaphore(AT_ONCE)

        async def one(number: int, sent: Headers) -> None:
            async with at_once:
                self.clients[number] = await self._connect(number, port, path, sent)

        await asyncio.gather(*(one(*each) for each in enumerate(headers, len(self.clients))))

    async def _connect(self, number: int, port: int, path: str, headers: Headers) -> "_Client":
        client = _Client(self, number)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_connection(lambda: client, "127.0.0.1", port)
        transport.write(_handshake(path, headers))
        await client.opened
        return client

    async def reopen(
        self, port: int, path: str, headers: Sequence[Headers], as_asked: bool
    ) -> list[tuple[float, int]]:
        async def one(number: int, sent: Headers) -> tuple[float, int]:
            asked = await self.clients[number].closed
            if as_asked:
                await asyncio.sleep(asked)
            tries, pause = 0, FIRST_PAUSE
            while True:
                tries += 1
                with suppress(OSError):
                    self.clients[number] = await self._connect(number, port, path, sent)
                    return time.monotonic(), tries
                await asyncio.sleep(random.uniform(0, pause))
                pause = min(2 * pause, LONGEST_PAUSE)

        return await asyncio.gather(*(one(*each) for each in enumerate(headers)))

    async def received(self, after: float) -> list[tuple[int, float, bytes]]:
        with suppress(TimeoutError):
            await self.arrived()
        await asyncio.sleep(after)
        return self.frames

    async def expect(self, count: int) -> None:
        self.count = count
        self.frames.clear()
        self.complete.clear()
        if not count:
            self.complete.set()

    async def arrived(self) -> list[tuple[int, float, bytes]]:
        async with asyncio.timeout(PATIENCE):
            await self.complete.wait()
        return self.frames

    def take(self, client: int, at: float, payload: bytes) -> None:
        self.frames.append((client, at, payload))
        if len(self.frames) == self.count:
            self.complete.set()


class _Client(asyncio.Protocol):
    def __init__(self, hall: _Hall, number: int) -> None:
        self._hall = hall
        self._number = number
        self._rest = b""
        self.opened = asyncio.get_running_loop().create_future()
        # The pause in seconds that the server asked for when it closed the socket, or 0.
        self.closed: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._asked = 0.0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed in the handshake"))
        self.closed.set_result(self._asked)

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        if not self.opened.done():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head.decode()))
                return
            self.opened.set_result(None)
        now = time.monotonic()
        start = 0
        while len(data) - start >= 4:
            size, first = data[start + 1], start + 2
            if size == 126:
                size, first = int.from_bytes(data[first : first + 2]), first + 2
            if len(data) < first + size:
                break
            payload = data[first : first + size]
            if data[start] == 0x81:
                self._hall.take(self._number, now, payload)
            elif data[start] == 0x89:
                # A pong, with a mask of zeros.
                self._transport.write(bytes([0x8A, 0x80 | size, 0, 0, 0, 0]) + payload)
            elif data[start] == 0x88:
                asked = SECONDS.search(payload)
                self._asked = float(asked[0]) if asked else 0.0
                self._transport.write(bytes([0x88, 0x82, 0, 0, 0, 0]) + payload[:2])
            start = first + size
        self._rest = data[start:]


def _handshake(path: str, headers: Headers) -> bytes:
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: localhost",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _run(pipe: Connection) -> None:
    from tools.bench.files import many_files

    many_files()
    asyncio.run(_obey(pipe))


async def _obey(pipe: Connection) -> None:
    hall = _Hall()
    while True:
        name, *arguments = await asyncio.to_thread(pipe.recv)
        if name == "end":
            return
        try:
            pipe.send(await getattr(hall, name)(*arguments))
        except Exception as error:
            pipe.send(error)
