"""The WSGI server of `competition api`: Granian, through its Python interface."""

import fcntl
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from pyramid.exceptions import ConfigurationError

from competition.cli.ini import VARIABLE, Ini
from competition.cli.ports import check_port
from competition.collector import exclude_existing_objects
from competition.core.monitoring.metrics import SHARED_FOLDER
from competition.core.plugins import build
from competition.core.runtime import Runtime, ServerSettings
from competition.core.startup import announce, refuse_what_is_not_for_production
from competition.parent import die_with
from competition.supervisor import DRAIN

# How long a client may take to send the headers of a request, in milliseconds. This also closes
# connections that send nothing.
HEADERS_WITHIN = 15_000
METRICS_PREFIX = "competition-counts-"
FOLDER_IS_NEW_FOR = 60.0

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


def serve(ini: Ini) -> None:
    """Run the server until SIGTERM or SIGINT; it then answers the requests that it has received.

    Raises SettingsError if a setting is missing, wrong or not for production, and ClickException if
    the port is in use.
    """
    settings = ini.settings()
    # Check here, because otherwise each worker process would print the same errors.
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
        # The ini file configures logging.
        log_dictconfig={"loggers": {}},
        respawn_failed_workers=True,
        workers_kill_timeout=int(DRAIN),
    )
    ini.set_up_logging()
    announce(settings, "api")
    with folder_of_metrics() as folder:
        os.environ[SHARED_FOLDER] = folder
        # The worker processes read both variables.
        os.environ[VARIABLE] = str(ini.path.resolve())
        # Granian forks the worker processes, which share memory with this process until one of them
        # writes to it. The collector would write to every object.
        exclude_existing_objects()
        granian.serve()


def application() -> Application:
    """The WSGI application. Granian calls this in each worker process, because database connections
    can't be shared over a fork."""
    # The signal handlers inherited from Granian's main process would ignore a SIGTERM until the
    # worker has started.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Let this worker end with the server. Otherwise the workers of a killed server would keep
    # answering at its port.
    if parent := multiprocessing.parent_process():
        die_with(parent.pid or 0)
    ini = Ini(Path(os.environ[VARIABLE]))
    ini.set_up_logging()
    try:
        config = build(ini.raw())
        served = unnamed(config.make_wsgi_app())
    except ConfigurationError as error:
        raise SystemExit(f"Error: {error}") from None
    threading.Thread(target=_close_at_end, args=[config.registry.runtime]).start()
    exclude_existing_objects()
    return served


def _close_at_end(runtime: Runtime) -> None:
    """Wait for the main thread to answer all requests. Then send buffered data and traces.

    Python waits for this thread before the process ends. An `atexit` handler would not work,
    because Python does not call it in processes of `multiprocessing`.
    """
    threading.main_thread().join()
    runtime.close_parts()
    runtime.traces.close()


def unnamed(answer: Application) -> Application:
    """Wrap an application so that its responses have an empty `Server` header.

    Without this, Granian adds its own name there.
    """

    def answer_unnamed(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *failure: Any) -> Any:
            return start_response(status, [*headers, ("Server", "")], *failure)

        return answer(environ, start)

    return answer_unnamed


@contextmanager
def folder_of_metrics() -> Iterator[str]:
    """Context manager: a folder in which the worker processes of this server store their metrics.

    It also deletes the folders of servers that were killed. A server locks its folder, and the lock
    ends with the last of its processes.
    """
    for left in Path(gettempdir()).glob(f"{METRICS_PREFIX}*"):
        with suppress(OSError), _locked(left):
            # A server may have created a new folder and not locked it yet.
            if time.time() - left.stat().st_mtime > FOLDER_IS_NEW_FOR:
                rmtree(left)
    with TemporaryDirectory(prefix=METRICS_PREFIX) as folder, _locked(Path(folder)):
        yield folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Context manager: lock a folder. Raises BlockingIOError if another process has locked it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
