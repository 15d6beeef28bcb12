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
from tools.bench.seasons import PEOPLE, analyze
from tools.bench.world import Maker, Sizes

# The candidates who sign in and read. They have taken an exam, whose board is published.
ACTIVE = Sizes(candidates=200, questions=100, exams=2)
# How many candidates there are, and how many of them have left screening.
ALL, MOVED = 100_000, 20_000
# For how many seconds candidates sign in and read, and the time between two requests of each kind.
SECONDS, EVERY = 40.0, 0.2
# How many seconds candidates have signed in and read already when the season is opened.
BEFORE = 2.0
# The programs whose CPU time is printed. On a busy machine, it is more reliable.
BUSY = ("api", "postgres")
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
            world = Maker(runtime, ACTIVE, running.ask).make()
            _end(runtime)
        analyze(ini)
        me = [message("GET", f"{API_PREFIX}/candidates/me/", each) for each in world.candidates]
        signing_in = pool.submit(
            one.keep_sending, running.api, logins(world, 0, ACTIVE.candidates), 1, SECONDS, EVERY
        )
        reading = pool.submit(other.keep_sending, running.api, me, 1, SECONDS, EVERY)
        time.sleep(BEFORE)
        body = json.dumps({"name": "The next year"}).encode()
        order = message("POST", f"{API_PREFIX}/seasons/", world.staff[0], body)
        begun, before = time.perf_counter(), sum(running.cpu(BUSY).values())
        try:
            status, _, reply = ask(running.api, order)
        except TimeoutError:
            status, reply = 0, b"there was no reply in time"
        took = time.perf_counter() - begun
        spent = sum(running.cpu(BUSY).values()) - before
        print(
            f"{ALL:,} candidates, {MOVED:,} of them moved: {took:.1f} s,"
            f" {spent:.1f} s CPU of api and PostgreSQL for all requests",
            flush=True,
        )
        if status != 201:
            print(reply.decode(), flush=True)
        found = [_report("sign in", signing_in.result()), _report("me", reading.result())]
    return status == 201 and took <= AT_MOST and all(found)


def _end(runtime: Runtime) -> None:
    """Add the other candidates, and let the year be over: nothing is left to finish, and some
    candidates are in a later stage."""
    with begin(runtime) as work:
        work.db.execute(text("set local statement_timeout = 0"))
        work.db.execute(text("""select setval('candidate_number', max(number)) from "user" """))
        work.db.execute(text(PEOPLE), {"size": ALL - ACTIVE.candidates})
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
