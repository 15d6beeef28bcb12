"""Send requests from a separate process, over persistent connections."""

import asyncio
import multiprocessing
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from multiprocessing.connection import Connection
from random import Random
from typing import Any, Self

TIMEOUT = 60.0
HEAD_ENDS = b"\r\n\r\n"
WITHOUT_BODY = (204, 304)


@dataclass(frozen=True)
class Answered:
    """The time of each request, the time of all requests together, and the number of replies by
    status. Times are in seconds.
    """

    seconds: list[float]
    took: float
    statuses: dict[int, int]


@dataclass(frozen=True)
class Pace:
    """For how long to send messages, and at which interval, both in seconds. If the interval is 0,
    there are no pauses.
    """

    seconds: float
    every: float

    def of(self, messages: Sequence[bytes]) -> Iterator[tuple[float, bytes]]:
        """Yield each message when it is due, with the time at which it was due."""
        begun = time.perf_counter()
        for number, each in enumerate(cycle(messages)):
            now = time.perf_counter()
            due = begun + number * self.every if self.every else now
            if max(due, now) > begun + self.seconds:
                return
            time.sleep(max(0.0, due - now))
            yield due, each


def message(
    method: str,
    path: str,
    headers: dict[str, str] | None = None,
    body: bytes = b"",
    content_type: str = "application/json",
) -> bytes:
    """The bytes of an HTTP request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body:
        lines += [f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + HEAD_ENDS + body


class Load:
    """Controls the sending process. Leaving the ``with`` block ends it."""

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_obey, args=[theirs], daemon=True)
        self._process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.send(None)
        self._process.join()

    def send(self, port: int, messages: Sequence[bytes], connections: int) -> Answered:
        """Send all messages. Each connection sends its share of them, one after the other.

        Raises the exception of a request that failed.
        """
        return self._order(_run, port, messages, connections, None)

    def keep_sending(
        self,
        port: int,
        messages: Sequence[bytes],
        connections: int,
        seconds: float,
        every: float = 0.0,
    ) -> Answered:
        """Send the messages again and again, for a number of seconds.

        With `every`, the requests of a connection are due at this interval in seconds. The time of
        a request then counts from the moment at which it was due, even if the request before it was
        late. Raises the exception of a request that failed.
        """
        return self._order(_run, port, messages, connections, Pace(seconds, every))

    def arrive(self, port: int, messages: Sequence[bytes], rate: float) -> Answered:
        """Send each message at a random moment, `rate` a second, whether the service keeps up or
        not, each over its own connection. The time of a request counts from the moment at which it
        was due.

        Raises the exception of a request that failed.
        """
        return self._order(_arrive, port, messages, rate)

    def _order(self, send: Callable[..., Answered], *arguments: Any) -> Answered:
        self._pipe.send((send, arguments))
        answer = self._pipe.recv()
        if isinstance(answer, Exception):
            raise answer
        answered: Answered = answer
        return answered


def ask(port: int, sent: bytes) -> tuple[int, bytes, bytes]:
    """Send one request, and return status, head and body of the reply."""
    with _connect(port) as connection:
        return _ask(connection, sent)


def _connect(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), TIMEOUT)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _ask(connection: socket.socket, sent: bytes) -> tuple[int, bytes, bytes]:
    connection.sendall(sent)
    received = b""
    while HEAD_ENDS not in received:
        received += _receive(connection)
    head, _, body = received.partition(HEAD_ENDS)
    status = int(head[9:12])
    if status in WITHOUT_BODY:
        return status, head, b""
    wanted = int(header(head, "content-length") or 0)
    while len(body) < wanted:
        body += _receive(connection)
    return status, head, body


def header(head: bytes, name: str) -> str | None:
    for line in head.decode("latin-1").split("\r\n")[1:]:
        field, _, value = line.partition(":")
        if field.lower() == name:
            return value.strip()
    return None


def _receive(connection: socket.socket) -> bytes:
    received = connection.recv(1 << 16)
    if not received:
        raise ConnectionError("the server closed the connection")
    return received


def _send_all(port: int, messages: Sequence[bytes], pace: Pace | None) -> list[tuple[float, int]]:
    answered = []
    with _connect(port) as connection:
        for begun, each in pace.of(messages) if pace else _at_once(messages):
            status, _, _ = _ask(connection, each)
            answered.append((time.perf_counter() - begun, status))
    return answered


def _at_once(messages: Sequence[bytes]) -> Iterator[tuple[float, bytes]]:
    for each in messages:
        yield time.perf_counter(), each


def _run(port: int, messages: Sequence[bytes], connections: int, pace: Pace | None) -> Answered:
    shares = [messages[number::connections] for number in range(connections)]
    begun = time.perf_counter()
    with ThreadPoolExecutor(connections or 1) as pool:
        sent = pool.map(partial(_send_all, port, pace=pace), shares)
        answered = [each for share in sent for each in share]
    return _answered(answered, time.perf_counter() - begun)


def _arrive(port: int, messages: Sequence[bytes], rate: float) -> Answered:
    return asyncio.run(_arriving(port, messages, rate))


async def _arriving(port: int, messages: Sequence[bytes], rate: float) -> Answered:
    random = Random(1)

    async def ask(due: float, sent: bytes) -> tuple[float, int]:
        await asyncio.sleep(due - time.perf_counter())
        # Like nginx in front of an api, open a connection for each request.
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        head = await asyncio.wait_for(reader.readuntil(HEAD_ENDS), TIMEOUT)
        await reader.readexactly(int(header(head, "content-length") or 0))
        writer.close()
        return time.perf_counter() - due, int(head[9:12])

    begun = due = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        tasks = []
        for each in messages:
            due += random.expovariate(rate)
            tasks.append(group.create_task(ask(due, each)))
    return _answered([task.result() for task in tasks], time.perf_counter() - begun)


def _answered(answered: list[tuple[float, int]], took: float) -> Answered:
    statuses = Counter(status for _, status in answered)
    return Answered([seconds for seconds, _ in answered], took, statuses)


def _obey(pipe: Connection) -> None:
    command: Any
    while (command := pipe.recv()) is not None:
        send, arguments = command
        try:
            pipe.send(send(*arguments))
        except Exception as error:
            pipe.send(error)
