"""The worker: a Huey consumer of the service's queue.

``competition worker INI`` runs `run`. Huey's own command works too, with the ini file in the
environment: ``COMPETITION_INI=development.ini huey_consumer competition.worker.huey``.
"""

import os
import threading
from typing import Any

from huey.consumer import Consumer
from pyramid.paster import get_appsettings

from competition.core.jobs.lanes import Lane, Lanes
from competition.core.jobs.runner import Runner
from competition.core.jobs.sweep import Sweep
from competition.core.jobs.tasks import JobSettings
from competition.core.plugins import build
from competition.core.runtime import Runtime
from competition.core.settings import SettingsError


class _Consumer(Consumer):  # type: ignore[misc]  # without types
    def start(self) -> None:
        # By itself it minds signals last, and a SIGTERM would kill what its threads have begun.
        self._set_signal_handlers()
        super().start()


def bind(runtime: Runtime) -> None:
    """Make the consumer of this process run jobs when it is woken, and sweep besides."""
    lanes = Lanes(runtime.catalogue[Lane], Runner(runtime).run)
    runtime.doorbell.bind(lanes.take)
    sweep = Sweep(runtime)
    stopping = threading.Event()
    starting = threading.Lock()
    huey = runtime.doorbell.huey

    @huey.on_startup()
    def start_sweep() -> None:
        # Called by each worker thread; one sweep a process is enough.
        if starting.acquire(blocking=False):
            threading.Thread(
                target=sweep.run_forever, args=[stopping], name="sweep", daemon=True
            ).start()

    @huey.on_shutdown()
    def stop_sweep() -> None:
        stopping.set()
        lanes.close()


def run(runtime: Runtime) -> None:
    """Until SIGTERM, which lets running jobs finish; Ctrl-C leaves them to the next worker."""
    bind(runtime)
    _Consumer(
        runtime.doorbell.huey,
        workers=runtime.settings[JobSettings].workers,
        worker_type="thread",
        # Core's sweep inserts periodic work, whichever worker it runs in.
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
    runtime: Runtime = build(get_appsettings(ini)).registry.runtime
    bind(runtime)
    return globals().setdefault(name, runtime.doorbell.huey)
