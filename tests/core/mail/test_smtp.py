"""Sending emails to a real SMTP server, which may accept or reject them."""

import asyncio
import socket
import ssl

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from competition.core.mail.transport import MailSettings, SmtpTransport, Transport
from competition.core.settings import Secret
from tests.support.mail_rows import row, rows, write
from tests.support.ports import free_port

MANY = [f"pupil{number}@school.example" for number in range(6)]
TO = MANY[0]


def send(service, recipients=(TO,), **args):
    write(service, recipients, **args)
    service.run_jobs()


def states(service):
    return [each.state for each in rows(service)]


class Server:
    """An SMTP handler with fixed answers.

    `answers` maps a recipient, or "sender", to an answer: a string, or a function to call. Without
    an answer, the handler accepts.
    """

    def __init__(self, answers=None):
        self.answers = answers or {}
        self.envelopes = []
        self.connections = 0

    @property
    def taken(self):
        return [address for envelope in self.envelopes for address in envelope.rcpt_tos]

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        answer = self.answers.get("sender")
        if answer:
            return answer
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = self.answers.get(address)
        if isinstance(answer, str):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        answer = self.answers.get(envelope.rcpt_tos[0])
        if answer is not None:
            return await answer(server)
        self.envelopes.append(envelope)
        return "250 taken"


@pytest.fixture
def smtp_server():
    """``smtp_server(answers, …)`` starts a server, and returns its port and its handler."""
    controllers = []

    def start(answers=None, **options):
        server = Server(answers)
        port = free_port()
        controller = Controller(server, hostname="127.0.0.1", port=port, **options)
        controller.start()
        controllers.append(controller)
        return port, server

    yield start
    for controller in controllers:
        controller.stop()


def use(service, port, **options):
    values = {"smtp_security": "none", **options}
    service.runtime.provide(
        Transport,
        SmtpTransport(
            MailSettings(
                sender="league@league.example", smtp_host="127.0.0.1", smtp_port=port, **values
            )
        ),
    )


def test_a_server_accepts_an_email(probe, smtp_server):
    port, server = smtp_server()
    use(probe, port)
    send(probe, subject="Grüße", text="Ærøskøbing")
    [envelope] = server.envelopes
    assert envelope.mail_from == "league@league.example"
    assert envelope.rcpt_tos == [TO]
    assert b"=?utf-8?" in envelope.content
    assert row(probe).state == "sent"


def test_many_emails_use_one_connection_with_one_recipient_each(probe, smtp_server):
    port, server = smtp_server()
    use(probe, port)
    send(probe, MANY)
    assert server.connections == 1
    assert [envelope.rcpt_tos for envelope in server.envelopes] == [[each] for each in MANY]
    for envelope, address in zip(server.envelopes, MANY, strict=True):
        assert [each for each in MANY if each.encode() in envelope.content] == [address]


def test_an_unavailable_server_is_retried(probe):
    use(probe, free_port())
    send(probe)
    assert (row(probe).state, row(probe).last_error) == ("pending", "ConnectionRefusedError")


def test_a_permanently_rejected_recipient_is_not_retried(probe, smtp_server):
    port, server = smtp_server({TO: "550 no such mailbox, secret words"})
    use(probe, port)
    send(probe, MANY)
    assert server.taken == MANY[1:]
    assert server.connections == 1
    [failed, *_] = rows(probe)
    assert (failed.state, failed.tries) == ("failed", 1)
    assert failed.last_error == "SMTPRecipientsRefused 550"


def test_a_temporarily_rejected_recipient_is_retried(probe, smtp_server):
    port, server = smtp_server({TO: "451 greylisted"})
    use(probe, port)
    send(probe, MANY)
    assert server.taken == MANY[1:]
    assert rows(probe)[0].last_error == "SMTPRecipientsRefused 451"
    server.answers.clear()
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert server.taken[-1] == TO
    assert states(probe) == ["sent"] * 6


@pytest.mark.parametrize(
    ("answer", "state"), [("554 this is spam", "failed"), ("452 disk full", "pending")]
)
def test_a_rejected_message_fails_or_is_retried(probe, smtp_server, answer, state):
    async def refuse(server):
        return answer

    port, server = smtp_server({TO: refuse})
    use(probe, port)
    send(probe, MANY)
    assert server.taken == MANY[1:]
    assert states(probe)[0] == state
    assert rows(probe)[0].last_error == f"SMTPDataError {answer[:3]}"


def test_a_rejected_sender_is_retried(probe, smtp_server):
    port, server = smtp_server({"sender": "550 not with this login"})
    use(probe, port)
    send(probe)
    assert (row(probe).state, row(probe).last_error) == ("pending", "SMTPSenderRefused 550")
    server.answers.clear()
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert row(probe).state == "sent"


def test_an_address_that_the_server_can_not_handle_does_not_stop_others(probe, smtp_server):
    port, server = smtp_server(enable_SMTPUTF8=False)
    use(probe, port)
    send(probe, ["märta@school.example", *MANY])
    assert server.taken == MANY
    assert rows(probe)[0].last_error == "SMTPNotSupportedError"


def test_an_international_domain_needs_no_server_support(probe, smtp_server):
    port, server = smtp_server(enable_SMTPUTF8=False)
    use(probe, port)
    send(probe, ["ada@münchen.example"])
    assert server.taken == ["ada@xn--mnchen-3ya.example"]


def test_an_international_address_is_sent_to_a_server_with_smtputf8(probe, smtp_server):
    port, server = smtp_server(enable_SMTPUTF8=True)
    use(probe, port)
    send(probe, ["märta@school.example"], subject="Grüße")
    assert server.taken == ["märta@school.example"]
    assert "To: märta@school.example\r\n".encode() in server.envelopes[0].content


def test_a_server_without_8bitmime_gets_only_ascii(probe, smtp_server):
    port, server = smtp_server(decode_data=True)
    use(probe, port)
    send(probe, subject="数学", text="Grüße\n.\n.. dots")
    assert row(probe).state == "sent"
    assert server.envelopes[0].content.isascii()


def test_temporarily_rejected_emails_of_a_batch_are_sent_later(probe, smtp_server):
    busy = dict.fromkeys(MANY[3:], "450 enough for today")
    port, server = smtp_server(busy)
    use(probe, port)
    send(probe, MANY)
    assert server.taken == MANY[:3]
    assert states(probe) == ["sent"] * 3 + ["pending"] * 3
    server.answers.clear()
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert server.taken == MANY


def test_after_a_server_crash_the_rest_of_the_batch_is_sent_later(probe, smtp_server):
    """The server may or may not have received the email that was being sent."""

    async def die(server):
        server.transport.abort()
        return "250 never heard"

    port, server = smtp_server({MANY[2]: die})
    use(probe, port)
    send(probe, MANY)
    assert server.taken == MANY[:2]
    assert rows(probe)[2].last_error == "SMTPServerDisconnected"
    server.answers.clear()
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert server.taken == [*MANY[:2], *MANY[3:], MANY[2]]
    assert server.connections == 2


def test_after_a_server_closes_the_connection_the_rest_is_sent_later(probe, smtp_server):
    port, server = smtp_server({MANY[2]: "421 too many mails, come again"})
    use(probe, port)
    send(probe, MANY)
    assert server.taken == MANY[:2]
    assert [each.tries for each in rows(probe)] == [1, 1, 1, 0, 0, 0]
    server.answers.clear()
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert sorted(server.taken) == MANY


def test_a_hanging_server_times_out(probe, smtp_server):
    released = asyncio.Event()

    async def hang(server):
        await released.wait()
        return "451 at last"

    port, server = smtp_server({MANY[1]: hang})
    use(probe, port, smtp_timeout=5)
    send(probe, MANY)
    assert server.taken == MANY[:1]
    assert rows(probe)[1].last_error in ("TimeoutError", "SMTPServerDisconnected")
    server.answers.clear()
    use(probe, port)
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert sorted(server.taken) == MANY


def test_a_server_that_never_greets_times_out(probe):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        use(probe, silent.getsockname()[1], smtp_timeout=0.2)
        send(probe)
    assert row(probe).state == "pending"
    assert row(probe).last_error in ("TimeoutError", "SMTPServerDisconnected")


# TLS and passwords


@pytest.fixture
def authority(monkeypatch, tmp_path):
    """A certificate authority that this machine trusts."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return authority


def server_context(authority, name="127.0.0.1"):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context


def credentials(server, session, envelope, mechanism, data):
    # `handled=False` makes aiosmtpd send the reply. Without a reply, the client would wait until
    # its timeout.
    is_right = (data.login, data.password) == (b"league", b"hunter2")
    return AuthResult(success=is_right, handled=False)


@pytest.fixture
def locked_server(smtp_server, authority):
    """A server that accepts emails only after STARTTLS and a login."""
    return smtp_server(
        tls_context=server_context(authority),
        require_starttls=True,
        authenticator=credentials,
        auth_required=True,
    )


def test_a_user_and_a_password_are_sent_over_tls(probe, locked_server):
    port, server = locked_server
    login = {"smtp_user": "league", "smtp_password": Secret("hunter2")}
    use(probe, port, smtp_security="starttls", **login)
    send(probe, MANY)
    assert server.taken == MANY


def test_a_wrong_password_is_retried(probe, locked_server):
    port, server = locked_server
    login = {"smtp_security": "starttls", "smtp_user": "league"}
    use(probe, port, smtp_password=Secret("hunter3"), **login)
    send(probe)
    assert (row(probe).state, server.taken) == ("pending", [])
    use(probe, port, smtp_password=Secret("hunter2"), **login)
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert (row(probe).state, server.taken) == ("sent", [TO])


def test_a_login_that_the_server_does_not_support_is_retried(probe, locked_server):
    port, server = locked_server
    login = {"smtp_security": "starttls", "smtp_user": "league"}
    use(probe, port, smtp_password=Secret("hünter2"), **login)
    send(probe)
    assert (row(probe).state, row(probe).last_error) == ("pending", "UnicodeEncodeError")
    use(probe, port, smtp_password=Secret("hunter2"), **login)
    probe.clock.advance(seconds=5)
    probe.run_jobs()
    assert (row(probe).state, server.taken) == ("sent", [TO])


def test_implicit_tls_is_supported(probe, smtp_server, authority):
    port, server = smtp_server(ssl_context=server_context(authority))
    use(probe, port, smtp_security="tls")
    send(probe)
    assert server.taken == [TO]


def assert_nothing_sent(service, server, error):
    """Check that the client has sent neither the password nor an email."""
    send(service)
    assert server.taken == []
    assert (row(service).state, row(service).last_error) == ("pending", error)


def test_a_server_with_an_untrusted_certificate_gets_nothing(probe, smtp_server, authority):
    port, server = smtp_server(tls_context=server_context(trustme.CA()))
    use(probe, port, smtp_security="starttls")
    assert_nothing_sent(probe, server, "SSLCertVerificationError")


def test_a_server_with_a_certificate_for_another_host_gets_nothing(probe, smtp_server, authority):
    context = server_context(authority, "mail.elsewhere.example")
    port, server = smtp_server(ssl_context=context)
    use(probe, port, smtp_security="tls")
    assert_nothing_sent(probe, server, "SSLCertVerificationError")


def test_a_server_without_required_tls_gets_nothing(probe, smtp_server):
    port, server = smtp_server()
    use(probe, port, smtp_security="starttls")
    assert_nothing_sent(probe, server, "SMTPNotSupportedError")
