"""Where mails leave the service: a folder of ``.eml`` files, an SMTP server, or what a plugin
brings."""

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

# RFC 5321, 4.2.1: such an answer will be the same next time.
PERMANENT = range(500, 600)
# "Service not available, closing transmission channel."
CHANNEL_CLOSING = 421


def parse_sender(text: str) -> str:
    mistake = ValueError(f"{text!r} is no address, such as league@league.example")
    if not text.isprintable():
        raise mistake
    try:
        Address(addr_spec=parseaddr(text)[1])
    except (MessageError, ValueError, IndexError):
        raise mistake from None
    return text


@dataclass(frozen=True, kw_only=True)
class MailSettings:
    """How mails are sent. `sender` is an address, or a name with an address in angle brackets.
    `transport` is ``smtp``, ``folder``, or the dotted name of a callable that takes the Settings
    and returns a Transport; by default ``smtp`` once there is an `smtp_host`, else a `folder` on
    this machine. Times in seconds: a mail that was not taken is tried again after `backoff`, then
    twice as long, up to `backoff_limit`."""

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
    attempts: int = setting(10, minimum=1)
    backoff: float = setting(5.0, minimum=0)
    backoff_limit: float = setting(600.0, minimum=0)

    @staticmethod
    def problems(values: Mapping[str, Any]) -> Iterator[str]:
        transport = values.get("transport", "")
        host, folder = values.get("smtp_host"), values.get("folder")
        if (transport == "smtp" and not host) or (transport == "" and not host and not folder):
            yield "smtp_host: missing (or set COMPETITION_MAIL_SMTP_HOST)"
        if transport == "folder" and not folder:
            yield "folder: missing (or set COMPETITION_MAIL_FOLDER)"
        if transport not in ("", "smtp", "folder") and "." not in transport:
            yield f"transport: {transport!r} is none of smtp, folder and a dotted name"
        if values.get("smtp_user") and not values.get("smtp_password"):
            yield "smtp_password: missing (or set COMPETITION_MAIL_SMTP_PASSWORD)"

    def risks(self) -> Iterator[str]:
        if self.transport in ("", "smtp") and self.smtp_host and self.smtp_security == "none":
            yield "smtp_security: mails, and the codes in them, leave without TLS"


SETTINGS = MailSettings


class TransportError(Exception):
    """`reason` is fit for an operator: the type of what went wrong and the server's number, never
    its words, which may quote the mail."""

    def __init__(self, error: Exception) -> None:
        code = _code(error)
        self.reason = f"{type(error).__name__} {code}" if code else type(error).__name__
        super().__init__(self.reason)


class TransportUnreachable(TransportError):
    """No mail can leave now."""


class ConnectionLost(TransportError):
    """Nobody knows whether this mail was taken; the next ones need a new connection."""


class MailRefused(TransportError):
    """This one was not taken; others may be. `for_good`: it never will be."""

    def __init__(self, error: Exception, *, for_good: bool) -> None:
        super().__init__(error)
        self.for_good = for_good


class Connection(Protocol):
    def send(self, message: EmailMessage, mail_id: int) -> None:
        """Send to the one recipient that the message has. A mail of one id may come again, when
        nobody knows whether it was taken.

        Raises MailRefused and ConnectionLost.
        """


class Transport(Protocol):
    def open(self) -> AbstractContextManager[Connection]:
        """A connection for any number of mails. Raises TransportUnreachable."""


class FolderTransport:
    """A file a mail, named by the mail's id: sending again replaces it."""

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
            # An address may be in any script.
            partial.write_bytes(message.as_bytes(policy=POLICY.clone(utf8=True)))
            partial.replace(path)
        except OSError as error:
            raise ConnectionLost(error) from error


class SmtpTransport:
    def __init__(self, settings: MailSettings) -> None:
        self._settings = settings
        # By itself smtplib believes every certificate.
        self._tls = ssl.create_default_context()

    @contextmanager
    def open(self) -> Iterator[Connection]:
        try:
            server = self._connect()
        except (OSError, ValueError) as error:
            # The latter for a host or a password in characters that the protocol does not have.
            raise TransportUnreachable(error) from error
        try:
            yield SmtpConnection(server)
        finally:
            with suppress(OSError):
                server.quit()
            server.close()

    def _connect(self) -> smtplib.SMTP:
        """Raises OSError, which every SMTPException is."""
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
            # A refused sender is a mistake in the settings, which can be mended.
            is_mails_fault = not isinstance(error, smtplib.SMTPSenderRefused)
            raise MailRefused(error, for_good=is_mails_fault and code in PERMANENT) from error
        except OSError as error:
            raise ConnectionLost(error) from error


def _code(error: Exception) -> int | None:
    """The number with which the server refused."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        # Each mail has one recipient.
        code, _ = next(iter(error.recipients.values()))
        return int(code)
    return error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else None


def make_transport(settings: Settings) -> Transport:
    """The transport that the settings ask for. Raises SettingsError for one that can't be
    imported."""
    mail = settings[MailSettings]
    transport = mail.transport or ("smtp" if mail.smtp_host else "folder")
    if transport == "smtp":
        return SmtpTransport(mail)
    if transport == "folder":
        assert mail.folder is not None, "it is given, as MailSettings.problems says"
        return FolderTransport(mail.folder)
    made: Transport = imported("competition.mail.transport", transport)(settings)
    return made


def includeme(config: Configurator) -> None:
    runtime: Runtime = config.registry.runtime
    runtime.provide(Transport, make_transport(runtime.settings))
