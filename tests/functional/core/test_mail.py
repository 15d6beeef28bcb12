"""A mail is a row, then a job, then a result on the row."""

import smtplib
import socket
import ssl
from datetime import timedelta

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from sqlalchemy import select

from competition.core import mail
from competition.core.jobs import Runner
from competition.core.models import Flag, Job, Mail
from competition.core.outbox import FolderOutbox, MailSettings, SmtpOutbox
from competition.core.settings import Secret

TO = "ada@school.example"


def send(service, to=TO, **args):
    """The job's id."""
    with service.runtime.work() as work:
        mail.send(work, "probe.letter", to, **args)
    with service.runtime.work() as work:
        return work.db.scalars(select(Job.id).where(Job.name == "core.send_mail")).all()[-1]


def run(service, job_id):
    assert Runner(service.runtime).run(job_id)


def row(service):
    with service.runtime.work() as work:
        return work.db.scalars(select(Mail)).one()


def job(service, job_id):
    with service.runtime.work() as work:
        return work.db.get_one(Job, job_id)


class Outbox:
    """Refuses as often as it is told, then takes; `taken` is what was sent."""

    def __init__(self, refusals=0, error=None):
        self.refusals = refusals
        self.error = error or smtplib.SMTPServerDisconnected("secret words of the server")
        self.taken = []

    def send(self, message, mail_id):
        if self.refusals:
            self.refusals -= 1
            raise self.error
        self.taken.append(message)


def use(service, outbox):
    service.runtime.outbox = outbox
    return outbox


def test_a_mail_is_sent(probe):
    send(probe, subject="Welcome", text="Good morning, Ærøskøbing.")
    assert row(probe).state == "pending"
    [message] = probe.mails(TO)
    assert message["Subject"] == "Welcome"
    assert message["From"] == "league@league.example"
    assert message["Date"].datetime == probe.clock.now
    assert message.get_content().strip() == "Good morning, Ærøskøbing."
    sent = row(probe)
    assert (sent.state, sent.tries, sent.sent_at) == ("sent", 1, probe.clock.now)
    assert sent.last_error is None


def test_a_mail_of_an_aborted_transaction_is_not_sent(probe):
    with pytest.raises(ZeroDivisionError), probe.runtime.work() as work:
        mail.send(work, "probe.letter", TO)
        raise ZeroDivisionError
    assert probe.mails() == []


def test_an_unknown_mail_is_refused_at_once(probe):
    with pytest.raises(KeyError), probe.runtime.work() as work:
        mail.send(work, "probe.nothing", TO)


def test_a_mail_with_nothing_to_say_is_skipped(probe):
    job_id = send(probe, skip=True)
    assert probe.mails() == []
    assert row(probe).state == "skipped"
    assert job(probe, job_id).state == "done"


def test_what_the_mail_says_is_committed_before_it_is_sent(live_probe):
    """A code must be known to the database when its mail arrives."""
    known = []

    class Looking(Outbox):
        def send(self, message, mail_id):
            with live_probe.runtime.work() as work:
                known.append(work.db.get(Flag, "secret") is not None)

    use(live_probe, Looking())
    run(live_probe, send(live_probe, flag="secret"))
    assert known == [True]


def test_a_mail_that_is_not_taken_is_tried_again(probe):
    outbox = use(probe, Outbox(refusals=1))
    job_id = send(probe)
    run(probe, job_id)
    tried = row(probe)
    assert (tried.state, tried.tries, tried.sent_at) == ("pending", 1, None)
    # The type alone: a server's answer may quote the mail.
    assert tried.last_error == "SMTPServerDisconnected"
    assert job(probe, job_id).run_after == probe.clock.now + timedelta(seconds=2)
    probe.clock.advance(seconds=2)
    run(probe, job_id)
    assert (row(probe).state, row(probe).tries, row(probe).last_error) == ("sent", 2, None)
    assert len(outbox.taken) == 1


def test_a_mail_that_is_never_taken_fails(probe):
    use(probe, Outbox(refusals=100))
    job_id = send(probe)
    for _ in range(6):
        assert row(probe).state == "pending"
        run(probe, job_id)
        probe.clock.advance(hours=1)
    failed = row(probe)
    assert (failed.state, failed.tries) == ("failed", 6)
    run(probe, job_id)
    assert (row(probe).state, row(probe).tries) == ("failed", 6)
    assert job(probe, job_id).state == "done"


def test_a_mail_that_cannot_be_written_fails_too(probe):
    """An operator looks at the mails to see who got none."""
    job_id = send(probe, crash=True)
    for _ in range(6):
        assert row(probe).state == "pending"
        run(probe, job_id)
        probe.clock.advance(hours=1)
    failed = row(probe)
    assert (failed.state, failed.tries, failed.last_error) == ("failed", 6, "ZeroDivisionError")


def test_no_mail_waits_for_a_job_that_is_given_up(app_with, with_probe):
    service = app_with({**with_probe, "competition.jobs.attempts": "2"})
    use(service, Outbox(refusals=100))
    job_id = send(service)
    for _ in range(2):
        assert row(service).state == "pending"
        run(service, job_id)
        service.clock.advance(hours=1)
    assert (row(service).state, job(service, job_id).state) == ("failed", "failed")


def test_whatever_an_outbox_raises_is_on_the_row(probe):
    use(probe, Outbox(refusals=1, error=ValueError("odd")))
    run(probe, send(probe))
    assert (row(probe).state, row(probe).last_error) == ("pending", "ValueError")


def test_a_mail_that_is_known_to_be_sent_is_not_sent_again(probe):
    outbox = use(probe, Outbox())
    job_id = send(probe)
    run(probe, job_id)
    with probe.runtime.work() as work:
        work.db.get_one(Job, job_id).state = "pending"
    run(probe, job_id)
    assert len(outbox.taken) == 1
    assert row(probe).tries == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\x85", "\u2028"])
def test_a_line_end_in_a_subject_adds_no_header(probe, end):
    send(probe, subject=f"Hello{end}Bcc: everybody@school.example")
    [message] = probe.mails(TO)
    assert message["Bcc"] is None
    assert message["Subject"].startswith("Hello")
    assert message["To"] == TO


def test_a_text_stays_as_it_is(probe):
    text = "<b>&amp; {{ 7 * 7 }}\n.\nFrom here\n  on"
    send(probe, text=text)
    [message] = probe.mails(TO)
    assert message.get_content().splitlines() == text.splitlines()
    assert message.get_content_type() == "text/plain"


# The folder


def test_a_mail_sent_again_replaces_its_file(tmp_path):
    outbox = FolderOutbox(tmp_path / "mail")
    for subject in ("first", "second"):
        message = mail.EmailMessage()
        message["Subject"] = subject
        outbox.send(message, 7)
    [path] = (tmp_path / "mail").iterdir()
    assert path.name == "00000007.eml"
    assert b"second" in path.read_bytes()
    assert (tmp_path / "mail").stat().st_mode & 0o077 == 0


# A server


class Received:
    def __init__(self):
        self.envelopes = []

    async def handle_DATA(self, server, session, envelope):
        self.envelopes.append(envelope)
        return "250 taken"


@pytest.fixture
def smtp_server():
    """``smtp_server(...)`` starts one; answers its port and what it receives."""
    servers = []

    def start(**options):
        received = Received()
        port = free_port()
        controller = Controller(received, hostname="127.0.0.1", port=port, **options)
        controller.start()
        servers.append(controller)
        return port, received

    yield start
    for controller in servers:
        controller.stop()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def smtp(port, **options):
    values = {"smtp_security": "none", **options}
    return SmtpOutbox(
        MailSettings(
            sender="league@league.example", smtp_host="127.0.0.1", smtp_port=port, **values
        )
    )


def test_a_server_takes_the_mail(probe, smtp_server):
    port, received = smtp_server()
    use(probe, smtp(port))
    run(probe, send(probe, subject="Grüße", text="Ærøskøbing"))
    [envelope] = received.envelopes
    assert envelope.mail_from == "league@league.example"
    assert envelope.rcpt_tos == [TO]
    assert b"=?utf-8?" in envelope.content
    assert row(probe).state == "sent"


def test_a_server_that_is_away_is_tried_again(probe):
    use(probe, smtp(free_port()))
    run(probe, send(probe))
    assert row(probe).state == "pending"
    assert row(probe).last_error == "ConnectionRefusedError"


@pytest.fixture
def authority(monkeypatch, tmp_path):
    """One that this machine trusts."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return authority


def server_context(authority, name="127.0.0.1"):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context


def credentials(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login, data.password) == (b"league", b"hunter2"))


def test_a_user_and_a_password_are_sent_over_tls(probe, smtp_server, authority):
    port, received = smtp_server(
        tls_context=server_context(authority),
        require_starttls=True,
        authenticator=credentials,
        auth_required=True,
    )
    use(
        probe,
        smtp(port, smtp_security="starttls", smtp_user="league", smtp_password=Secret("hunter2")),
    )
    run(probe, send(probe))
    assert len(received.envelopes) == 1


def test_a_server_may_speak_tls_from_the_first_byte(probe, smtp_server, authority):
    port, received = smtp_server(ssl_context=server_context(authority))
    use(probe, smtp(port, smtp_security="tls"))
    run(probe, send(probe))
    assert len(received.envelopes) == 1


def assert_nothing_sent(service, received):
    """Neither the password nor a mail with somebody's code."""
    run(service, send(service))
    assert received.envelopes == []
    assert row(service).state == "pending"
    assert row(service).last_error == "SSLCertVerificationError"


def test_a_server_that_cannot_prove_who_it_is_gets_nothing(probe, smtp_server, authority):
    port, received = smtp_server(tls_context=server_context(trustme.CA()))
    use(probe, smtp(port, smtp_security="starttls"))
    assert_nothing_sent(probe, received)


def test_a_server_with_the_certificate_of_another_gets_nothing(probe, smtp_server, authority):
    context = server_context(authority, "mail.elsewhere.example")
    port, received = smtp_server(ssl_context=context)
    use(probe, smtp(port, smtp_security="tls"))
    assert_nothing_sent(probe, received)


def test_a_server_without_tls_gets_nothing_that_needs_it(probe, smtp_server):
    port, received = smtp_server()
    use(probe, smtp(port, smtp_security="starttls"))
    run(probe, send(probe))
    assert received.envelopes == []
    assert row(probe).last_error == "SMTPNotSupportedError"
