"""Measure how long the opening of a season takes in a large league, while candidates sign in and
read."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from statistics import median

from sqlalchemy import text

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.work import begin
from tools.bench.load import Answered, Load, ask, message
from tools.bench.paths import logins
from tools.bench.processes import service, temporary_servers
from tools.bench.world import Maker, Sizes

SIZES = Sizes(candidates=100_000, questions=100, exams=2)
# How many candidates have left screening.
MOVED = 20_000
# For how many seconds candidates sign in and read, and the time between two requests of each kind.
SECONDS, EVERY = 40.0, 0.2
# How many seconds candidates have signed in and read already when the season is opened.
BEFORE = 2.0
# The target for the opening, in seconds.
AT_MOST = 30


def main(ini: Ini, threads: int) -> bool:
    """Print the times, and return whether the target is met and no request has failed."""
    with ExitStack() as stack:
        servers = stack.enter_context(temporary_servers())
        one, other = stack.enter_context(Load()), stack.enter_context(Load())
        pool = stack.enter_context(ThreadPoolExecutor(2))
        database.upgrade(ini)
        running = stack.enter_context(service(ini.path, servers, threads))
        with ini.runtime() as runtime:
            world = Maker(runtime, SIZES, running.ask).make()
            _end(runtime)
        me = [message("GET", f"{API_PREFIX}/candidates/me/", each) for each in world.candidates]
        signing_in = pool.submit(
            one.keep_sending, running.api, logins(world, 0, SIZES.candidates), 1, SECONDS, EVERY
        )
        reading = pool.submit(other.keep_sending, running.api, me, 1, SECONDS, EVERY)
        time.sleep(BEFORE)
        body = json.dumps({"name": "The next year"}).encode()
        order = message("POST", f"{API_PREFIX}/seasons/", world.staff[0], body)
        begun = time.perf_counter()
        status, _, reply = ask(running.api, order)
        took = time.perf_counter() - begun
        print(f"{SIZES.candidates:,} candidates, {MOVED:,} of them moved: {took:.1f} s", flush=True)
        if status != 201:
            print(reply.decode(), flush=True)
        found = [_report("sign in", signing_in.result()), _report("me", reading.result())]
    return status == 201 and took <= AT_MOST and all(found)


def _end(runtime: Runtime) -> None:
    """Let the year be over: nothing is left to finish, and some candidates are in a later stage."""
    with begin(runtime) as work:
        work.db.execute(text("set local statement_timeout = 0"))
        work.db.execute(text("update exam set deleted_at = now() where published_at is null"))
        work.db.execute(
            text("""update "user" set role = 'league' where number <= :moved"""), {"moved": MOVED}
        )


def _report(what: str, answered: Answered) -> bool:
    """Print the times of these requests, and return whether all of them succeeded."""
    print(
        f"{what:>8}: p50 {median(answered.seconds):.3f} s, max {max(answered.seconds):.3f} s,"
        f" replies by status {answered.statuses}",
        flush=True,
    )
    return set(answered.statuses) == {200}
