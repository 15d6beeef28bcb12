"""Measure the import of a list of candidates, and how it slows requests of an exam."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from statistics import median
from typing import Any

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import API_PREFIX, ServerSettings
from tools.bench.load import Load, message
from tools.bench.paths import save_draft
from tools.bench.processes import Running, service, temporary_servers
from tools.bench.world import ASKED, Maker, Sizes

LINES = 10_000
SITTING = Sizes(candidates=1000, questions=2 * ASKED, exams=2)
# How many drafts arrive per second, as if each candidate saved one every 30 seconds.
RATE = SITTING.candidates / 30
SECONDS = 20
# The most seconds for the check and for applying, the most MiB of the worker, and by how much the
# import may slow the requests of candidates.
MOST_SECONDS = {"checked": 15.0, "applied": 30.0}
MOST_MEMORY = 300
MOST_SLOWER = 1.2
# The pause between two looks at the import, in seconds. More looks would reach a rate limit.
EVERY = 1.0
BOUNDARY = "boundary"


def main(ini: Ini) -> bool:
    """Print the times, and return whether all targets are met."""
    with ExitStack() as stack:
        servers = stack.enter_context(temporary_servers())
        load = stack.enter_context(Load())
        pool = stack.enter_context(ThreadPoolExecutor(1))
        database.upgrade(ini)
        running = stack.enter_context(service(ini.path, servers, ServerSettings.threads))
        with ini.runtime() as runtime:
            world = Maker(runtime, SITTING, running.ask).make()
        manager = world.staff[0]
        drafts = save_draft(world, world.open_exam, 0, round(SECONDS * RATE))
        alone = median(load.arrive(running.api, drafts, RATE).seconds)
        beside = pool.submit(load.arrive, running.api, drafts, RATE)
        uploaded = _succeed(running, _upload(manager), 202)
        path = f"{API_PREFIX}/imports/{uploaded['id']}/"
        is_met = _wait(running, manager, path, "checked")
        _succeed(running, message("POST", f"{path}apply/", manager, b'{"invite": false}'), 202)
        is_met = _wait(running, manager, path, "applied") and is_met
        slower = median(beside.result().seconds) / alone
        memory = running.memory("worker") / 1024
        print(f"drafts are {slower:.2f} times as slow; the worker has {memory:.0f} MiB", flush=True)
        return is_met and slower <= MOST_SLOWER and memory <= MOST_MEMORY


def _upload(manager: dict[str, str]) -> bytes:
    lines = [f"Ada,Newcomer{n},School {n % 200},{n},7" for n in range(LINES)]
    file = "\r\n".join(("first_name,last_name,school,external_id,year", *lines))
    body = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n\r\n'
        f"{file}\r\n--{BOUNDARY}--\r\n"
    ).encode()
    form = f"multipart/form-data; boundary={BOUNDARY}"
    return message("POST", f"{API_PREFIX}/imports/candidates/", manager, body, form)


def _wait(running: Running, manager: dict[str, str], path: str, status: str) -> bool:
    begun = time.perf_counter()
    asked = message("GET", path, manager)
    while (found := _succeed(running, asked, 200))["status"] != status:
        if found["status"] == "failed":
            raise RuntimeError(found["detail"])
        time.sleep(EVERY)
    took = time.perf_counter() - begun
    print(f"{LINES:,} candidates {status} in {took:.1f} s", flush=True)
    return took <= MOST_SECONDS[status]


def _succeed(running: Running, sent: bytes, status: int) -> Any:
    found, _, body = running.ask(sent)
    if found != status:
        raise RuntimeError(f"{sent.split()[1]!r}: {found} {body!r}")
    return json.loads(body)
