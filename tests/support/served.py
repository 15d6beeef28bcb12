"""Serve the application over HTTP, for browsers and programs."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


class Server(ThreadingMixIn, WSGIServer):
    """Serves each connection in a thread, because browsers open several at a time."""


class Handler(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Requests are not logged."""


@contextmanager
def served(application: Any) -> Iterator[str]:
    """Context manager: serve the application. The value is its URL, without a final slash."""
    with make_server(
        "127.0.0.1", 0, application, server_class=Server, handler_class=Handler
    ) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
