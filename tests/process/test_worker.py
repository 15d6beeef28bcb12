import signal

import pytest
from huey import MemoryHuey
from huey.consumer import Consumer

from competition import worker


def test_signals_are_minded_before_a_job_can_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setattr(signal, "signal", lambda number, handler: done.append(number))
    monkeypatch.setattr(Consumer, "start", lambda consumer: done.append("jobs"))
    worker._Consumer(MemoryHuey()).start()
    assert signal.SIGTERM in done
    assert done[-1] == "jobs"
