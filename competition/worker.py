"""The worker: a Huey consumer of the service's queue.

``competition worker INI`` runs `run`. Huey's own command works too, with the ini file in the
environment: ``COMPETITION_INI=development.ini huey_consumer competition.worker.huey``.
"""

import os
from typing import Any

from huey.consumer import Consumer
from pyramid.paster import get_appsettings

from competition.core.jobs import JobSettings
from competition.core.plugins import build
from competition.core.runtime import Runtime
from competition.core.settings import SettingsError


class _Consumer(Consumer):  # type: ignore[misc]  # without types
    def start(self) -> None:
        # By itself it minds signals last, and a SIGTERM would kill what its threads have begun.
        self._set_signal_handlers()
        super().start()


def run(runtime: Runtime) -> None:
    """Until SIGTERM, which lets running jobs finish; Ctrl-C leaves them to the next worker."""
    _Consumer(
        runtime.queue.huey,
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
    return globals().setdefault(name, runtime.queue.huey)
