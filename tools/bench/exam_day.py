"""Measure the busiest minutes of an exam day, as fast as the machine allows.

All candidates open the paper, save drafts and submit. In a second exam the service submits the
drafts. Then the memory of the api is measured during many requests.
"""

import time
from statistics import quantiles

from sqlalchemy import Connection, TextClause, create_engine, text

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import API_PREFIX, ServerSettings
from tools.bench.load import Answered, Load, message
from tools.bench.paths import save_draft
from tools.bench.processes import PAUSE, Running, service, temporary_servers
from tools.bench.world import ASKED, Maker, Sizes, World, answers

CONNECTIONS = 64
LASTING = 200_000
LOOKS = 5
PATIENCE = 600
# Two of the planned exams: in the first all candidates submit, in the second they only save drafts.
SAT, DRAFTED = 3, 4

OPEN = text(
    "update exam set scheduled_date = now() - interval '1 hour',"
    " closes_at = now() + interval '1 day' where id in (:sat, :drafted)"
)
# Insert attempts, as if all candidates had started an hour ago.
START = text(
    "insert into attempt (exam_id, candidate_id, started_at, extra_percent, is_opened)"
    " select :exam, candidate_id, now() - interval '1 hour', 0, true from attempt where exam_id = 1"
    " on conflict (exam_id, candidate_id) do update set started_at = excluded.started_at"
)
DRAFTS = text(
    "insert into draft (exam_id, candidate_id, sequence, answers, changes, saved_at)"
    " select :exam, candidate_id, 1, repeat('A', :asked), repeat('A', :asked),"
    " now() - interval '1 hour' from attempt where exam_id = :exam"
)
END = text("update exam set countdown_minutes = 1 where id = :exam")
SUBMITTED = text("select count(*) from submission where exam_id = :exam")
SCORED = text("select count(*) from score where exam_id = :exam")


def main(ini: Ini, sizes: Sizes) -> None:
    with temporary_servers(COMPETITION_SERVER_WORKERS="2") as servers, Load() as load:
        database.upgrade(ini)
        with service(ini.path, servers, ServerSettings.threads) as running:
            with ini.runtime() as runtime:
                world = Maker(runtime, sizes, running.ask).make()
            engine = create_engine(servers.addresses.database_url, isolation_level="AUTOCOMMIT")
            with engine.connect() as connection:
                _Day(running, world, load, connection).play()


class _Day:
    def __init__(self, running: Running, world: World, load: Load, connection: Connection) -> None:
        self._running = running
        self._world = world
        self._load = load
        self._connection = connection

    def play(self) -> None:
        world, count = self._world, len(self._world.candidates)
        self._connection.execute(OPEN, {"sat": SAT, "drafted": DRAFTED})
        # The first request freezes the paper.
        for exam_id in (SAT, DRAFTED):
            self._send("", [take(exam_id, world.candidates[0])], 200)
        self._send("take-exam", [take(SAT, each) for each in world.candidates], 200)
        self._send("first draft", save_draft(world, SAT, 0, count), 200)
        self._send("next draft", save_draft(world, SAT, 0, count), 200)
        path = f"{API_PREFIX}/exams/{SAT}/submit-exam-answers/"
        body = answers(world.asked_in(SAT))
        sent = [message("POST", path, each, body) for each in world.candidates]
        self._send("submission", sent, 201)
        self._wait("scored after the last submission", SCORED, SAT)

        self._connection.execute(START, {"exam": DRAFTED})
        self._connection.execute(DRAFTS, {"exam": DRAFTED, "asked": ASKED})
        self._connection.execute(text("vacuum analyze"))
        self._connection.execute(END, {"exam": DRAFTED})
        self._wait("all drafts submitted after the end", SUBMITTED, DRAFTED)
        self._wait("scored after the last draft", SCORED, DRAFTED)

        me = [message("GET", f"{API_PREFIX}/candidates/me/", each) for each in world.candidates]
        self._memory("at the start")
        for look in range(1, LOOKS + 1):
            some = [me[at % count] for at in range(LASTING // LOOKS)]
            self._load.send(self._running.api, some, CONNECTIONS)
            self._memory(f"after {look * LASTING // LOOKS:,} requests")

    def _send(self, name: str, sent: list[bytes], status: int) -> None:
        answered = self._load.send(self._running.api, sent, CONNECTIONS)
        if set(answered.statuses) != {status}:
            raise RuntimeError(f"{name}: {answered.statuses}")
        if name:
            _report(name, answered)

    def _wait(self, name: str, count: TextClause, exam_id: int) -> None:
        number = len(self._world.candidates)
        begun = time.monotonic()
        while self._connection.execute(count, {"exam": exam_id}).scalar_one() < number:
            if time.monotonic() > begun + PATIENCE:
                raise TimeoutError(name)
            time.sleep(PAUSE)
        print(f"{name:<42} {time.monotonic() - begun:8.1f} s", flush=True)

    def _memory(self, when: str) -> None:
        kibibytes = self._running.memory("api")
        print(f"{'memory of the api, ' + when:<42} {kibibytes / 1024:8.0f} MiB", flush=True)


def take(exam_id: int, headers: dict[str, str]) -> bytes:
    return message("GET", f"{API_PREFIX}/exams/{exam_id}/take-exam/", headers)


def _report(name: str, answered: Answered) -> None:
    count = len(answered.seconds)
    p99 = quantiles(answered.seconds, n=100)[98]
    print(
        f"{count:,} times {name}".ljust(42)
        + f" {answered.took:8.1f} s   {count / answered.took:5.0f}/s   p99 {1000 * p99:5.0f} ms",
        flush=True,
    )
