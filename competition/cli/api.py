"""The WSGI server of `competition api`: Granian, by its Python interface."""

import errno
import fcntl
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import click
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from pyramid.exceptions import ConfigurationError
from pyramid.paster import setup_logging

from competition.cli.ini import VARIABLE, Ini
from competition.collector import pass_over_what_is_here
from competition.core.monitoring.metrics import SHARED_FOLDER
from competition.core.plugins import build
from competition.core.push.sockets import SocketSettings
from competition.core.runtime import Runtime, ServerSettings
from competition.core.startup import announce, refuse_what_is_not_for_production
from competition.parent import die_with
from competition.supervisor import DRAIN

# How long a client may take to send the headers of a request, in milliseconds.
HEADERS_WITHIN = 15_000
METRICS_PREFIX = "competition-counts-"
FOLDER_IS_NEW_FOR = 60.0

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


def serve(ini: Ini) -> None:
    """Run the server until SIGTERM or SIGINT; requests in flight are answered. Raises SettingsError
    and, for a port that is taken, ClickException."""
    settings = ini.settings()
    # Otherwise each worker process would say so.
    refuse_what_is_not_for_production(settings)
    server = settings[ServerSettings]
    check_port(server, "PORT")
    granian = Granian(
        f"{__name__}:application",
        factory=True,
        address=server.host,
        port=server.port,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,
        websockets=False,
        workers=server.workers,
        blocking_threads=server.threads,
        http1_settings=HTTP1Settings(header_read_timeout=HEADERS_WITHIN),
        # The ini file says where log lines go.
        log_dictconfig={"loggers": {}},
        respawn_failed_workers=True,
        workers_kill_timeout=int(DRAIN),
    )
    setup_logging(str(ini.path))
    announce(settings, "api")
    with folder_of_metrics() as folder:
        os.environ[SHARED_FOLDER] = folder
        # For the worker processes.
        os.environ[VARIABLE] = str(ini.path.resolve())
        granian.serve()


def application() -> Application:
    """The WSGI application. Granian calls this in each worker process: database connections can't
    be shared over a fork."""
    # A worker inherits handlers of Granian's main process, which would ignore a SIGTERM until the
    # worker serves.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # The workers of a killed server would keep its port, and answer beside the next server.
    if parent := multiprocessing.parent_process():
        die_with(parent.pid or 0)
    ini = Ini(Path(os.environ[VARIABLE]))
    setup_logging(str(ini.path))
    try:
        config = build(ini.raw())
        served = unnamed(config.make_wsgi_app())
    except ConfigurationError as error:
        raise SystemExit(f"Error: {error}") from None
    threading.Thread(target=_close_at_end, args=[config.registry.runtime]).start()
    pass_over_what_is_here()
    return served


def _close_at_end(runtime: Runtime) -> None:
    """Send what is not sent yet, once the main thread has ended and all requests are answered.

    Python waits for this thread. It calls no `atexit` handlers in processes of `multiprocessing`.
    """
    threading.main_thread().join()
    runtime.close_parts()
    runtime.traces.close()


def unnamed(answer: Application) -> Application:
    """Give each response an empty `Server` header. Without one Granian names itself there."""

    def answer_unnamed(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *failure: Any) -> Any:
            return start_response(status, [*headers, ("Server", "")], *failure)

        return answer(environ, start)

    return answer_unnamed


@contextmanager
def folder_of_metrics() -> Iterator[str]:
    """A folder for what the processes of this server count. Those of servers that were killed are
    removed: each holds a lock on its own for as long as one of its processes lives."""
    for left in Path(gettempdir()).glob(f"{METRICS_PREFIX}*"):
        with suppress(OSError), _locked(left):
            # A new one may not be locked yet.
            if time.time() - left.stat().st_mtime > FOLDER_IS_NEW_FOR:
                rmtree(left)
    with TemporaryDirectory(prefix=METRICS_PREFIX) as folder, _locked(Path(folder)):
        yield folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Raises BlockingIOError when another process holds it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def check_port(server: ServerSettings | SocketSettings, variable: str) -> None:
    """Granian shares a port with another Granian, and wouldn't notice.

    `variable` is what `make run` takes. Raises ClickException, which names the way out.
    """
    family = socket.AF_INET6 if ":" in server.host else socket.AF_INET
    with socket.socket(family) as probe:
        # Else connections that ended a moment ago would count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((server.host, server.port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise click.ClickException(
                f"Port {server.port} of {server.host} is taken. Choose another one, such as"
                f" `{variable}={server.port + 10} make run`, or {server.prefix}.port in the ini."
            ) from None
