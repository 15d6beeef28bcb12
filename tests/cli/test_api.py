"""What a server of the api leaves behind."""

import os
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

from competition.cli.api import METRICS_PREFIX, Server, folder_of_metrics
from competition.gateway import GatewayServer


def test_a_start_removes_what_killed_servers_left_and_nothing_that_is_in_use(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / f"{METRICS_PREFIX}new").mkdir()
    killed = tmp_path / f"{METRICS_PREFIX}killed"
    killed.mkdir()
    (killed / "counter_1.db").touch()
    foreign = tmp_path / "another"
    foreign.mkdir()
    for folder in (killed, foreign):
        os.utime(folder, (0, 0))
    with folder_of_metrics() as running:
        os.utime(running, (0, 0))
        with folder_of_metrics() as second:
            left = {Path(each).name for each in (running, second)}
            assert {each.name for each in tmp_path.iterdir()} == {
                *left,
                f"{METRICS_PREFIX}new",
                "another",
            }
    assert not Path(running).exists() and not Path(second).exists()


class Ending:
    """A process that has closed all it had, and is seen to be there a little longer."""

    idx = 0

    def __init__(self):
        self.looks, self.is_killed = 4, False

    def terminate(self):
        pass

    def join(self, timeout=None):
        pass

    def is_alive(self):
        self.looks -= 1
        return self.looks > 0

    def kill(self):
        self.is_killed = True


def test_a_worker_that_is_about_to_end_is_not_killed():
    server, worker = Server("competition"), Ending()
    server.wrks.append(worker)
    server._stop_workers()
    assert not worker.is_killed and not server.wrks


def test_one_that_dies_early_is_started_later_each_time_and_soon_once_it_has_lived(monkeypatch):
    pauses, started = [], []
    monkeypatch.setattr(Server, "_pause", lambda self, seconds: pauses.append(seconds))
    monkeypatch.setattr(
        GatewayServer, "_respawn_workers", lambda self, workers, *_: started.append(workers)
    )
    server = Server("competition", workers=2)
    mortal, healthy = SimpleNamespace(birth=time.monotonic() + 3600), SimpleNamespace(birth=0.0)
    server.wrks.extend([mortal, healthy])
    for _ in range(7):
        server._respawn_workers([0], None, None)
    mortal.birth = 0.0
    server._respawn_workers([0], None, None)
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 0.0]
    assert started == [[0]] * 8
