"""The WSGI server of `competition api`."""

import errno
import fcntl
import logging
import os
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.util import Finalize
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import click
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from pyramid.exceptions import ConfigurationError
from pyramid.paster import setup_logging

from competition.cli.ini import Ini
from competition.collector import pass_over_what_is_here
from competition.core.auth import passwords
from competition.core.metrics import SHARED_FOLDER
from competition.core.plugins import build
from competition.core.push.sockets import SocketSettings
from competition.core.runtime import (
    API_PREFIX,
    ServerSettings,
    announce,
    refuse_what_is_not_for_production,
)
from competition.core.web.service import endpoints
from competition.core.web.uploads import largest_form
from competition.gateway import Gateway, GatewayServer
from competition.parent import die_with
from competition.supervisor import (
    DRAIN,
    EARLY_ENDS_UNTIL_GIVEN_UP,
    FIRST_BACKOFF,
    PAUSE,
    SETTLED_AFTER,
)

log = logging.getLogger(__name__)

STOP = (signal.SIGTERM,)
# Milliseconds. For bodies the gateway has one.
HEADERS_WITHIN = 15_000
# Earlier versions called theirs competition-metrics-…, and held no lock.
METRICS_PREFIX = "competition-counts-"
FOLDER_IS_NEW_FOR = 60.0
# Seconds between two starts of a worker that ends at once each time.
LONGEST_BACKOFF = 10.0


class Server(GatewayServer):
    """Granian's, which by itself ends as a whole, healthy workers and all, when one of them dies
    twice within seconds. This one starts it again, later each time, and gives up when no worker at
    all stays alive."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._early_ends: Counter[int] = Counter()

    def _respawn_workers(
        self, workers: Sequence[int], spawn_target: Any, target_loader: Any, delay: float = 0
    ) -> None:
        # With a delay it is a reload, by SIGHUP: nothing has died.
        if not delay:
            self._count(workers)
            if self._is_hopeless(workers):
                log.error("No process of the api stays alive: giving up.")
                self.interrupt_children.extend(workers)
                self.interrupt_signal = True
                self.main_loop_interrupt.set()
                return
            self._pause(max(map(self._backoff, workers)))
            if self.interrupt_signal:
                return
        super()._respawn_workers(workers, spawn_target, target_loader, delay)
        # What Granian looks at to tell a loop of crashes.
        self.respawned_wrks.clear()

    def _stop_workers(self) -> None:
        """Granian's would kill one that is about to end, with a warning: what tells it that a
        process has closed all it had comes a moment before its end."""
        # Granian has no types.
        workers: list[Any] = self.wrks
        stop: Any = super()._stop_workers
        for worker in workers:
            worker.terminate()
        over = time.monotonic() + DRAIN
        while any(worker.is_alive() for worker in workers) and time.monotonic() < over:
            time.sleep(PAUSE)
        for worker in workers:
            if worker.is_alive():
                log.warning("worker-%s does not end: it is killed.", worker.idx + 1)
                worker.kill()
                worker.join()
        stop()

    def _count(self, ended: Sequence[int]) -> None:
        for index in ended:
            early = self._is_young(index)
            self._early_ends[index] = self._early_ends[index] + 1 if early else 0

    def _is_young(self, index: int) -> bool:
        return time.monotonic() - self.wrks[index].birth < SETTLED_AFTER

    def _is_hopeless(self, ended: Sequence[int]) -> bool:
        return all(
            self._early_ends[index] >= EARLY_ENDS_UNTIL_GIVEN_UP
            and (index in ended or self._is_young(index))
            for index in range(self.workers)
        )

    def _backoff(self, index: int) -> float:
        ends = self._early_ends[index]
        return min(FIRST_BACKOFF * 2 ** (ends - 1), LONGEST_BACKOFF) if ends else 0.0

    def _pause(self, seconds: float) -> None:
        """Wait before a restart; less, when the server is told to stop."""
        over = time.monotonic() + seconds
        while time.monotonic() < over and not self.interrupt_signal:
            time.sleep(PAUSE)


def serve(ini: Ini) -> None:
    """Run the server until SIGTERM or SIGINT; requests in flight are answered. Raises SettingsError
    and, for a port that is taken, ClickException."""
    settings = ini.settings()
    # Each of its processes would say so by itself.
    refuse_what_is_not_for_production(settings)
    server = settings[ServerSettings]
    check_port(server, "PORT")
    granian = Server(
        "competition",
        address=server.host,
        port=server.port,
        interface=Interfaces.WSGI,
        workers=server.workers,
        blocking_threads=server.threads,
        websockets=False,
        http1_settings=HTTP1Settings(header_read_timeout=HEADERS_WITHIN),
        # The ini says where its lines go.
        log_dictconfig={"loggers": {}},
        log_access=False,
        respawn_failed_workers=True,
        workers_kill_timeout=int(DRAIN),
    )
    setup_logging(str(ini.path))
    announce(settings, "api")
    heed_sigterm_in_forks()
    with folder_of_metrics() as folder:
        os.environ[SHARED_FOLDER] = folder
        granian.run(partial(_gateway, ini, server, os.getpid()))


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


def heed_sigterm_in_forks() -> None:
    """A worker process starts with Granian's own handlers, which would swallow the SIGTERM that
    it gets from there while it still loads the application. Until it heeds it, it is blocked."""
    os.register_at_fork(
        before=partial(signal.pthread_sigmask, signal.SIG_BLOCK, STOP),
        after_in_child=_heed_sigterm,
        after_in_parent=partial(signal.pthread_sigmask, signal.SIG_UNBLOCK, STOP),
    )


def _heed_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # A Ctrl-C is for Granian, which passes it on as SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP)


def _gateway(ini: Ini, server: ServerSettings, parent: int) -> Gateway:
    """The application, built in the worker process itself: connections can't be shared over a
    fork."""
    # The workers of a killed Granian would keep its port, and answer beside the next one.
    die_with(parent)
    setup_logging(str(ini.path))
    try:
        config = build(ini.raw())
        # At the end of such a process `atexit` is not asked.
        Finalize(None, config.registry.runtime.traces.close, exitpriority=0)
        Finalize(None, config.registry.runtime.close_parts, exitpriority=0)
        application = config.make_wsgi_app()
    except ConfigurationError as error:
        raise SystemExit(f"Error: {error}") from None
    declared = endpoints(config.registry)
    pass_over_what_is_here()
    return Gateway(
        application,
        pause=server.body_timeout,
        largest_form=max((largest_form(each.files) for each in declared), default=0),
        largest_body=max((each.largest_json for each in declared), default=0),
        aside=[(each.method, API_PREFIX + each.path) for each in declared if each.hashes_password],
        threads_aside=passwords.THREADS,
    )


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
