"""The worker: a Huey consumer of the service's queue, and the threads that run jobs.

Jobs are rows in PostgreSQL. The consumer receives the wake-ups that announce them, and the threads
also poll the database. A worker without Redis therefore does the same work, a moment later.

``competition worker INI`` calls `run`. Huey's own command works too, with the ini file in the
environment: ``COMPETITION_INI=development.ini huey_consumer competition.worker.huey``.
"""

import os
import socket
import threading
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import waitress
from pyramid.paster import get_appsettings, setup_logging

from competition.core.errors import ApiError, NotFound, response_in
from competition.core.jobs.doorbell import Doorbell
from competition.core.jobs.lanes import MAIN, Lane, Lanes
from competition.core.jobs.runner import Runner
from competition.core.jobs.tasks import JobSettings
from competition.core.jobs.ticks import Ticks
from competition.core.monitoring.logs import patient
from competition.core.monitoring.metrics import MetricsSettings, check_scraper
from competition.core.plugins import build
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.settings import SettingsError
from competition.core.startup import announce

# How long Huey waits at most before it polls again after Redis was unavailable, in seconds.
LONGEST_PAUSE = 1.0


class Worker:
    """The threads of a worker process: its lanes run jobs, the heartbeat renews the leases of the
    running jobs, and the ticks insert the jobs of periodic tasks."""

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
        """Start no further jobs, and wait until the running jobs have finished. Their leases are
        renewed until then."""
        self._lanes.close()
        self._stopping.set()


def serve_metrics(runtime: Runtime) -> None:
    """Serve the metrics of this process on a separate port. A worker has no other port.

    Raises SettingsError if it can't listen on this port, for example because the port is taken.
    """
    settings = runtime.settings[MetricsSettings]
    try:
        listening = socket.create_server((settings.worker_host, settings.worker_port))
    except OSError as error:
        reason = f"{settings.prefix}.worker_port: {settings.worker_port}: {error.strerror}"
        raise SettingsError([reason]) from error
    # Without an `ident`, responses have no Server header.
    options = {"sockets": [listening], "threads": 1, "ident": None}
    threading.Thread(
        target=waitress.serve,
        args=[metrics_app(runtime)],
        kwargs=options,
        name="metrics",
        daemon=True,
    ).start()


def metrics_app(runtime: Runtime) -> WSGIApplication:
    """The WSGI application of the Prometheus client, for callers that send the metrics token.

    It serves only `/v1/metrics`. All other callers and paths get an error of the API.
    """
    # prometheus_client decides during its import whether processes share their counts: see Metrics.
    from prometheus_client import make_wsgi_app

    metrics: WSGIApplication = make_wsgi_app(runtime.metrics.registry())

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        answer = metrics
        try:
            if environ["PATH_INFO"].rstrip("/") != f"{API_PREFIX}/metrics":
                raise NotFound
            token = runtime.tokens.from_header(environ.get("HTTP_AUTHORIZATION", ""))
            check_scraper(runtime.settings[MetricsSettings], token)
        except ApiError as error:
            answer = response_in(None, runtime, error)
        return answer(environ, start_response)

    return app


def bind(runtime: Runtime) -> None:
    """Make the Huey consumer of this process start and stop a worker. If the settings have a port
    for metrics, serve the metrics on it.

    Raises SettingsError if the process can't listen on the port for metrics.
    """
    if runtime.settings[MetricsSettings].worker_port:
        serve_metrics(runtime)
    lock = threading.Lock()
    listening = 0
    worker: Worker
    huey = runtime[Doorbell].huey
    for name in ("Worker", "Scheduler"):
        patient(f"huey.consumer.{name}")

    # Each of Huey's threads calls these two functions, and Huey may replace a thread. So the
    # threads are counted: the first one starts the worker, and the last one stops it.
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
    """Run a worker until SIGTERM or Ctrl-C. After SIGTERM the running jobs finish. After Ctrl-C
    they are interrupted, and another worker runs them again."""
    bind(runtime)
    runtime[Doorbell].huey.create_consumer(
        # This thread only receives wake-ups. Jobs run in the threads of their lanes.
        workers=1,
        worker_type="thread",
        max_delay=LONGEST_PAUSE,
        # `Ticks` inserts periodic jobs. Huey's periodic tasks are not used.
        periodic=False,
        graceful_signal="TERM",
    ).run()


def __getattr__(name: str) -> Any:
    """Build the module attribute `huey` when it is first used, so that importing this module has no
    side effect.

    Raises SettingsError if COMPETITION_INI is not set, or if the settings have mistakes.
    """
    if name != "huey":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    ini = os.environ.get("COMPETITION_INI")
    if not ini:
        raise SettingsError(["COMPETITION_INI (environment): missing; the path of the ini file"])
    setup_logging(ini)
    runtime: Runtime = build(get_appsettings(ini), has_endpoints=False).registry.runtime
    announce(runtime.settings, "huey_consumer")
    bind(runtime)
    huey = runtime[Doorbell].huey

    @huey.on_startup()
    def log_as_the_ini_says() -> None:
        # Huey's command has added a log handler of its own, so configure logging again.
        setup_logging(ini)

    return globals().setdefault(name, huey)
