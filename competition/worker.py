"""The worker: a Huey consumer of the service's queue, and the threads that run jobs.

Huey hears that something is due; what it is stands in PostgreSQL, where the threads look by
themselves as well. So a worker without Redis does the same, a moment later.

``competition worker INI`` runs `run`. Huey's own command works too, with the ini file in the
environment: ``COMPETITION_INI=development.ini huey_consumer competition.worker.huey``.
"""

import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from huey.consumer import Consumer
from pyramid.paster import get_appsettings, setup_logging

from competition.core.errors import ApiError, NotFound, error_response
from competition.core.jobs.doorbell import Doorbell
from competition.core.jobs.lanes import MAIN, Lane, Lanes
from competition.core.jobs.runner import Runner
from competition.core.jobs.tasks import JobSettings
from competition.core.jobs.ticks import Ticks
from competition.core.logs import patient
from competition.core.metrics import MEDIA_TYPE, MetricsSettings
from competition.core.plugins import build
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.scraping import check_scraper
from competition.core.settings import SettingsError
from competition.core.startup import announce

# Seconds that Huey waits at most before it asks a Redis again that was away.
LONGEST_PAUSE = 1.0


class _Consumer(Consumer):  # type: ignore[misc]  # without types
    def start(self) -> None:
        # By itself it minds signals last, and a SIGTERM would kill what its threads have begun.
        self._set_signal_handlers()
        super().start()


class Worker:
    """The lanes of this process, its heartbeat and its ticks."""

    def __init__(self, runtime: Runtime) -> None:
        settings = runtime.settings[JobSettings]
        runner = Runner(runtime)
        main = Lane(MAIN, settings.workers)
        self._lanes = Lanes(
            [main, *runtime.catalogue[Lane].values()], runner.run_next, settings.sweep
        )
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=each, args=[self._stopping], name=name, daemon=True)
            for name, each in (
                ("heartbeat", runner.heartbeat.run_forever),
                ("ticks", Ticks(runtime).run_forever),
            )
        ]
        runtime[Doorbell].bind(self._lanes.ring)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()
        self._lanes.start()

    def stop(self) -> None:
        """Let running jobs finish, under their leases."""
        self._lanes.close()
        self._stopping.set()


class Scraped(ThreadingHTTPServer):
    """Shows a scraper what this process has counted, which has no other port."""

    daemon_threads = True

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        settings = runtime.settings[MetricsSettings]
        try:
            super().__init__((settings.worker_host, settings.worker_port), Scrape)
        except OSError as error:
            told = f"{settings.prefix}.worker_port: {settings.worker_port}: {error.strerror}"
            raise SettingsError([told]) from error


class Scrape(BaseHTTPRequestHandler):
    server: Scraped
    # Seconds: a connection on which nothing comes.
    timeout = 10

    def do_GET(self) -> None:
        runtime = self.server.runtime
        try:
            if self.path.partition("?")[0].rstrip("/") != f"{API_PREFIX}/metrics":
                raise NotFound
            token = runtime.tokens.from_header(self.headers.get("Authorization", ""))
            check_scraper(runtime.settings[MetricsSettings], token)
        except ApiError as error:
            self._answer(error.status, "application/json", error_response(error).body)
        else:
            self._answer(200, f"{MEDIA_TYPE}; charset=utf-8", runtime.metrics.exposition())

    def _answer(self, status: int, media_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        return ""

    def log_message(self, *_: Any) -> None:
        """It is asked each few seconds."""


def bind(runtime: Runtime) -> None:
    """Make the consumer of this process start and stop a worker with itself, and show what it
    counts. Raises SettingsError for a port that is taken."""
    if runtime.settings[MetricsSettings].worker_port:
        threading.Thread(target=Scraped(runtime).serve_forever, name="metrics", daemon=True).start()
    lock = threading.Lock()
    listening = 0
    worker: Worker
    huey = runtime[Doorbell].huey
    for name in ("Worker", "Scheduler"):
        patient(f"huey.consumer.{name}")

    # Each of Huey's threads calls these two, and one of them may be replaced by another.
    @huey.on_startup()
    def start() -> None:
        nonlocal listening, worker
        with lock:
            listening += 1
            if listening == 1:
                worker = Worker(runtime)
                worker.start()

    @huey.on_shutdown()
    def stop() -> None:
        nonlocal listening
        with lock:
            listening -= 1
            is_last = listening == 0
        if is_last:
            worker.stop()


def run(runtime: Runtime) -> None:
    """Run a worker until SIGTERM, which lets running jobs finish; Ctrl-C leaves them to the next
    worker."""
    bind(runtime)
    _Consumer(
        runtime[Doorbell].huey,
        # It only minds the bell.
        workers=1,
        worker_type="thread",
        max_delay=LONGEST_PAUSE,
        # Whichever worker it is in, core's ticks are periodic work.
        periodic=False,
        graceful_signal="TERM",
    ).run()


def __getattr__(name: str) -> Any:
    """`huey`, built when it is asked for: importing this module has no side effect."""
    if name != "huey":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    ini = os.environ.get("COMPETITION_INI")
    if not ini:
        raise SettingsError(["COMPETITION_INI (environment): missing; the path of the ini file"])
    setup_logging(ini)
    runtime: Runtime = build(get_appsettings(ini)).registry.runtime
    announce(runtime.settings, "huey_consumer")
    bind(runtime)
    huey = runtime[Doorbell].huey
    make_consumer = huey.create_consumer

    def create_consumer(**options: Any) -> Any:
        # By now Huey's command has its lines written in a form of its own: the ini has the last
        # word.
        setup_logging(ini)
        return make_consumer(**options)

    huey.create_consumer = create_consumer
    return globals().setdefault(name, huey)
