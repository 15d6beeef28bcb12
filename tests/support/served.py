"""The application at an address of its own, for browsers and programs."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import Thread
from typing import Any

from waitress.server import create_server
from waitress.wasyncore import close_all


@contextmanager
def served(application: Any) -> Iterator[str]:
    """Context: answers its URL, without a slash at the end."""
    server = create_server(application, host="127.0.0.1", port=0, threads=4)
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        server.task_dispatcher.shutdown()
        # In the thread that looks at the sockets: it would not bear that they are gone.
        server.trigger.pull_trigger(partial(close_all, server._map))
        thread.join()
