"""Deliver emails to an SMTP server, to a folder of ``.eml`` files, or with a transport of a
plugin."""

import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path
from typing import Any, ClassVar, Protocol

from pyramid.config import Configurator

from competition.core.mail.message import POLICY
from competition.core.runtime import Runtime
from competition.core.settings import Secret, Settings, imported, setting

# The codes of replies after which a retry is of no use (RFC 5321, 4.2.1).
PERMANENT = range(500, 600)
# The code of the reply "Service not available, closing transmission channel".
CHANNEL_CLOSING = 421


def parse_sender(text: str) -> str:
    """The sender, unchanged. Raises ValueError if it is not an email address."""
    mistake = ValueError(f"{text!r} is not an email address, such as league@league.example")
    if not text.isprintable():
        raise mistake
    try:
        Address(addr_spec=parseaddr(text)[1])
    except (MessageError, ValueError, IndexError):
        raise mistake from None
    return text


@dataclass(frozen=True, kw_only=True)
class MailSettings:
    """Settings of emails. Times are in seconds.

    `sender` is an address, or a name with an address in angle brackets. `transport` is ``smtp``,
    ``folder``, or the dotted path of a callable that takes the Settings and returns a Transport.
    The default is ``smtp`` if `smtp_host` is set, otherwise the `folder` on this machine.

    """

    prefix: ClassVar[str] = "competition.mail"
    sender: str = setting(parse=parse_sender)
    transport: str = setting("")
    folder: Path | None = setting(None)
    smtp_host: str = setting("")
    smtp_port: int = setting(587, minimum=1)
    smtp_user: str = setting("")
    smtp_password: Secret = setting(Secret(""))
    smtp_security: str = setting("starttls", choices=("starttls", "tls", "none"))
    smtp_timeout: float = setting(10.0, minimum=0.1)

    @staticmethod
    def problems(values: Mapping[str, Any]) -> Iterator[str]:
        transport = values.get("transport", "")
        host, folder = values.get("smtp_host"), values.get("folder")
        if (transport == "smtp" and not host) or (transport == "" and not host and not folder):
            yield "smtp_host: missing (or set COMPETITION_MAIL_SMTP_HOST)"
        if transport == "folder" and not folder:
            yield "folder: missing (or set COMPETITION_MAIL_FOLDER)"
        if transport not in ("", "smtp", "folder") and "." not in transport:
            yield f"transport: {transport!r} is not smtp, folder or a dotted path"
        if values.get("smtp_user") and not values.get("smtp_password"):
            yield "smtp_password: missing (or set COMPETITION_MAIL_SMTP_PASSWORD)"

    def risks(self) -> Iterator[str]:
        if self.transport in ("", "smtp") and self.smtp_host and self.smtp_security == "none":
            yield "smtp_security: emails, and the codes in them, are sent without TLS"


SETTINGS = MailSettings


class TransportError(Exception):
    """An email could not be sent. `reason`, for operators, is the type of the error and the
    server's reply code. It never has the server's text, which may quote the email."""

    def __init__(self, error: Exception) -> None:
        code = _code(error)
        self.reason = f"{type(error).__name__} {code}" if code else type(error).__name__
        super().__init__(self.reason)


class TransportUnreachable(TransportError):
    """The mail server, or the folder, can't be reached: no email can be sent now."""


class ConnectionLost(TransportError):
    """The connection broke while an email was sent. It is unknown whether the email was accepted.
    Further emails need a new connection."""


class MailRefused(TransportError):
    """The server rejected this email; the connection can be used for other emails. With `for_good`,
    a retry would be rejected too."""

    def __init__(self, error: Exception, *, for_good: bool) -> None:
        super().__init__(error)
        self.for_good = for_good


class Connection(Protocol):
    def send(self, message: EmailMessage, mail_id: int) -> None:
        """Send a message to its only recipient. It may be called again with the same `mail_id` if
        it is unknown whether the email was accepted.

        Raises MailRefused if this email is rejected, and ConnectionLost if the connection breaks.
        """


class Transport(Protocol):
    def open(self) -> AbstractContextManager[Connection]:
        """Context manager: a connection for any number of emails. Raises TransportUnreachable if
        the connection can't be opened."""


class FolderTransport:
    """Writes each email to a file named by its id. Sending the email again replaces the file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def open(self) -> Iterator[Connection]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise TransportUnreachable(error) from error
        yield self

    def send(self, message: EmailMessage, mail_id: int) -> None:
        path = self._folder / f"{mail_id:08}.eml"
        partial = path.with_suffix(".part")
        try:
            # Write UTF-8, because an address may have any Unicode characters.
            partial.write_bytes(message.as_bytes(policy=POLICY.clone(utf8=True)))
            partial.replace(path)
        except OSError as error:
            raise ConnectionLost(error) from error


class SmtpTransport:
    def __init__(self, settings: MailSettings) -> None:
        self._settings = settings
        # Without this context, smtplib would accept every certificate.
        self._tls = ssl.create_default_context()

    @contextmanager
    def open(self) -> Iterator[Connection]:
        try:
            server = self._connect()
        except (OSError, ValueError) as error:
            # A ValueError is raised for a host or a password with characters that can't be sent.
            raise TransportUnreachable(error) from error
        try:
            yield SmtpConnection(server)
        finally:
            with suppress(OSError):
                server.quit()
            server.close()

    def _connect(self) -> smtplib.SMTP:
        """Connect and log in. Raises OSError, or its subclass SMTPException, if that fails."""
        settings = self._settings
        host, port, timeout = settings.smtp_host, settings.smtp_port, settings.smtp_timeout
        if settings.smtp_security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=timeout, context=self._tls)
        else:
            server = smtplib.SMTP(host, port, timeout=timeout)
        try:
            if settings.smtp_security == "starttls":
                server.starttls(context=self._tls)
            if settings.smtp_user:
                server.login(settings.smtp_user, settings.smtp_password)
            server.ehlo_or_helo_if_needed()
        except BaseException:
            server.close()
            raise
        return server


class SmtpConnection:
    def __init__(self, server: smtplib.SMTP) -> None:
        self._server = server

    def send(self, message: EmailMessage, mail_id: int) -> None:
        try:
            self._server.send_message(message)
        except smtplib.SMTPServerDisconnected as error:
            raise ConnectionLost(error) from error
        except smtplib.SMTPException as error:
            code = _code(error)
            if code == CHANNEL_CLOSING:
                raise ConnectionLost(error) from error
            # A rejected sender is an error in the settings. The email can be sent after a
            # correction.
            is_mails_fault = not isinstance(error, smtplib.SMTPSenderRefused)
            raise MailRefused(error, for_good=is_mails_fault and code in PERMANENT) from error
        except OSError as error:
            raise ConnectionLost(error) from error


def _code(error: Exception) -> int | None:
    """The reply code with which the server rejected the email, or None."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        # Each email has one recipient.
        code, _ = next(iter(error.recipients.values()))
        return int(code)
    return error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else None


def make_transport(settings: Settings) -> Transport:
    """Create the transport that the settings name. Raises SettingsError if it can't be imported."""
    mail = settings[MailSettings]
    transport = mail.transport or ("smtp" if mail.smtp_host else "folder")
    if transport == "smtp":
        return SmtpTransport(mail)
    if transport == "folder":
        assert mail.folder is not None, "MailSettings.problems checks it"
        return FolderTransport(mail.folder)
    made: Transport = imported("competition.mail.transport", transport)(settings)
    return made


def includeme(config: Configurator) -> None:
    runtime: Runtime = config.registry.runtime
    runtime.provide(Transport, make_transport(runtime.settings))
