"""An email is a row, then a job, and its result is written to the row."""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import jinja2
import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.errors import Invalid
from competition.core.flags import Flag
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Runner
from competition.core.jobs.tasks import JobSettings
from competition.core.mail import mails, sending
from competition.core.mail.message import compose, letter
from competition.core.mail.models import Mail
from competition.core.mail.templates import MailTemplate
from competition.core.mail.transport import (
    ConnectionLost,
    FolderTransport,
    MailRefused,
    Transport,
    TransportUnreachable,
    parse_sender,
)
from competition.core.work import begin
from competition.testing.service import text_of
from tests.support.dead_workers import take_and_die_until_it_is_given_up
from tests.support.mail_rows import row, rows, write

TO = "ada@school.example"
MANY = [f"pupil{number}@school.example" for number in range(5)]
# How often the service tries to send an email.
ATTEMPTS = 10


def send(service, to=TO, **args):
    with begin(service.runtime) as work:
        mails.send(work, "probe.letter", to, **args)


def send_many(service, recipients=MANY, **args):
    write(service, recipients, **args)


def states(service):
    return [(each.state, each.tries) for each in rows(service)]


def jobs(service, state=None):
    with begin(service.runtime) as work:
        found = select(Job).where(Job.name == mails.SEND).order_by(Job.id)
        return work.db.scalars(found if state is None else found.where(Job.state == state)).all()


class Outbox:
    """For each email, raises the next item of `errors`, or accepts the email if the item is None.
    Afterwards, accepts all emails.

    `taken` is the list of accepted emails, and `connections` the number of connections.
    """

    def __init__(self, *errors):
        self.errors = list(errors)
        self.taken = []
        self.connections = 0

    @contextmanager
    def open(self):
        self.connections += 1
        if self.errors and isinstance(self.errors[0], TransportUnreachable):
            raise self.errors.pop(0)
        yield self

    def send(self, message, mail_id):
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error
        self.taken.append(message["To"])


WORDS = OSError("secret words of the server")
UNREACHABLE = TransportUnreachable(WORDS)
LOST = ConnectionLost(WORDS)
NOT_NOW = MailRefused(WORDS, for_good=False)
NEVER = MailRefused(WORDS, for_good=True)


def use(service, outbox):
    service.runtime.provide(Transport, outbox)
    return outbox


# One email


def test_an_email_is_sent(probe):
    send(probe, subject="Welcome", text="Good morning, Ærøskøbing.")
    assert row(probe).state == "pending"
    [message] = probe.mails(TO)
    assert message["Subject"] == "Welcome"
    assert message["From"] == "league@league.example"
    assert message["Date"].datetime == probe.clock.now
    assert message["Auto-Submitted"] == "auto-generated"
    assert text_of(message).strip() == "Good morning, Ærøskøbing."
    sent = row(probe)
    assert (sent.state, sent.tries, sent.sent_at) == ("sent", 1, probe.clock.now)
    assert sent.last_error is None


def test_an_email_of_an_aborted_transaction_is_not_sent(probe):
    with pytest.raises(ZeroDivisionError), begin(probe.runtime) as work:
        mails.send(work, "probe.letter", TO)
        raise ZeroDivisionError
    assert probe.mails() == []


def test_an_unknown_template_raises_lookup_error(probe):
    message = "no MailTemplate named 'probe.nothing'. Registered by probe: .*probe.letter"
    with pytest.raises(LookupError, match=message), begin(probe.runtime) as work:
        mails.send(work, "probe.nothing", TO)


def test_an_argument_that_is_not_json_raises_type_error(probe):
    message = "probe.letter can't have the argument user_id: Object of type UUID"
    with pytest.raises(TypeError, match=message), begin(probe.runtime) as work:
        mails.send(work, "probe.letter", TO, user_id=uuid4())


def test_an_argument_that_the_template_does_not_have_raises_type_error(probe):
    def prepare(work, recipient, user_id: str):
        raise AssertionError("nobody asked for it")

    strict = MailTemplate("probe.strict", prepare, jinja2.Template(""))
    probe.runtime.catalogue.add(MailTemplate, strict.name, strict)
    for wrong, message in (({"user": "1"}, "argument: 'user_id'"), ({"user_id": 1}, "takes str")):
        with pytest.raises(TypeError, match=message), begin(probe.runtime) as work:
            mails.send(work, strict.name, TO, **wrong)


def test_an_email_with_nothing_to_say_is_skipped(probe):
    send(probe, skip=True)
    assert probe.mails() == []
    assert row(probe).state == "skipped"
    assert [job.state for job in jobs(probe)] == ["done"]


def test_values_in_an_email_are_committed_before_it_is_sent(live_probe):
    """When an email with a code arrives, the database must have the code."""
    known = []

    class Looking(Outbox):
        def send(self, message, mail_id):
            with begin(live_probe.runtime) as work:
                known.append(work.db.get(Flag, "secret") is not None)

    use(live_probe, Looking())
    send(live_probe, flag="secret")
    live_probe.run_jobs()
    assert known == [True]


@pytest.mark.parametrize("error", [UNREACHABLE, LOST, NOT_NOW])
def test_an_email_that_is_not_accepted_is_retried(probe, error):
    outbox = use(probe, Outbox(error))
    send(probe)
    probe.run_jobs()
    tried = row(probe)
    assert (tried.state, tried.tries, tried.sent_at) == ("pending", 1, None)
    # Only the type is stored, because a server's answer may quote the email.
    assert tried.last_error == "OSError"
    [again] = jobs(probe, "pending")
    assert again.run_after == probe.clock.now + timedelta(seconds=5)
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert (row(probe).state, row(probe).tries, row(probe).last_error) == ("sent", 2, None)
    assert outbox.taken == [TO]


def test_the_wait_before_a_retry_doubles_up_to_a_limit(probe):
    use(probe, Outbox(*[NOT_NOW] * ATTEMPTS))
    send(probe)
    pauses = []
    while True:
        probe.run_jobs()
        if row(probe).state != "pending":
            break
        pause = row(probe).try_after - probe.clock.now
        pauses.append(pause.total_seconds())
        probe.clock.now += pause
    assert pauses == [5, 10, 20, 40, 80, 160, 320, 600, 600]


@pytest.mark.parametrize("error", [UNREACHABLE, LOST, NOT_NOW])
def test_an_email_that_is_never_accepted_fails(probe, error):
    outbox = use(probe, Outbox(*[error] * 100))
    send(probe)
    for tries in range(ATTEMPTS):
        assert states(probe) == [("pending", tries)]
        probe.run_jobs()
        probe.clock.advance(hours=1)
    assert states(probe) == [("failed", ATTEMPTS)]
    probe.run_jobs()
    assert outbox.connections == ATTEMPTS
    assert jobs(probe, "pending") == []


def test_a_permanently_rejected_email_is_not_retried(probe):
    outbox = use(probe, Outbox(NEVER))
    send(probe)
    probe.run_jobs()
    assert (row(probe).state, row(probe).tries, row(probe).last_error) == ("failed", 1, "OSError")
    probe.clock.advance(hours=1)
    probe.run_jobs()
    assert outbox.taken == []


def test_an_email_that_can_not_be_composed_fails(probe):
    """Operators find the emails that were not sent in this table."""
    send(probe, crash=True)
    for _ in range(ATTEMPTS):
        assert row(probe).state == "pending"
        probe.run_jobs()
        probe.clock.advance(hours=1)
    failed = row(probe)
    assert (failed.state, failed.tries) == ("failed", ATTEMPTS)
    assert failed.last_error == "ZeroDivisionError"


def test_any_error_of_a_transport_is_stored_in_the_row(probe):
    use(probe, Outbox(ValueError("odd")))
    send(probe)
    probe.run_jobs()
    assert (row(probe).state, row(probe).last_error) == ("pending", "ValueError")


def test_a_sent_email_is_not_sent_again(probe):
    outbox = use(probe, Outbox())
    send(probe)
    probe.run_jobs()
    with begin(probe.runtime) as work:
        mails.dispatch(work, row(probe).sending)
    probe.run_jobs()
    assert outbox.taken == [TO]
    assert states(probe) == [("sent", 1)]


# Many emails


def test_a_batch_is_sent_over_one_connection(probe):
    outbox = use(probe, Outbox())
    send_many(probe)
    probe.run_jobs()
    assert (outbox.taken, outbox.connections) == (MANY, 1)
    assert states(probe) == [("sent", 1)] * 5


def test_a_batch_without_recipients_sends_nothing(probe):
    send_many(probe, [])
    assert probe.mails() == []


def test_each_email_has_one_recipient(probe):
    send_many(probe)
    mails = probe.mails()
    assert [each["To"] for each in mails] == MANY
    for each in mails:
        assert sum(address in each.as_string() for address in MANY) == 1


def test_a_long_batch_lets_other_jobs_run_between(probe):
    """So an email with a one-time password need not wait for a whole broadcast."""
    most = sending.MOST_IN_A_RUN
    outbox = use(probe, Outbox())
    send_many(probe, [f"pupil{number}@school.example" for number in range(most + 1)])
    probe.clock.advance(seconds=30)
    send(probe)
    probe.clock.advance(seconds=30)
    first, second = (job.id for job in jobs(probe))
    assert Runner(probe.runtime).run(first)
    assert len(outbox.taken) == most
    [_, rest] = jobs(probe, "pending")
    assert (rest.id > second, rest.run_after) == (True, probe.clock.now)
    probe.run_jobs()
    assert len(outbox.taken) == len(set(outbox.taken)) == most + 2


def test_a_rejected_email_does_not_delay_others(probe):
    outbox = use(probe, Outbox(None, NEVER, None, NOT_NOW))
    send_many(probe)
    probe.run_jobs()
    assert (outbox.taken, outbox.connections) == ([MANY[0], MANY[2], MANY[4]], 1)
    assert [each.state for each in rows(probe)] == ["sent", "failed", "sent", "pending", "sent"]
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert outbox.taken[3:] == [MANY[3]]


def test_an_email_that_can_not_be_composed_does_not_delay_others(probe):
    outbox = use(probe, Outbox())
    batch = uuid4()
    with begin(probe.runtime) as work:
        mails.add(work, batch, "probe.letter", MANY[:1], crash=True)
        mails.add(work, batch, "probe.letter", MANY[1:])
        mails.dispatch(work, batch)
    probe.run_jobs()
    assert outbox.taken == MANY[1:]


def test_after_a_lost_connection_the_rest_is_sent_over_another(probe):
    """The email that was being sent when the connection broke has used an attempt, and is sent
    last. The other emails have not used an attempt.
    """
    outbox = use(probe, Outbox(None, LOST))
    send_many(probe)
    probe.run_jobs()
    assert states(probe) == [("sent", 1), ("pending", 1), *[("pending", 0)] * 3]
    probe.clock.advance(seconds=4)
    probe.run_jobs()
    assert len(outbox.taken) == 1
    probe.clock.advance(seconds=1)
    probe.run_jobs()
    assert outbox.taken == [MANY[0], *MANY[2:], MANY[1]]
    assert outbox.connections == 2


def test_an_email_that_breaks_every_connection_does_not_stop_others(probe):
    class Poisoned(Outbox):
        def send(self, message, mail_id):
            if message["To"] == MANY[0]:
                raise LOST
            super().send(message, mail_id)

    outbox = use(probe, Poisoned())
    send_many(probe)
    for _ in range(20):
        probe.run_jobs()
        probe.clock.advance(hours=1)
    assert outbox.taken == MANY[1:]
    assert states(probe) == [("failed", ATTEMPTS), *[("sent", 1)] * 4]


def test_an_unreachable_server_uses_one_attempt_of_each_email(probe):
    use(probe, Outbox(UNREACHABLE))
    send_many(probe)
    probe.run_jobs()
    assert states(probe) == [("pending", 1)] * 5
    assert len(jobs(probe, "pending")) == 1


def test_emails_recorded_before_a_worker_died_are_not_sent_again(live_probe):
    """The email that the worker was sending when it died is sent again, because it may not have
    arrived.
    """

    class Died(BaseException):
        pass

    class Dying(Outbox):
        def send(self, message, mail_id):
            super().send(message, mail_id)
            if len(self.taken) == 3:
                raise Died

    outbox = use(live_probe, Dying())
    send_many(live_probe)
    [job] = jobs(live_probe)
    with pytest.raises(Died):
        Runner(live_probe.runtime).run(job.id)
    assert not Runner(live_probe.runtime).run(job.id)
    live_probe.clock.advance(seconds=live_probe.runtime.settings[JobSettings].lease + 1)
    live_probe.run_jobs()
    assert outbox.taken == [*MANY[:3], *MANY[2:]]


def test_a_worker_that_lost_its_lease_stops_sending(live_probe):
    class Slow(Outbox):
        """While this worker sends its second email, another worker takes over the job."""

        def send(self, message, mail_id):
            super().send(message, mail_id)
            if len(self.taken) == 2:
                live_probe.clock.advance(seconds=live_probe.runtime.settings[JobSettings].lease + 1)
                assert Runner(live_probe.runtime).run(job.id)

    outbox = use(live_probe, Slow())
    send_many(live_probe)
    [job] = jobs(live_probe)
    Runner(live_probe.runtime).run(job.id)
    assert outbox.taken == [*MANY[:2], *MANY[1:]]
    assert states(live_probe) == [("sent", 1)] * 5


def test_emails_that_another_job_has_sent_are_not_sent_again(live_probe):
    class Interrupted(Outbox):
        """While this job sends its first email, another job for the same emails runs."""

        def send(self, message, mail_id):
            super().send(message, mail_id)
            if len(self.taken) == 1:
                assert Runner(live_probe.runtime).run(other.id)

    outbox = use(live_probe, Interrupted())
    send_many(live_probe)
    with begin(live_probe.runtime) as work:
        mails.dispatch(work, rows(live_probe)[0].sending)
    job, other = jobs(live_probe)
    assert Runner(live_probe.runtime).run(job.id)
    assert sorted(outbox.taken) == sorted([MANY[0], *MANY])


# Format


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\x85", "\u2028"])
def test_a_line_end_in_a_subject_adds_no_header(probe, end):
    send(probe, subject=f"Hello{end}Bcc: everybody@school.example")
    [message] = probe.mails(TO)
    assert message["Bcc"] is None
    assert message["Subject"].startswith("Hello")
    assert message["To"] == TO


def header_of(service):
    """The header of the only email in the folder, in bytes, as it was sent."""
    [path] = service.mail_folder.glob("*.eml")
    header, _, _ = path.read_bytes().partition(b"\r\n\r\n")
    return header


ENCODED = [
    "=?utf-8?q?a=0ABcc:_everybody@school.example?=",
    "x =?utf-8?b?Cg==?= y",
    "=?",
    "a =?b?= c",
]


@pytest.mark.parametrize("subject", ENCODED)
def test_a_subject_that_looks_encoded_is_unchanged(probe, subject):
    """If the first subject were decoded, it would contain a line end and another header."""
    send(probe, subject=subject)
    [message] = probe.mails(TO)
    assert message["Subject"] == subject
    assert b"\nBcc" not in header_of(probe)


@pytest.mark.parametrize(
    "subject",
    [
        "s" * 255,
        "two words " * 25 + "and",
        "Экзамен лиги " * 19 + "завтра",
        "数学联赛的考试" * 36,
        "امتحان الدوري " * 18 + "غدا",
        "👩‍👩‍👧 " * 42 + "👧",
        'q: <b> "&" ß, ' * 17,
    ],
)
def test_a_subject_of_any_script_and_length_arrives_complete(probe, subject):
    subject = subject.strip()
    send(probe, subject=subject)
    [message] = probe.mails(TO)
    assert message["Subject"] == subject
    header = header_of(probe)
    assert header.isascii()
    assert max(map(len, header.split(b"\r\n"))) < 300


def test_emails_are_ascii_with_short_lines(probe):
    """All bytes are ASCII, lines end with CRLF, and none is too long (RFC 5321, 4.5.3.1)."""
    send(probe, text="Grüße, 数学" * 2000 + "\rhttps://league.example/" + "a" * 2000 + "\r\nBye")
    [path] = probe.mails(TO) and probe.mail_folder.glob("*.eml")
    content = path.read_bytes()
    assert content.isascii()
    lines = content.split(b"\r\n")
    assert max(map(len, lines)) <= 998
    assert not any(b"\n" in line or b"\r" in line for line in lines)


def test_replies_go_to_the_support_address(probe):
    send(probe)
    assert probe.mails(TO)[0]["Reply-To"] == "support@league.example"


def test_the_sender_may_have_a_name():
    sender = parse_sender("Лига <league@league.example>")
    message = compose(sender, TO, letter("Hello", "text"), datetime.now(UTC))
    [address] = message["From"].addresses
    assert (address.display_name, address.addr_spec) == ("Лига", "league@league.example")
    assert message["Message-ID"].endswith("@league.example>")


@pytest.mark.parametrize("sender", ["league", "League <league>", "a@b.example\nBcc: c@d.example"])
def test_a_sender_without_an_address_is_a_settings_error(sender):
    with pytest.raises(ValueError, match="is not an email address"):
        parse_sender(sender)


@pytest.mark.parametrize(
    ("address", "to"),
    [
        ("ada@schule-münchen.example", "ada@xn--schule-mnchen-3ob.example"),
        ("märta@münchen.example", "märta@xn--mnchen-3ya.example"),
        # The older rules (IDNA 2003) would turn it into strasse.example, a different domain.
        ("ada@straße.example", "ada@straße.example"),
        ("ada@" + "ü" * 60 + ".example", "ada@" + "ü" * 60 + ".example"),
        ("a" * 200 + "@b.example", "a" * 200 + "@b.example"),
    ],
)
def test_an_international_domain_is_encoded_for_dns(probe, address, to):
    send(probe, to=address)
    probe.run_jobs()
    assert f"To: {to}\r\n".encode() in header_of(probe) + b"\r\n"


def html_of(message):
    return message.get_body(("html",)).get_content()


def test_the_text_part_is_unchanged(probe):
    text = "<b>&amp; {{ 7 * 7 }}\n.\nFrom here\n  on"
    send(probe, text=text)
    [message] = probe.mails(TO)
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert text_of(message).splitlines() == text.splitlines()


def test_the_html_part_has_the_same_text_escaped(probe):
    send(probe, subject="1 < 2", text="<b>&amp; {{ 7 * 7 }}\nFrom here\n\n    a<b>\n\nBye")
    html = html_of(probe.mails(TO)[0])
    assert "<h1" in html and ">1 &lt; 2</h1>" in html
    assert ">&lt;b&gt;&amp;amp; {{ 7 * 7 }}<br>From here</p>" in html
    assert 'class="apart"' in html and ">a&lt;b&gt;</p>" in html
    assert ">Bye</p>" in html
    assert html.count("</p>") == 3


def test_the_html_loads_nothing_from_anywhere(probe):
    send(probe, text="See https://league.example/boards?a=1&b=2 for more.")
    html = html_of(probe.mails(TO)[0])
    assert '<a href="https://league.example/boards?a=1&amp;b=2"' in html
    for word in ("src=", "url(", "<link", "<script", "@import"):
        assert word not in html


def test_long_lines_are_wrapped_only_in_the_text_part(probe):
    words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    link = "https://league.example/" + "a" * 100
    send(probe, text=f"{words} fifteen\n{link}")
    message = probe.mails(TO)[0]
    first, second, *rest = text_of(message).splitlines()
    assert (f"{first} {second}", rest) == (f"{words} fifteen", [link])
    assert f"{words} fifteen<br>" in html_of(message)


def test_indented_lines_keep_their_indentation(probe):
    trace = "    Traceback:\n      File backup.sh\n    " + "disk full " * 9
    send(probe, text=f"It says:\n\n{trace.rstrip()}\n\nBye")
    message = probe.mails(TO)[0]
    apart = text_of(message).splitlines()[2:-2]
    assert len(apart) == 4 and all(line.startswith("    ") for line in apart)
    assert ">Traceback:<br>  File backup.sh<br>disk full" in html_of(message)


def test_each_paragraph_has_the_direction_of_its_script(probe):
    send(probe, subject="مرحبا", text="مرحبا\n\n    123\n\nHello")
    assert html_of(probe.mails(TO)[0]).count('dir="auto"') == 4


# Commands for operators


def test_failed_emails_are_listed(probe):
    use(probe, Outbox(None, NEVER))
    send_many(probe, MANY[:2])
    probe.run_jobs()
    with begin(probe.runtime) as work:
        assert [each.recipient for each in mails.newest(work, 10)] == MANY[:2]
        assert [each.recipient for each in mails.newest(work, 1)] == [MANY[1]]
        found = mails.newest(work, 10, only_failed=True)
    assert [each.recipient for each in found] == [MANY[1]]


@pytest.mark.parametrize("error", [NEVER, None])
def test_an_email_can_be_sent_again_in_any_final_state(probe, error):
    outbox = use(probe, Outbox(error))
    send(probe)
    probe.run_jobs()
    taken = len(outbox.taken)
    with begin(probe.runtime) as work:
        mails.resend(work, row(probe).id)
    again = row(probe)
    assert (again.state, again.tries, again.last_error, again.sent_at) == ("pending", 0, None, None)
    probe.run_jobs()
    assert states(probe) == [("sent", 1)]
    assert len(outbox.taken) == taken + 1
    with begin(probe.runtime) as work:
        entry = work.db.scalars(select(AuditEntry).where(AuditEntry.action == "mail.resend")).one()
    assert entry.subject == f"mail {row(probe).id}"


def test_sending_an_email_again_sends_no_other_of_its_batch(probe):
    outbox = use(probe, Outbox(NEVER, None, NOT_NOW))
    send_many(probe)
    probe.run_jobs()
    outbox.taken.clear()
    with begin(probe.runtime) as work:
        mails.resend(work, rows(probe)[0].id)
    probe.run_jobs()
    assert outbox.taken == [MANY[0]]


def test_the_counts_of_a_batch_include_emails_sent_again(probe):
    use(probe, Outbox(NEVER, None, NOT_NOW))
    send_many(probe, MANY[:3])
    probe.run_jobs()
    batch = rows(probe)[0].batch

    def counts():
        with begin(probe.runtime) as work:
            return mails.counts(work, batch)

    assert counts() == {"failed": 1, "sent": 1, "pending": 1}
    with begin(probe.runtime) as work:
        mails.resend(work, rows(probe)[0].id)
    probe.run_jobs()
    assert counts() == {"sent": 2, "pending": 1}


def test_all_recently_failed_emails_can_be_sent_again(probe):
    use(probe, Outbox(NEVER))
    send(probe, "old@school.example")
    probe.run_jobs()
    probe.clock.advance(hours=2)
    outbox = use(probe, Outbox(None, NEVER, NEVER, NOT_NOW))
    send_many(probe, MANY[:4])
    probe.run_jobs()
    outbox.taken.clear()
    with begin(probe.runtime) as work:
        assert mails.resend_failed(work, work.now - timedelta(hours=1)) == 2
    with begin(probe.runtime) as work:
        assert mails.resend_failed(work, work.now - timedelta(hours=1)) == 0
        resent = select(AuditEntry).where(AuditEntry.action == "mail.resend")
        entries = resent.order_by(AuditEntry.id)
        assert work.db.scalars(entries).one().new == {"count": 2}
    assert len(jobs(probe, "pending")) == 2
    probe.run_jobs()
    assert outbox.taken == MANY[1:3]
    assert [each.state for each in rows(probe)] == ["failed", "sent", "sent", "sent", "pending"]


def test_a_waiting_email_can_not_be_sent_again(probe):
    send(probe)
    with pytest.raises(Invalid, match="already"), begin(probe.runtime) as work:
        mails.resend(work, row(probe).id)
    assert len(probe.mails()) == 1


def test_emails_of_a_permanently_failed_job_have_failed(probe):
    """At first, one email is sent and another one is rejected temporarily. Then every worker that
    takes the job dies.
    """
    use(probe, Outbox(None, NOT_NOW, LOST))
    send_many(probe, MANY[:3])
    probe.run_jobs()
    probe.clock.advance(seconds=5)
    [job] = jobs(probe, "pending")
    take_and_die_until_it_is_given_up(probe, job.id)
    assert [each.state for each in jobs(probe)] == ["done", "failed"]
    assert [each.state for each in rows(probe)] == ["sent", "failed", "failed"]
    assert [each.last_error for each in rows(probe)] == [None, "OSError", "OSError"]


def test_an_email_of_a_permanently_failed_job_can_be_sent_again(probe):
    outbox = use(probe, Outbox())
    send(probe)
    [job] = jobs(probe)
    take_and_die_until_it_is_given_up(probe, job.id)
    assert (row(probe).state, row(probe).last_error) == ("failed", "JobGivenUp")
    with begin(probe.runtime) as work:
        assert mails.resend_failed(work, work.now - timedelta(hours=1)) == 1
    for waiting in jobs(probe, "pending"):
        Runner(probe.runtime).run(waiting.id)
    assert outbox.taken == [TO]


def test_a_pending_email_without_an_open_job_can_be_sent_again(probe):
    send(probe)
    with begin(probe.runtime) as work:
        work.db.scalars(select(Job).where(Job.name == mails.SEND)).one().state = "failed"
    with begin(probe.runtime) as work:
        mails.resend(work, row(probe).id)
    assert len(probe.mails()) == 1


def test_the_command_line_lists_and_resends_emails(live, run):
    with begin(live.runtime) as work:
        for state in ("sent", "failed"):
            work.db.add(
                Mail(
                    batch=uuid4(),
                    sending=uuid4(),
                    template="core.letter",
                    recipient=f"{state}@school.example",
                    args={},
                    state=state,
                    tries=1,
                    try_after=work.now,
                    last_error="SMTPRecipientsRefused 550" if state == "failed" else None,
                    created_at=work.now,
                )
            )
    assert "sent@school.example" in run("mail", "list").output
    listed = run("mail", "list", "--failed").output
    assert "sent@school.example" not in listed
    assert "failed@school.example" in listed and "SMTPRecipientsRefused 550" in listed
    failed = rows(live)[1].id
    assert f"Email {failed} will be sent again." in run("mail", "resend", str(failed)).output
    assert rows(live)[1].state == "pending"
    assert "is already waiting to be sent" in run("mail", "resend", str(failed), status=1).output
    assert "There is no email 999" in run("mail", "resend", "999", status=1).output
    assert "0 emails will be sent again." in run("mail", "resend-failed").output


# The folder of emails


def test_an_email_sent_again_replaces_its_file(tmp_path):
    for text in ("first", "second"):
        message = compose("a@b.example", TO, letter("Hello", text), datetime.now(UTC))
        with FolderTransport(tmp_path / "mail").open() as folder:
            folder.send(message, 7)
    [path] = (tmp_path / "mail").iterdir()
    assert path.name == "00000007.eml"
    assert b"second" in path.read_bytes()
    assert (tmp_path / "mail").stat().st_mode & 0o077 == 0


def test_a_folder_that_can_not_be_created_is_retried(probe, tmp_path):
    (tmp_path / "file").touch()
    use(probe, FolderTransport(tmp_path / "file" / "mail"))
    send(probe)
    probe.run_jobs()
    assert (row(probe).state, row(probe).last_error) == ("pending", "NotADirectoryError")


def test_a_failed_write_to_the_folder_is_retried(probe, tmp_path):
    folder = FolderTransport(tmp_path / "mail")
    use(probe, folder)
    send(probe)
    (tmp_path / "mail" / f"{row(probe).id:08}.eml").mkdir(parents=True)
    probe.run_jobs()
    assert (row(probe).state, row(probe).last_error) == ("pending", "IsADirectoryError")


def test_an_outage_does_not_use_an_attempt_of_a_waiting_email(probe):
    use(probe, Outbox(NOT_NOW))
    send_many(probe, MANY[:1])
    probe.run_jobs()
    with begin(probe.runtime) as work:
        waiting = work.db.scalars(select(Mail)).one()
        waiting.try_after = work.now + timedelta(minutes=10)
        mails.add(work, waiting.batch, "probe.letter", MANY[1:2])
        mails.dispatch(work, waiting.batch)
    use(probe, Outbox(UNREACHABLE))
    probe.run_jobs()
    assert states(probe) == [("pending", 1), ("pending", 1)]
