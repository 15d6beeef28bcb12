"""Files that an api process leaves behind."""

import os
import tempfile
from pathlib import Path

from competition.cli.api import METRICS_PREFIX, folder_of_metrics


def test_starting_removes_only_unused_metrics_folders(tmp_path, monkeypatch):
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
