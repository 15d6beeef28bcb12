import signal
import socket

import pytest
from huey import MemoryHuey
from huey.consumer import Consumer

from competition import worker
from competition.core.metrics import MetricsSettings
from competition.core.settings import SettingsError
from competition.testing.service import Service


def test_signals_are_minded_before_a_job_can_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setattr(signal, "signal", lambda number, handler: done.append(number))
    monkeypatch.setattr(Consumer, "start", lambda consumer: done.append("jobs"))
    worker._Consumer(MemoryHuey()).start()
    assert signal.SIGTERM in done
    assert done[-1] == "jobs"


def test_a_port_for_metrics_that_is_taken_stops_the_start(app: Service) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        app.runtime.settings = app.runtime.settings.replace(MetricsSettings, worker_port=port)
        with pytest.raises(SettingsError, match=rf"competition\.metrics\.worker_port: {port}: "):
            worker.bind(app.runtime)
