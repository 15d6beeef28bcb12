"""Freeze one of two processes of each kind under load, then resume it.

Both run behind nginx. Nothing may be lost or happen twice.
"""

import json
import os
import re
import signal
import threading
import time
from collections import Counter

import httpx
from sqlalchemy import select
from websockets.sync.client import connect

from competition.core.jobs import jobs
from competition.core.mail.models import Mail
from competition.core.work import begin
from competition.plugins.scores.models import Score
from competition.testing.exam_day import answers, make_exam, take
from competition.testing.sockets import nothing_came
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.processes import is_healthy
from tests.support.programs import NGINX, needs_program

pytestmark = needs_program(NGINX)

FROZEN_FOR = 30.0
# A traceback has this message twice, from psycopg and from SQLAlchemy.
LOCK_TIMEOUT = "canceling statement due to lock timeout"
CANDIDATES = 6
# The pause between two requests of a client, and how long a client waits for a reply before it
# tries again, in seconds.
PAUSE = 0.5
CLIENT_TIMEOUT = 5.0
# Statuses after which a client tries again, such as while a frozen process holds a lock.
TRIED_AGAIN = (502, 503, 504)


def timeouts(output):
    """How often a log mentions a lock timeout, except in the warnings about periodic tasks, which
    have no traceback."""
    lines = [each for each in output.splitlines() if "jobs of periodic tasks can't" not in each]
    return sum(each.count(LOCK_TIMEOUT) for each in lines)


class Caller:
    """Sends requests to the proxy as one user."""

    def __init__(self, nginx, person):
        self.nginx, self.person = nginx, person

    def send(self, method, path, body, timeout=CLIENT_TIMEOUT, **headers):
        """The reply, or None if the client should try again."""
        own = {
            "X-Api-Key": self.person.client.key,
            "Authorization": f"Bearer {self.person.client.token}",
        }
        try:
            reply = self.nginx.request(
                method, f"/v1{path}", json=body, headers={**own, **headers}, timeout=timeout
            )
        except httpx.TransportError:
            return None
        return None if reply.status_code in TRIED_AGAIN else reply


class Sitting(threading.Thread):
    """Save drafts again and again, as an app does, then submit until the submission is
    confirmed.
    """

    def __init__(self, caller, exam_id, sheet, over):
        super().__init__()
        self.caller, self.exam_id, self.sheet, self.over = caller, exam_id, sheet, over
        self.tried = self.confirmed = 0
        self.seen = Counter()

    def run(self):
        path = f"/exams/{self.exam_id}/"
        while not self.over.wait(PAUSE):
            self.tried += 1
            body = {"sequence": self.tried, "answers": self.sheet}
            self._sent(f"{path}draft/", "PUT", body)
        body = {"answers": self.sheet}
        while not self._sent(
            f"{path}submit-exam-answers/", "POST", body, **{"Idempotency-Key": "1"}
        ):
            self.over.wait(PAUSE)

    def _sent(self, path, method, body, **headers):
        reply = self.caller.send(method, path, body, **headers)
        self.seen[reply and reply.status_code] += 1
        if reply is not None and reply.status_code == 200:
            self.confirmed = self.tried
        return reply is not None


class News(threading.Thread):
    """Send broadcasts one after the other.

    The thread waits for each reply, because a broadcast must not be sent twice.
    """

    def __init__(self, caller, over):
        super().__init__()
        self.caller, self.over = caller, over
        self.subjects = []

    def run(self):
        while not self.over.wait(3 * PAUSE):
            subject = f"News {len(self.subjects)}"
            body = {
                "subject": subject,
                "message": "There are some.",
                "mediums": ["platform", "email"],
                "target_roles": {"candidate": ["screening"]},
            }
            reply = self.caller.send("POST", "/broadcasts/", body, timeout=PATIENCE)
            assert reply is not None and reply.status_code == 201
            self.subjects.append(subject)


def test_a_frozen_process_delays_clients_only_briefly(fleet, nginx):
    service, ports = fleet.service, nginx.ports
    exam_id = make_exam(service, service.staff("admin"))
    people = [service.candidate() for _ in range(CANDIDATES)]
    sheet = answers(service, exam_id, "ABCD")["answers"]
    for person in people:
        take(person, exam_id, status=200)
    shared = {
        "COMPETITION_RATELIMIT_ENABLED": "false",
        "COMPETITION_RATELIMIT_TRUSTED_PROXIES": "127.0.0.0/8",
        "COMPETITION_METRICS_TOKEN": "scraper",
        # These timeouts are those of production. A frozen process may hold a lock, and the other
        # processes must not wait for it.
        "COMPETITION_DATABASE_LOCK_TIMEOUT": "10",
        "COMPETITION_DATABASE_STATEMENT_TIMEOUT": "30",
    }
    scraped = [free_port(), free_port()]
    workers = [
        fleet.start_worker(**shared, COMPETITION_METRICS_WORKER_PORT=str(port)) for port in scraped
    ]
    apis = [fleet.start_api(ports[name], **shared)[0] for name in ("6543", "6553")]
    sockets = [fleet.start_ws(ports[name], **shared)[0] for name in ("6544", "6554")]
    nginx.start(fleet.launcher)
    opened = [fleet.sockets.clients.enter_context(socket_of(nginx, each)) for each in people]

    over = threading.Event()
    sittings = [Sitting(Caller(nginx, each), exam_id, sheet, over) for each in people]
    news = News(Caller(nginx, service.staff("manager")), over)
    load = [*sittings, news]
    for each in load:
        each.start()
    frozen = [each[0] for each in (apis, workers, sockets)]
    try:
        wait_until(lambda: all(each.confirmed > 2 for each in sittings) and len(news.subjects) > 1)
        before = [each.confirmed for each in sittings]
        for each in frozen:
            os.killpg(each.pid, signal.SIGSTOP)
        until = time.monotonic() + FROZEN_FOR
        # The other processes still serve requests.
        wait_until(
            lambda: all(each.confirmed > was for each, was in zip(sittings, before, strict=True))
        )
        wait_until(lambda: time.monotonic() >= until, pause=0.5)
    finally:
        for each in frozen:
            os.killpg(each.pid, signal.SIGCONT)
        before = len(news.subjects)
        wait_until(lambda: len(news.subjects) > before + 2 or not news.is_alive())
        over.set()
        for each in load:
            each.join()

    # All processes respond again.
    for name in ("6543", "6553", "6544", "6554"):
        wait_until(lambda name=name: is_healthy(f"http://127.0.0.1:{ports[name]}/v1"))
    done = [jobs_done(port) for port in scraped]

    def both_work():
        with begin(service.runtime) as work:
            jobs.enqueue(work, "core.housekeeping")
        return all(jobs_done(port) > was for port, was in zip(scraped, done, strict=True))

    wait_until(both_work, pause=0.2)
    for each in (*apis, *workers, *sockets):
        # A process may time out on a row that a frozen process locked, and try again later.
        assert each.output.count("Traceback") == timeouts(each.output), each.output

    # Nothing is lost, and nothing happened twice.
    for each in sittings:
        assert set(each.seen) <= {None, 200, 201}, each.seen
        assert each.seen[201] == 1

    def outcome():
        """The number of emails by state, and the number of candidates by score."""
        with begin(service.runtime) as work:
            mails = Counter(work.db.scalars(select(Mail.state)))
            scores = Counter(work.db.scalars(select(Score.value)))
        return mails, scores

    # A broadcast that timed out on a lock is sent when the worker tries again.
    expected = {"sent": len(news.subjects) * CANDIDATES}
    wait_until(lambda: outcome()[0].total() >= expected["sent"] and set(outcome()[0]) == {"sent"})
    wait_until(lambda: outcome()[1].total() == CANDIDATES)
    mails, scores = outcome()
    assert mails == expected
    assert [*scores.values()] == [CANDIDATES]
    # After the freeze, a worker continues the job that it had begun. The other worker's
    # notifications may come first, so ignore the order.
    subjects = sorted(news.subjects)
    for person, client in zip(people, opened, strict=True):
        listed = person.get("/notifications/?limit=100").json["results"]
        assert sorted(each["subject"] for each in listed) == subjects
        frames = [json.loads(client.recv(PATIENCE)) for _ in subjects]
        assert sorted(each["message"]["subject"] for each in frames) == subjects
        nothing_came(client)


def socket_of(nginx, person):
    # The client sends no pings: otherwise it would close the connection during the freeze.
    return connect(
        f"ws://127.0.0.1:{nginx.sockets_port}/v1/ws/notifications/",
        additional_headers={
            "X-Api-Key": person.client.key,
            "Authorization": f"Bearer {person.client.token}",
        },
        open_timeout=PATIENCE,
        ping_interval=None,
        max_queue=None,
    )


def jobs_done(port):
    """How many jobs the worker has done, from its metrics."""
    url = f"http://127.0.0.1:{port}/v1/metrics/"
    assert httpx.get(url, timeout=PATIENCE).status_code == 401
    token = {"Authorization": "Bearer scraper"}
    text = httpx.get(url, headers=token, timeout=PATIENCE).text
    found = re.findall(r'job_seconds_count{outcome="done",[^}]*} ([0-9.]+)', text)
    return sum(map(float, found))
