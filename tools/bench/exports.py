"""Measure exports of 1,000, 10,000 and 100,000 lines: their time, and the growth of the process."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.exports import Export
from competition.core.runtime import Runtime
from competition.core.web.validation import deserialize
from competition.core.work import reading
from competition.plugins.exports.schemas import query_of
from competition.plugins.exports.services import writing
from tools.bench.seasons import ADMIN, SIZES, seasons

# The most seconds for the largest table, and the most MiB by which the process may grow.
MOST_SECONDS = 10
MOST_GROWTH = 32
# Makes the kernel forget the largest size that the process has had (proc(5)).
CLEAR_LARGEST = "5"


def main(ini: Ini) -> bool:
    """Measure all tables of an exam, and say whether they keep the limits."""
    database.upgrade(ini)
    is_met = True
    with ini.config(has_endpoints=True) as config:
        runtime: Runtime = config.registry.runtime
        for size, [exam_id] in seasons(ini, runtime, 1):
            for name, path in (
                ("candidates", {}),
                ("results", {"exam_id": exam_id}),
                ("answers", {"exam_id": exam_id}),
            ):
                seconds, growth = _measure(runtime, name, path)
                found = f"{seconds:6.2f} s, {growth:5.1f} MiB more"
                print(f"{size:7,} lines {found}  {name}", flush=True)
                if size == max(SIZES):
                    is_met = is_met and seconds <= MOST_SECONDS and growth <= MOST_GROWTH
    return is_met


def _measure(runtime: Runtime, name: str, path: Mapping[str, Any]) -> tuple[float, float]:
    export = runtime.catalogue[Export][name]
    query = deserialize(query_of(export, ()), {})
    Path("/proc/self/clear_refs").write_text(CLEAR_LARGEST)
    before, begun = _mib("VmRSS"), time.perf_counter()
    with reading(runtime) as work:
        work.actor = ADMIN
        writing.write(work, export, (), path, query, {}).stream.close()
    return time.perf_counter() - begun, _mib("VmHWM") - before


def _mib(field: str) -> float:
    """A size of this process. VmRSS is the present size, and VmHWM the largest."""
    lines = Path("/proc/self/status").read_text().splitlines()
    [kib] = (line.split()[1] for line in lines if line.startswith(f"{field}:"))
    return int(kib) / 1024
