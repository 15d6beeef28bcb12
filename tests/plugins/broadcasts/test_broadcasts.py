"""Broadcasts (decisions M1 to M7, B5)."""

from uuid import UUID

import pytest
from sqlalchemy import delete, func, select, update

from competition.core import job_control
from competition.core.audit import AuditEntry
from competition.core.jobs.leases import LeaseLost
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Runner
from competition.core.jobs.tasks import JobSettings, Task
from competition.core.mail.mails import resend
from competition.core.mail.models import Mail
from competition.core.mail.templates import MailTemplate
from competition.core.mail.transport import FolderTransport, MailRefused, Transport
from competition.core.users.models import SLIP_DOMAIN, User
from competition.core.work import begin
from competition.plugins.broadcasts.models import Broadcast, Recipient
from competition.plugins.broadcasts.services import sending
from competition.testing.races import together
from competition.testing.service import text_of
from tests.support.dead_workers import take_and_die_until_it_is_given_up

NEWS = {
    "subject": "The league exam",
    "message": "It begins on Saturday.\n\nBring a pen:\nit is long.",
    "mediums": ["email", "platform"],
    "target_roles": {"candidate": ["league"]},
}
SMALL = {"competition.broadcasts.batch": "2"}


@pytest.fixture
def in_twos(app_with):
    """A service that notifies two recipients per batch."""
    return app_with(SMALL)


def create(person, **fields):
    return person.post("/broadcasts/", {**NEWS, **fields}, status=201).json


def refused(person, code="invalid", **fields):
    return person.post("/broadcasts/", {**NEWS, **fields}, status=400, code=code).json


def detail(person, broadcast):
    return person.get(f"/broadcasts/{broadcast['id']}/").json


def notices(person):
    """The subjects of the user's notifications, the latest first."""
    return [each["subject"] for each in person.get("/notifications/").json["results"]]


def send_job(service):
    with begin(service.runtime) as work:
        return work.db.scalars(select(Job.id).where(Job.name == "broadcasts.send")).all()[-1]


def logged(reply):
    return [(log["medium"], log["target_role"], log["status"]) for log in reply["logs"]]


# --- Creating


def test_a_broadcast_is_pending_at_first(app, manager):
    app.candidate("league")
    reply = create(manager)
    assert str(UUID(reply["task_id"])) == reply["task_id"]
    assert (reply["status"], reply["logs"], reply["last_attempt"]) == ("pending", [], None)
    assert (reply["progress"], reply["mails"]) == ({"total": 0, "done": 0}, None)
    assert reply["created_by"]["user"]["email"] == manager.email
    assert {name: reply[name] for name in NEWS} == NEWS
    assert detail(manager, reply) == reply


def test_a_broadcast_is_audited(app, manager):
    app.candidate("league")
    reply = create(manager)
    with begin(app.runtime) as work:
        entry = work.db.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()[-1]
    assert (entry.action, entry.subject) == ("broadcast.create", f"broadcast {reply['id']}")
    assert entry.actor_id == manager.id
    assert entry.new == {name: NEWS[name] for name in ("mediums", "target_roles")}


def test_a_broadcast_without_recipients_is_rejected(app, manager):
    app.candidate("league", is_active=False)
    refused(manager, "no_recipients_found")
    refused(manager, "no_recipients_found", target_roles={"staff": ["volunteer"]})
    with begin(app.runtime) as work:
        assert work.db.scalar(select(func.count()).select_from(Broadcast)) == 0


def test_an_unknown_medium_returns_invalid_medium(app, manager):
    app.candidate("league")
    refused(manager, "invalid_medium", mediums=["email", "sms"])
    refused(manager, "invalid_medium", mediums=[""])


@pytest.mark.parametrize("mediums", [[], "email", [7], None])
def test_mediums_must_be_a_list_of_strings(app, manager, mediums):
    app.candidate("league")
    refused(manager, mediums=mediums)


def test_duplicate_mediums_and_roles_are_merged(app, manager):
    app.candidate("league")
    reply = create(
        manager,
        mediums=["platform", "PLATFORM", "platform"],
        target_roles={"candidate": ["league", "League", "screening"]},
    )
    assert reply["mediums"] == ["platform"]
    assert reply["target_roles"] == {"candidate": ["league", "screening"]}


@pytest.mark.parametrize(
    "target_roles",
    [
        {},
        {"staff": []},
        {"candidate": ["league"], "staff": []},
        {"candidate": [], "staff": ["manager"]},
        {"candidate": ["volunteer"]},
        {"staff": ["sponsor"]},
        {"candidate": ["league"], "parents": ["all"]},
        {"candidate": "league"},
        {"candidate": None},
        ["league"],
        None,
    ],
)
def test_unknown_target_roles_are_rejected(app, manager, target_roles):
    app.candidate("league")
    assert "target_roles" in refused(manager, target_roles=target_roles)["errors"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("subject", ""),
        ("subject", "s" * 256),
        ("subject", "two\nlines"),
        ("message", " "),
        ("message", "m" * 20_001),
        ("message", "a bell\a"),
    ],
)
def test_texts_that_are_too_long_or_empty_are_rejected(app, manager, field, value):
    app.candidate("league")
    assert field in refused(manager, **{field: value})["errors"]


@pytest.mark.parametrize("field", NEWS)
def test_each_field_is_required(app, manager, field):
    body = {name: value for name, value in NEWS.items() if name != field}
    reply = manager.post("/broadcasts/", body, status=400, code="invalid")
    assert list(reply.json["errors"]) == [field]


def test_an_unknown_field_is_rejected_before_anything_is_sent(app, manager):
    """`send_at` in a body that has no such field must not send the broadcast at once."""
    reply = refused(manager, send_at="2026-04-01T09:00:00Z")
    assert list(reply["errors"]) == ["send_at"]
    assert app.mails() == []


# --- Sending


def test_active_accounts_of_the_roles_get_the_broadcast_by_both_mediums(app, manager):
    ada, ben = app.candidate("league"), app.candidate("league", is_email_verified=False)
    volunteer = app.staff("volunteer")
    others = [
        app.candidate("screening"),
        app.staff("admin"),
        app.candidate("league", is_active=False),
    ]
    roles = {"candidate": ["league"], "staff": ["volunteer"]}
    reply = create(manager, target_roles=roles)
    mails = app.mails()
    recipients = [ada, ben, volunteer]
    assert sorted(mail["To"] for mail in mails) == sorted(person.email for person in recipients)
    for mail in mails:
        assert mail["Subject"] == NEWS["subject"]
        text, place, page = text_of(mail).strip().rpartition(app.runtime.public_url)
        assert text.startswith(NEWS["message"] + "\n\n")
        is_for_staff = mail["To"] == volunteer.email
        assert (place, page) == (
            app.runtime.public_url,
            "/console/notifications" if is_for_staff else "/inbox",
        )
        assert (mail["Cc"], mail["Bcc"]) == (None, None)
        raw = mail.as_string()
        assert sum(person.email in raw for person in recipients) == 1
    for person in recipients:
        [found] = person.get("/notifications/").json["results"]
        assert (found["subject"], found["message"]) == (NEWS["subject"], NEWS["message"])
    for person in others[:2]:
        assert notices(person) == []
    found = detail(manager, reply)
    assert (found["status"], found["last_attempt"]) == ("sent", "2026-03-01T09:00:00Z")
    assert found["progress"] == {"total": 6, "done": 6}
    assert found["mails"] == {"waiting": 0, "sent": 3, "failed": 0}
    assert [log["role_type"] for log in found["logs"]] == ["staff", "candidate"] * 2
    assert logged(found) == [
        ("email", "volunteer", "sent"),
        ("email", "league", "sent"),
        ("platform", "volunteer", "sent"),
        ("platform", "league", "sent"),
    ]
    messages = [log["message"] for log in found["logs"]]
    assert messages == ["Sent to 1 recipient.", "Sent to 2 recipients."] * 2
    assert found["logs"][0]["attempted_at"] == "2026-03-01T09:00:00Z"


def test_the_text_is_rendered_once_per_language_of_recipients(app, manager, statements):
    def renderings():
        """How often a broadcast's message was read."""
        create(manager, mediums=["email"])
        with statements() as executed:
            app.run_jobs()
        return sum("broadcast.message" in each for each in executed)

    for _ in range(3):
        app.candidate("league")
    in_english = renderings()
    for _ in range(3):
        app.candidate("league")
    assert renderings() == in_english
    for _ in range(2):
        app.candidate("league", language="fr")
    assert renderings() == in_english + 1


def test_the_message_is_escaped_in_the_html_of_the_email(app, manager):
    app.candidate("league")
    create(manager, message="<script>1 < 2</script>\nhttps://league.example/exam")
    [mail] = app.mails()
    html = mail.get_body(("html",)).get_content()
    assert "&lt;script&gt;1 &lt; 2&lt;/script&gt;<br>" in html
    assert '<a href="https://league.example/exam"' in html


def test_a_subject_that_looks_encoded_is_sent_unchanged(app, manager):
    """Decoded by an email program, this subject would contain another header."""
    candidate = app.candidate("league")
    subject = "=?utf-8?q?News=0D=0ABcc:_everybody@school.example?="
    create(manager, subject=subject)
    [mail] = app.mails()
    assert (mail["Subject"], mail["Bcc"], mail["To"]) == (subject, None, candidate.email)
    assert notices(candidate) == [subject]


@pytest.mark.parametrize("letter", ["数", "ع", "👧", "ß "])
def test_the_longest_texts_of_any_script_arrive_complete(app, manager, letter):
    candidate = app.candidate("league")
    subject, message = (letter * 20_000)[:255].strip(), (letter * 20_000)[:20_000].strip()
    create(manager, subject=subject, message=message)
    [mail] = app.mails()
    assert mail["Subject"] == subject
    text, _, link = text_of(mail).rpartition("This message is also on this page:")
    assert " ".join(text.split()) == message
    assert link.strip() == f"{app.runtime.public_url}/inbox"
    [found] = candidate.get("/notifications/").json["results"]
    assert (found["subject"], found["message"]) == (subject, message)


class Refusing(FolderTransport):
    """A mail transport that rejects one recipient permanently and another one temporarily."""

    def __init__(self, folder, never, later):
        super().__init__(folder)
        self.for_good = {never: True, later: False}

    def send(self, message, mail_id):
        if message["To"] in self.for_good:
            raise MailRefused(OSError(), for_good=self.for_good[message["To"]])
        super().send(message, mail_id)


def test_the_detail_counts_waiting_sent_and_failed_emails(app_with):
    own = app_with(SMALL)
    manager = own.staff("manager")
    people = [own.candidate("league") for _ in range(4)]
    own.runtime.provide(Transport, Refusing(own.mail_folder, people[0].email, people[1].email))
    reply = create(manager)
    walk = steps(own)
    next(walk), next(walk)
    assert detail(manager, reply)["mails"] == {"waiting": 2, "sent": 0, "failed": 0}
    own.run_jobs()
    found = detail(manager, reply)
    assert (found["status"], found["progress"]) == ("sent", {"total": 8, "done": 8})
    assert found["mails"] == {"waiting": 1, "sent": 2, "failed": 1}
    own.runtime.provide(Transport, FolderTransport(own.mail_folder))
    with begin(own.runtime) as work:
        failed = work.db.scalars(select(Mail.id).where(Mail.state == "failed")).one()
        resend(work, failed)
    own.clock.advance(seconds=5)
    own.run_jobs()
    assert detail(manager, reply)["mails"] == {"waiting": 0, "sent": 4, "failed": 0}


def test_a_broadcast_on_the_platform_only_has_no_emails(app, manager):
    app.candidate("league")
    reply = create(manager, mediums=["platform"])
    app.run_jobs()
    assert detail(manager, reply)["mails"] is None


def test_a_role_without_accounts_has_a_failed_log(app, manager):
    app.candidate("league")
    roles = {"candidate": ["league", "final"]}
    reply = create(manager, mediums=["platform"], target_roles=roles)
    app.run_jobs()
    found = detail(manager, reply)
    assert logged(found) == [("platform", "league", "sent"), ("platform", "final", "failed")]
    assert found["logs"][1]["message"] == "No recipient has this role."
    assert found["status"] == "sent"


def test_a_role_without_email_addresses_has_a_failed_log_that_says_so(app, manager):
    app.candidate("league")
    pupil = app.candidate("final")
    with begin(app.runtime) as work:
        work.db.get_one(User, pupil.id).email = f"abc234@{SLIP_DOMAIN}"
    roles = {"candidate": ["league", "final"]}
    reply = create(manager, mediums=["email", "platform"], target_roles=roles)
    app.run_jobs()
    found = {(each["medium"], each["target_role"]): each for each in detail(manager, reply)["logs"]}
    assert found["email", "final"]["status"] == "failed"
    message = found["email", "final"]["message"]
    assert message == "No recipient with this role has an email address."
    assert found["platform", "final"]["message"] == "Sent to 1 recipient."


def test_recipients_are_selected_when_the_broadcast_is_sent(app, manager):
    gone, promoted = app.candidate("league"), app.candidate("screening")
    create(manager)
    with begin(app.runtime) as work:
        work.db.get_one(User, gone.id).is_active = False
        work.db.get_one(User, promoted.id).role = "league"
    assert [mail["To"] for mail in app.mails()] == [promoted.email]


def test_a_broadcast_that_reaches_nobody_has_failed(app, manager):
    candidate = app.candidate("league")
    reply = create(manager)
    with begin(app.runtime) as work:
        work.db.get_one(User, candidate.id).is_active = False
    app.run_jobs()
    found = detail(manager, reply)
    assert found["status"] == "failed"
    assert [log["status"] for log in found["logs"]] == ["failed", "failed"]


def steps(service):
    """Run the job step by step, and yield the broadcast's id before each step."""
    with begin(service.runtime) as work:
        broadcast_id = work.db.scalars(select(Broadcast.id)).one()
        sending.choose_recipients(work, broadcast_id)
    more = True
    while more:
        yield broadcast_id
        with begin(service.runtime) as work:
            more = sending.send_batch(work, broadcast_id)


def test_progress_is_visible_during_sending(in_twos):
    manager = in_twos.staff("manager")
    for _ in range(3):
        in_twos.candidate("league")
    reply = create(manager, mediums=["platform"])
    seen = [detail(manager, reply) for _ in steps(in_twos)]
    assert [each["progress"]["done"] for each in seen] == [0, 2, 3]
    assert {each["progress"]["total"] for each in seen} == {3}
    assert [len(each["logs"]) for each in seen] == [0, 0, 1]
    assert {each["status"] for each in seen} == {"pending"}


def test_a_candidate_promoted_during_sending_is_notified_once(in_twos):
    manager = in_twos.staff("manager")
    candidates = [in_twos.candidate("screening") for _ in range(3)]
    create(
        manager,
        mediums=["platform"],
        target_roles={"candidate": ["screening", "league"]},
    )
    for _ in steps(in_twos):
        with begin(in_twos.runtime) as work:
            work.db.execute(update(User).where(User.role == "screening").values(role="league"))
    in_twos.run_jobs()
    assert [len(notices(person)) for person in candidates] == [1, 1, 1]


def test_an_account_deleted_during_sending_is_skipped(in_twos):
    manager = in_twos.staff("manager")
    volunteers = sorted((in_twos.staff("volunteer") for _ in range(5)), key=lambda each: each.id)
    reply = create(manager, target_roles={"staff": ["volunteer"]})
    walk = steps(in_twos)
    next(walk)
    with begin(in_twos.runtime) as work:
        work.db.execute(delete(User).where(User.id == volunteers[-1].id))
    mails = in_twos.mails()
    assert sorted(mail["To"] for mail in mails) == sorted(each.email for each in volunteers[:-1])
    found = detail(manager, reply)
    assert found["progress"] == {"total": 8, "done": 8}
    assert [log["message"] for log in found["logs"]] == ["Sent to 4 recipients."] * 2


def test_an_account_deactivated_during_sending_is_skipped(in_twos):
    manager = in_twos.staff("manager")
    people = sorted((in_twos.candidate("league") for _ in range(3)), key=lambda each: each.id)
    reply = create(manager, mediums=["email"])
    walk = steps(in_twos)
    next(walk)
    with begin(in_twos.runtime) as work:
        work.db.get_one(User, people[2].id).is_active = False
    assert sorted(mail["To"] for mail in in_twos.mails()) == sorted(
        each.email for each in people[:2]
    )
    assert [log["message"] for log in detail(manager, reply)["logs"]] == ["Sent to 2 recipients."]


def test_another_worker_continues_the_broadcast_of_a_dead_one(in_twos):
    manager = in_twos.staff("manager")
    people = [in_twos.candidate("league") for _ in range(5)]
    reply = create(manager)
    # Stop in the middle of the second medium.
    for count, _ in enumerate(steps(in_twos)):
        if count == 4:
            break
    assert 5 < detail(manager, reply)["progress"]["done"] < 10
    assert sorted(mail["To"] for mail in in_twos.mails()) == sorted(each.email for each in people)
    assert [len(notices(person)) for person in people] == [1] * 5
    assert detail(manager, reply)["status"] == "sent"


def test_no_email_is_sent_before_all_are_enqueued(in_twos):
    manager = in_twos.staff("manager")
    for _ in range(3):
        in_twos.candidate("league")
    create(manager, mediums=["email"])
    walk = steps(in_twos)
    next(walk), next(walk)
    with begin(in_twos.runtime) as work:
        assert work.db.scalar(select(func.count()).select_from(Mail)) == 2
        assert work.db.scalars(select(Job).where(Job.name == "core.send_mails")).all() == []


def test_recipients_are_deleted_after_sending(app, manager):
    app.candidate("league")
    create(manager)
    app.run_jobs()
    with begin(app.runtime) as work:
        assert work.db.scalars(select(Recipient)).all() == []


def broken_mail(service):
    """Make the job that sends the emails fail, as if the database were unavailable for a long
    time.
    """
    del service.runtime.catalogue[MailTemplate]["broadcasts.broadcast"]


@pytest.fixture
def own(app_with):
    """A service of this test alone, so that its templates can be removed."""
    return app_with({"competition.jobs.attempts": "2"})


def run_twice(service):
    job_id = send_job(service)
    for _ in range(2):
        assert Runner(service.runtime).run(job_id)
        service.clock.advance(minutes=1)


def test_a_failing_medium_is_retried_and_then_fails_permanently(own):
    manager, candidate = own.staff("manager"), own.candidate("league")
    reply = create(manager, mediums=["platform", "email"])
    broken_mail(own)
    job_id = send_job(own)
    assert Runner(own.runtime).run(job_id)
    assert detail(manager, reply)["status"] == "pending"
    own.clock.advance(minutes=1)
    assert Runner(own.runtime).run(job_id)
    found = detail(manager, reply)
    assert found["status"] == "sent"
    assert found["last_attempt"] == "2026-03-01T09:01:00Z"
    assert logged(found) == [("platform", "league", "sent"), ("email", "league", "failed")]
    assert found["logs"][1]["message"] == "Sent to 0 of 1 recipients."
    assert notices(candidate) == [NEWS["subject"]]


def test_a_broadcast_whose_only_medium_fails_has_failed(own):
    manager = own.staff("manager")
    own.candidate("league")
    reply = create(manager, mediums=["email"])
    broken_mail(own)
    run_twice(own)
    assert detail(manager, reply)["status"] == "failed"


def let_workers_die(service):
    """Kill each worker that takes the job, until it has failed permanently; return its id."""
    job_id = send_job(service)
    take_and_die_until_it_is_given_up(service, job_id)
    return job_id


def mail_jobs(service):
    with begin(service.runtime) as work:
        return len(work.db.scalars(select(Job).where(Job.name == "core.send_mails")).all())


def test_a_broadcast_whose_workers_die_before_the_first_recipient_has_failed(in_twos):
    manager = in_twos.staff("manager")
    in_twos.candidate("league")
    reply = create(manager)
    next(steps(in_twos))
    let_workers_die(in_twos)
    found = detail(manager, reply)
    assert found["status"] == "failed"
    assert logged(found) == [("email", "league", "failed"), ("platform", "league", "failed")]
    assert {log["message"] for log in found["logs"]} == {"Sent to 0 of 1 recipients."}


def test_a_broadcast_whose_workers_die_midway_shows_how_many_it_reached(in_twos):
    manager = in_twos.staff("manager")
    for _ in range(3):
        in_twos.candidate("league")
    reply = create(manager)
    walk = steps(in_twos)
    next(walk), next(walk)
    let_workers_die(in_twos)
    found = detail(manager, reply)
    assert (found["status"], found["progress"]) == ("sent", {"total": 6, "done": 2})
    messages = [log["message"] for log in found["logs"]]
    assert messages == ["Sent to 2 of 3 recipients.", "Sent to 0 of 3 recipients."]
    assert found["mails"] == {"waiting": 2, "sent": 0, "failed": 0}
    assert mail_jobs(in_twos) == 1


def test_a_permanently_failed_broadcast_is_not_sent_again(in_twos):
    """The emails of this broadcast are enqueued already. Another job could send some of them
    twice.
    """
    manager = in_twos.staff("manager")
    for _ in range(3):
        in_twos.candidate("league")
    reply = create(manager)
    walk = steps(in_twos)
    next(walk), next(walk)
    job_id = let_workers_die(in_twos)
    found = detail(manager, reply)
    with begin(in_twos.runtime) as work:
        job_control.retry(work, job_id)
    assert Runner(in_twos.runtime).run(job_id)
    assert detail(manager, reply) == found
    assert mail_jobs(in_twos) == 1


def test_two_workers_of_one_broadcast_notify_each_recipient_once(live_with):
    """Both workers assume that they hold the lease. A lock makes them work one after the other."""
    live = live_with(SMALL)
    manager = live.staff("manager")
    people = [live.candidate("league") for _ in range(15)]
    create(manager, mediums=["platform", "email"])

    def send(_):
        for _ in steps(live):
            pass

    together(2, send)
    live.run_jobs()
    assert [len(notices(person)) for person in people] == [1] * 15
    with begin(live.runtime) as work:
        recipients = work.db.scalars(select(Mail.recipient)).all()
    assert sorted(recipients) == sorted(person.email for person in people)


def test_a_worker_that_lost_its_lease_stops(live_with, monkeypatch):
    live = live_with(SMALL)
    manager, task = live.staff("manager"), live.runtime.catalogue[Task]["broadcasts.send"]
    people = [live.candidate("league") for _ in range(5)]
    reply = create(manager, mediums=["platform"])
    lease = live.runtime.settings[JobSettings].lease
    job_id = send_job(live)

    class Stalling:
        """After the first transaction of this worker, another worker takes over the job."""

        def __init__(self, run):
            self.run = run
            self.transactions = 0

        def work(self):
            self.transactions += 1
            if self.transactions == 2:
                live.clock.advance(seconds=lease + 1)
                assert Runner(live.runtime).run(job_id)
            return self.run.work()

        def finish(self):
            raise AssertionError("not its to finish")

    def stall(run, **args):
        if run.claim.attempts > 1:
            return task.function(run, **args)
        with pytest.raises(LeaseLost):
            task.function(Stalling(run), **args)
        raise LeaseLost

    monkeypatch.setitem(
        live.runtime.catalogue[Task], "broadcasts.send", type(task)(task.name, stall, steps=True)
    )
    assert Runner(live.runtime).run(job_id)
    assert not Runner(live.runtime).run_next()
    assert detail(manager, reply)["status"] == "sent"
    assert [len(notices(person)) for person in people] == [1] * 5


def test_a_batch_takes_the_same_statements_for_any_size(app, manager, statements):
    def count():
        create(manager, mediums=["platform"])
        with statements() as executed:
            app.run_jobs()
        return len(executed)

    app.candidate("league")
    few = count()
    for _ in range(10):
        app.candidate("league")
    assert count() == few


# --- Reading


def test_the_list_has_both_forms_of_pagination(app, manager):
    app.candidate("league")
    made = [create(manager, subject=f"News {number}") for number in range(3)]
    reply = manager.get("/broadcasts/?limit=2").json
    assert [each["id"] for each in reply["results"]] == [made[2]["id"], made[1]["id"]]
    assert (reply["count"], reply["total_pages"], reply["previous"]) == (3, 2, None)
    assert reply["next"] == reply["pagination"]["next"]
    assert reply["pagination"]["page_size"] == 2
    fields = {"id", "subject", "message", "created_by", "created_at", "mediums", "target_roles"}
    assert set(reply["results"][0]) == fields | {"joined"}
    assert manager.get("/broadcasts/?limit=2&page=2").json["next"] is None
    manager.get("/broadcasts/?page=3", status=404, code="not_found")


def test_the_list_is_ordered_and_bounded_like_every_other_list(app, manager):
    app.candidate("league")
    first = create(manager, subject="The beginning")
    app.run_jobs()
    app.clock.advance(hours=1)
    second = create(manager, subject="A surprise")

    def ids(query):
        return [each["id"] for each in manager.get(f"/broadcasts/?{query}").json["results"]]

    assert ids("ordering=subject") == [second["id"], first["id"]]
    assert ids("ordering=nonsense") == [second["id"], first["id"]]
    # One broadcast is sent, the other pending.
    assert ids("ordering=-status") == ids("ordering=id") == [first["id"], second["id"]]
    assert ids("ordering=created_at") == [first["id"], second["id"]]
    assert ids("created_before=2026-03-01T09:30:00") == [first["id"]]
    assert ids("created_after=2026-03-01T09:30:00") == [second["id"]]


def test_the_list_is_searched_by_subject_and_message(app, manager):
    app.candidate("league")
    exam = create(manager, subject="The exam", message="On Saturday at 100%.")
    create(manager, subject="Pens", message="Bring two.")

    def ids(search):
        reply = manager.get(f"/broadcasts/?search={search}").json
        assert reply["count"] == reply["pagination"]["count"] == len(reply["results"])
        return [each["id"] for each in reply["results"]]

    assert ids("EXAM+satur") == ids("100%25") == [exam["id"]]
    assert ids("exam+pens") == ids("1_0") == []
    assert len(ids("")) == 2


def test_a_page_takes_the_same_statements_for_any_size(app, statements):
    managers = [app.staff("manager") for _ in range(3)]
    app.candidate("league")

    def count():
        with statements() as executed:
            managers[0].get("/broadcasts/")
        return len(executed)

    create(managers[0])
    few = count()
    for manager in managers:
        create(manager)
    assert count() == few


def test_an_unknown_broadcast_is_not_found(manager):
    manager.get("/broadcasts/999999/", status=404, code="not_found")


def test_a_repeated_broadcast_with_the_same_key_is_sent_once(app):
    manager = app.staff("manager")
    person = app.candidate("league")
    key = {"headers": {"Idempotency-Key": "saturday"}}
    first = manager.post("/broadcasts/", NEWS, status=201, **key).json
    again = manager.post("/broadcasts/", NEWS, status=201, **key).json
    assert again["id"] == first["id"]
    other = {**NEWS, "subject": "Another"}
    manager.post("/broadcasts/", other, status=400, code="idempotency_key_reused", **key)
    app.run_jobs()
    assert len(app.mails(person.email)) == 1
    assert manager.get("/broadcasts/").json["count"] == 1
    repeated = manager.post("/broadcasts/", NEWS, status=201, **key).json
    assert repeated == manager.get(f"/broadcasts/{first['id']}/").json
