"""WSGI applications on Granian, which would read a body in the thread that answers the request: a
few clients that stall would hold all of them (docs/decisions/0032).

Here Granian's own runtime reads it. Its threads get the chunks as they come, then the whole
request: no event loop has a part in it, and a request without a body is answered at once. Whoever
stalls is answered as one whose body stopped before its end.

That takes more of Granian than it documents: tests/process/test_stalled_bodies.py and
test_raw_requests.py say whether another version still does it.
"""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from granian._granian import CallbackScheduler, RSGIWorker
from granian._signals import set_sync_signals
from granian.server.common import WORKERS_METHODS
from granian.server.mp import MPServer, WorkerProcess

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]

# Bytes a second: no body takes much longer than it would like this, however steadily it drips.
SLOWEST = 500
LOOKED_AT_EVERY = 1.0
IN_MEMORY = 64 * 1024
BLOCK = 256 * 1024


class GatewayServer(MPServer):
    """Granian's, for what a Gateway answers."""

    def run(self, load: Callable[[], "Gateway"]) -> None:
        """Serve what is loaded in each of its processes."""
        self.serve(target_loader=load, wrap_loader=False)  # type: ignore[arg-type]

    @staticmethod
    @WorkerProcess.wrap_target
    def _spawn_wsgi_worker(
        worker_id: int,
        gateway: "Gateway",
        sock: Any,
        ipc: Any,
        loop: Any,
        runtime_mode: Any,
        *options: Any,
    ) -> None:
        *threads, _, http_mode, http1, http2, _, static, _, ssl, _, metrics = options
        shutdown = set_sync_signals()  # type: ignore[no-untyped-call]
        is_over = threading.Event()
        shutdown.add_cb(is_over.set)
        no_websockets = False
        worker = RSGIWorker(
            *(worker_id, sock, ipc, *threads, http_mode, http1, http2),
            *(no_websockets, static, *ssl, metrics),
        )
        inline = InlineLoop()
        scheduler = CallbackScheduler(inline, None, None, None, None)  # type: ignore[call-arg]
        scheduler._schedule_fn = gateway.handle  # type: ignore[attr-defined]
        threading.Thread(target=gateway.watch, daemon=True).start()
        serve = getattr(worker, WORKERS_METHODS[runtime_mode][(sock[0] or sock[1]).is_uds()])
        serve(scheduler, inline, shutdown)
        is_over.wait()


class InlineLoop:
    """What Granian takes for an event loop: it calls at once, in the thread that it is told in,
    which is one of Granian's."""

    def call_soon(self, callback: Callable[..., None], *args: Any, context: Any = None) -> None:
        callback(*args)

    call_soon_threadsafe = call_soon


class Gateway:
    """Answers requests by a WSGI application. A body ends after `pause` seconds without a byte.
    `largest_form` and `largest_body` of others are the bytes that the application takes at most: of
    a larger one nothing more is read, which it sees by the length. What is asked
    `aside`, a method and a path each, is answered in `threads_aside` threads of its own: however
    long it takes and however much there is of it, nothing else waits for it."""

    def __init__(
        self,
        application: Application,
        *,
        pause: float = 15.0,
        largest_form: int = 0,
        largest_body: int = 0,
        aside: Iterable[tuple[str, str]] = (),
        threads_aside: int = 1,
    ) -> None:
        self._application = application
        self.pause = pause
        self._largest_form = largest_form
        self._largest_body = largest_body
        self._aside = {(method, path.rstrip("/")) for method, path in aside}
        self._threads_aside = ThreadPoolExecutor(threads_aside, "aside")
        self.reading: set[Body] = set()
        self._cut_off: deque[Any] = deque()

    def handle(self, watcher: Any) -> None:
        """Called for each request, in a thread of Granian's."""
        try:
            headers = watcher.scope.headers
            # With HTTP/2 a body may come with neither.
            has_body = "content-length" in headers or "transfer-encoding" in headers
            if has_body or watcher.scope.http_version == "2":
                self._read(watcher, headers)
            else:
                self.answer(watcher, BytesIO())
        except BaseException as error:
            watcher.err(error)

    def _read(self, watcher: Any, headers: Any) -> None:
        is_form = headers.get("content-type", "").lower().startswith("multipart/")
        largest = self._largest_form if is_form else self._largest_body
        announced = int(headers["content-length"]) if "content-length" in headers else None
        if announced == 0 or (announced or 0) > largest:
            self.answer(watcher, BytesIO(), closing=bool(announced))
        else:
            Body(self, watcher, largest + 1 if announced is None else announced).read()

    def answer(self, watcher: Any, body: IO[bytes], *, closing: bool = False) -> None:
        """Closes the body. With `closing` the connection ends with the reply: there is more of the
        body, which nobody reads."""
        # The application completes a slash that is missing.
        if (watcher.scope.method, watcher.scope.path.rstrip("/")) in self._aside:
            self._threads_aside.submit(self._answer, watcher, body, closing)
        else:
            self._answer(watcher, body, closing)

    def _answer(self, watcher: Any, body: IO[bytes], closing: bool) -> None:
        try:
            with body:
                self._reply(watcher, body, closing)
        except BaseException as error:
            watcher.err(error)
        if closing:
            self._cut_off.append(watcher)

    def _reply(self, watcher: Any, body: IO[bytes], closing: bool) -> None:
        reply = Reply(closing and watcher.scope.http_version.startswith("1"))
        content = self._application(environ(watcher.scope, body), reply.start)
        try:
            reply.send(watcher.proto, content)
            # Of a body that was not read nothing more is.
            watcher.done()
        finally:
            if close := getattr(content, "close", None):
                close()

    def watch(self) -> None:
        """Give up bodies that stall, and close their connections, for ever."""
        while True:
            time.sleep(LOOKED_AT_EVERY)
            now = time.monotonic()
            for _ in range(len(self._cut_off)):
                # Once more. When it was answered, what waits for the rest of its body may not have
                # heard yet that there is none: it keeps the connection open until that is dropped.
                self._cut_off.popleft().done()
            for body in tuple(self.reading):
                if now > body.deadline:
                    body.give_up()


class Body:
    """One that is being read, up to `size` bytes: no thread waits for it."""

    def __init__(self, gateway: Gateway, watcher: Any, size: int) -> None:
        self._gateway = gateway
        self._watcher = watcher
        self._chunks = watcher.proto.__aiter__()
        self._size = size
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # closed when it was answered
        self._received = 0
        self._begun = time.monotonic()
        self._next: Any = None
        self._is_given_up = False
        self.deadline = 0.0

    def read(self) -> None:
        now = time.monotonic()
        self.deadline = min(now, self._begun + self._received / SLOWEST) + self._gateway.pause
        try:
            self._next = self._chunks.__anext__()
        except StopAsyncIteration:
            self._end()
            return
        self._gateway.reading.add(self)
        self._next.add_done_callback(self._take)

    def give_up(self) -> None:
        self._is_given_up = True
        # Perhaps a chunk has come meanwhile.
        if (awaited := self._next) is not None:
            awaited.cancel()

    def _take(self, chunk: Any) -> None:
        """Called with each chunk, and when it was given up."""
        self._gateway.reading.discard(self)
        # It refers to this method: nobody collects a circle of which Granian has a part.
        self._next = None
        try:
            if chunk.cancelled():
                self._end()
                return
            content = chunk.result()
            self._file.write(content)
            self._received += len(content)
            if self._received < self._size:
                self.read()
            else:
                self._end()
        except BaseException as error:
            self._watcher.err(error)

    def _end(self) -> None:
        is_whole = not self._is_given_up and self._received <= self._size
        self._file.seek(0)
        self._gateway.answer(self._watcher, self._file, closing=not is_whole)


class File:
    """What an application returns to have Granian send a file, at the pace of the client:
    `wsgi.file_wrapper`."""

    def __init__(self, stream: IO[bytes], block: int = BLOCK) -> None:
        self._stream = stream
        self._block = block
        self.close = stream.close
        self.range: tuple[int, int] | None = None

    @property
    def path(self) -> str | None:
        """None of what is only in memory."""
        name = getattr(self._stream, "name", None)
        return str(name) if isinstance(name, str | Path) else None

    def app_iter_range(self, start: int, stop: int) -> "File":
        """WebOb's, for a request with a Range."""
        self._stream.seek(start)
        self.range = (start, stop)
        return self

    def __iter__(self) -> "File":
        return self

    def __next__(self) -> bytes:
        size = self._block
        if self.range is not None:
            size = min(size, self.range[1] - self._stream.tell())
        if block := self._stream.read(size):
            return block
        raise StopIteration


class Reply:
    """Of the application, which starts it and returns its content."""

    def __init__(self, closing: bool) -> None:
        self._closing = [("Connection", "close")] if closing else []

    def start(self, status: str, headers: list[tuple[str, str]], *failure: Any) -> None:
        self._status = int(status[:3])
        # Granian says that it is Granian, unless the application has said who answers.
        self._headers = [*headers, *self._closing, ("Server", "")]

    def send(self, protocol: Any, content: Iterable[bytes]) -> None:
        status, headers = self._status, self._headers
        if not isinstance(content, File) or content.path is None:
            protocol.response_bytes(status, headers, b"".join(content))
        elif content.range is None:
            protocol.response_file(status, headers, content.path)
        else:
            protocol.response_file_range(status, headers, content.path, *content.range)


_ALWAYS = {
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "Granian",
    "wsgi.errors": sys.stderr,
    "wsgi.file_wrapper": File,
    "wsgi.input_terminated": True,
    "wsgi.multiprocess": False,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
    "wsgi.version": (1, 0),
}


def environ(scope: Any, body: IO[bytes]) -> dict[str, Any]:
    """The WSGI environment, as Granian itself makes it, without headers whose names have an
    underscore."""
    headers = scope.headers
    server, _, port = scope.server.rpartition(":")
    found = _ALWAYS | {
        "HTTP_HOST": scope.authority or "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "REQUEST_METHOD": scope.method,
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "wsgi.input": body,
        "wsgi.url_scheme": scope.scheme,
    }
    for name in headers.keys():  # noqa: SIM118  # the class is no mapping
        # X_Forwarded_For would be X-Forwarded-For.
        if "_" not in name:
            found[_variable(name)] = (";" if name == "cookie" else ",").join(headers.get_all(name))
    return found


@lru_cache(maxsize=1000)
def _variable(header: str) -> str:
    name = header.upper().replace("-", "_")
    return name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
