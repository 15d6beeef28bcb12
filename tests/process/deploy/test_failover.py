"""Stop the synchronous standby; then kill the primary under load and promote the standby."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from types import SimpleNamespace

import psycopg
import pytest
from sqlalchemy import create_engine, func, select

from competition.core.histories.migrations import upgrade
from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.work import begin
from competition.embedded import Servers
from competition.embedded.binaries import binaries
from competition.plugins.scores.models import Score
from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.waiting import wait_until
from tests.support.sockets import subjects, tell

CANDIDATES = 6
TOKEN = "for the scraper alone"
# How many commits wait for the confirmation of a standby.
WAITS = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A primary and its standby, and the URL that names both. The test kills the primary."""
    folder = tmp_path_factory.mktemp("cluster")
    primary, standby = (Servers(folder / name) for name in ("primary", "standby"))
    with ExitStack() as stack:
        for servers in (primary, standby):
            stack.callback(servers.erase)
        primary.start()
        engine = create_engine(primary.addresses.database_url)
        with engine.connect() as connection:
            upgrade(connection)
        engine.dispose()
        primary.stop()

        data, copy = primary.postgres.data, standby.postgres.data
        # Allow all local connections, also for replication. Only the servers' own user can reach
        # the socket's folder.
        (data / "pg_hba.conf").write_text("local all all trust\nlocal replication all trust\n")
        standby.place.create()
        subprocess.run(["cp", "-a", data, copy], check=True)
        # The test kills a process, not the machine, so `fsync` makes no difference.
        add(data, "fsync = off", "synchronous_standby_names = '*'")
        host, role = primary.place.sockets, primary.place.role
        add(copy, "fsync = off", f"primary_conninfo = 'host={host} port=5432 user={role}'")
        shutil.copyfile(os.devnull, copy / "standby.signal")
        shutil.chown(copy / "standby.signal", standby.place.owner.pw_uid)

        # On a standby, the file that `is_ready` usually checks has different contents. So ask the
        # server itself.
        standby.postgres.is_ready = lambda pid: answers_in(standby)
        for servers in (primary, standby):
            servers.postgres.start(binaries(servers.place))
        wait_until(lambda: is_synchronous(primary))
        url = primary.addresses.database_url
        yield SimpleNamespace(
            primary=primary,
            standby=standby,
            url=f"{url}&host={standby.place.sockets}&target_session_attrs=read-write",
        )


def add(data, *lines):
    with (data / "postgresql.auto.conf").open("a") as file:
        file.writelines(f"{line}\n" for line in lines)


def ask(servers, question):
    url = servers.addresses.database_url.replace("+psycopg", "")
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(question)
        return cursor.fetchall() if cursor.description else []


def configure(servers, name, value):
    ask(servers, f"alter system set {name} = '{value}'")
    ask(servers, "select pg_reload_conf()")


def answers_in(servers):
    try:
        return ask(servers, "select 1") == [(1,)]
    except psycopg.OperationalError:
        return False


def is_synchronous(primary):
    return ask(primary, "select sync_state from pg_stat_replication") == [("sync",)]


class Candidate(threading.Thread):
    """Saves drafts again and again, as an app does, and remembers the last confirmed draft."""

    def __init__(self, person, exam_id, sheet, over):
        super().__init__()
        self.person, self.path, self.sheet = person, f"/exams/{exam_id}/draft/", sheet
        self.over = over
        self.tried = self.confirmed = 0
        self.refused = set()
        self.longest = 0.0

    def run(self):
        last = time.monotonic()
        while not self.over.wait(0.02):
            self.tried += 1
            body = {"sequence": self.tried, "answers": self.sheet}
            reply = self.person.put(self.path, body, status="any")
            if reply.status_int == 200:
                self.confirmed = self.tried
                self.longest = max(self.longest, time.monotonic() - last)
                last = time.monotonic()
            else:
                self.refused.add((reply.status_int, reply.json["code"]))


def longest_wait(service):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    metrics = service.anonymous.get("/metrics/", headers=headers, status=200).text
    return float(re.search(r"^competition_commits_waiting_seconds (\S+)$", metrics, re.M)[1])


def test_without_a_standby_changes_wait_and_reads_are_answered(cluster, live_with, ours):
    """docs/operating.md describes what clients see."""
    service = live_with(
        {
            **ours,
            "competition.database.url": cluster.url,
            "competition.database.pool_size": "1",
            "competition.database.pool_timeout": "1",
            "competition.metrics.token": TOKEN,
        }
    )
    exam_id = make_exam(service, service.staff("admin"))
    waiting, other = service.candidate(), service.candidate()
    for person in (waiting, other):
        take(person, exam_id, status=200)
    draft = {"sequence": 1, "answers": answers(service, exam_id, "ABCD")["answers"]}
    path = f"/exams/{exam_id}/draft/"
    cluster.standby.postgres.stop()
    try:
        with ThreadPoolExecutor(1) as thread:
            saved = thread.submit(waiting.put, path, draft, status=200)
            try:
                wait_until(lambda: ask(cluster.primary, WAITS) == [(1,)])
                # The metrics can still be read, and show the waiting commits, so the alert fires.
                wait_until(lambda: longest_wait(service) > 0.5)
                # The only connection for changes is in use.
                other.put(path, draft, status=503, code="service_unavailable")
                assert other.get("/candidates/me/", status=200)
            finally:
                # The operator decides to continue without a standby.
                configure(cluster.primary, "synchronous_standby_names", "")
            assert saved.result().json["applied"]
        assert longest_wait(service) == 0
        assert waiting.get(path).json["sequence"] == 1
        other.put(path, draft, status=200)
    finally:
        configure(cluster.primary, "synchronous_standby_names", "*")
        cluster.standby.postgres.start(binaries(cluster.standby.place))
        wait_until(lambda: is_synchronous(cluster.primary))


def test_no_confirmed_change_is_lost(cluster, sockets_with, start_worker):
    clients = sockets_with({"competition.database.url": cluster.url})
    service = clients.service
    exam_id = make_exam(service, service.staff("admin"))
    people = [service.candidate() for _ in range(CANDIDATES)]
    sheet = answers(service, exam_id, "ABCD")["answers"]
    for person in people:
        take(person, exam_id, status=200)
    worker = start_worker(COMPETITION_DATABASE_URL=cluster.url)

    over = threading.Event()
    early, *late = people
    candidates = [Candidate(each, exam_id, sheet, over) for each in late]
    for each in candidates:
        each.start()
    try:
        wait_until(lambda: all(each.confirmed > 2 for each in candidates))
        # This is the last submission that the primary confirms. A job scores it after the failover.
        submit(early, exam_id, {"answers": sheet}, status=201)
        killed = cluster.primary.postgres.process
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        wait_until(lambda: all(each.refused for each in candidates))
        confirmed = [each.confirmed for each in candidates]
        ask(cluster.standby, "select pg_promote()")
        wait_until(
            lambda: all(
                each.confirmed > before for each, before in zip(candidates, confirmed, strict=True)
            )
        )
    finally:
        over.set()
        for each in candidates:
            each.join()
    print(f"nobody waited for longer than {max(each.longest for each in candidates):.1f} s")
    for each in candidates:
        assert each.refused == {(503, "service_unavailable")}
        reply = each.person.get(f"/exams/{exam_id}/draft/").json
        assert each.tried >= reply["sequence"] >= each.confirmed
        submit(each.person, exam_id, {"answers": sheet}, status=201)

    # Check the worker and the socket process.
    with begin(service.runtime) as work:
        jobs.enqueue(work, "core.housekeeping")

    def is_all_done():
        with begin(service.runtime) as work:
            scores = work.db.scalar(select(func.count()).where(Score.exam_id == exam_id))
            housekeeping = select(Job.state).where(Job.name == "core.housekeeping")
            return scores == CANDIDATES and {*work.db.scalars(housekeeping)} == {"done"}

    wait_until(is_all_done)
    assert "Traceback" not in worker.output
    wait_until(clients.is_listening)
    open_socket = clients.open(early)
    tell(service, early)
    assert "Hello" in subjects(open_socket, 1)
