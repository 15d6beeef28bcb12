"""Kill a worker with SIGKILL in the middle of a broadcast: every recipient gets it once."""

import signal
from collections import Counter
from datetime import UTC, datetime
from threading import Event

from aiosmtpd.controller import Controller
from sqlalchemy import select

from competition.core.mail.models import Mail
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.races import waits_for_a_lock
from competition.testing.waiting import wait_until
from tests.support.ports import free_port

NEWS = {"subject": "News", "message": "There are some.", "target_roles": {"candidate": ["league"]}}


def ask(live, mediums):
    """Create a broadcast. Returns the manager, the candidates in the order of delivery, and the
    path of the broadcast."""
    # The worker uses the real time. With the test's fixed time, sessions would have expired.
    live.clock.now = datetime.now(UTC)
    manager = live.staff("manager")
    people = sorted((live.candidate("league") for _ in range(7)), key=lambda each: each.id)
    made = manager.post("/broadcasts/", {**NEWS, "mediums": mediums}, status=201).json
    return manager, people, f"/broadcasts/{made['id']}/"


def test_every_recipient_is_notified_once(live, start_worker, sessions):
    manager, people, path = ask(live, ["platform", "email"])
    blocker, watcher = sessions
    # Choosing recipients locks their accounts, so this lock stops the worker in the second batch.
    blocker.execute('select 1 from "user" where id = %s for update', [people[3].id])
    first = start_worker()
    wait_until(lambda: waits_for_a_lock(watcher, 'select "user".id'))
    assert manager.get(path).json["progress"] == {"total": 14, "done": 2}
    first.end(signal.SIGKILL)
    blocker.rollback()
    start_worker()
    wait_until(lambda: manager.get(path).json["status"] == "sent")
    assert manager.get(path).json["progress"] == {"total": 14, "done": 14}
    for person in people:
        assert len(person.get("/notifications/").json["results"]) == 1
    with begin(live.runtime) as work:
        mailed = work.db.scalars(select(Mail.recipient)).all()
        accounts = work.db.scalars(select(User.email).where(User.role == "league")).all()
    assert sorted(mailed) == sorted(accounts)


class Stalling:
    """A mail server that accepts emails, but delays its reply to the fourth."""

    def __init__(self):
        self.taken = Counter()
        self.stalled = Event()

    async def handle_DATA(self, server, session, envelope):
        self.taken.update(envelope.rcpt_tos)
        if sum(self.taken.values()) == 4:
            self.stalled.set()
            await server.loop.create_future()
        return "250 taken"


def test_at_most_one_email_is_sent_twice(live, start_worker):
    """The server has accepted one email, but the worker died before it got the reply. So that email
    is sent again.
    """
    manager, people, path = ask(live, ["email"])
    server, port = Stalling(), free_port()
    controller = Controller(server, hostname="127.0.0.1", port=port)
    controller.start()
    smtp = {
        "COMPETITION_MAIL_SMTP_HOST": "127.0.0.1",
        "COMPETITION_MAIL_SMTP_PORT": str(port),
        "COMPETITION_MAIL_SMTP_SECURITY": "none",
    }
    first = start_worker(**smtp)
    wait_until(server.stalled.is_set)
    first.end(signal.SIGKILL)
    start_worker(**smtp)

    def states():
        with begin(live.runtime) as work:
            return set(work.db.scalars(select(Mail.state)))

    wait_until(lambda: states() == {"sent"})
    controller.stop()
    counts = sorted(server.taken[person.email] for person in people)
    assert counts == [1, 1, 1, 1, 1, 1, 2]
    assert manager.get(path).json["status"] == "sent"
