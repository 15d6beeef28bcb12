"""Where mails leave the service: a folder of ``.eml`` files, or an SMTP server."""

import smtplib
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any, ClassVar, Protocol

from competition.core.settings import Secret, Settings, setting


@dataclass(frozen=True, kw_only=True)
class MailSettings:
    """`folder` is used when no `smtp_host` is given. `smtp_timeout` in seconds."""

    prefix: ClassVar[str] = "competition.mail"
    sender: str = setting()
    folder: Path | None = setting(None)
    smtp_host: str = setting("")
    smtp_port: int = setting(587, minimum=1)
    smtp_user: str = setting("")
    smtp_password: Secret = setting(Secret(""))
    smtp_security: str = setting("starttls", choices=("starttls", "tls", "none"))
    smtp_timeout: float = setting(10.0, minimum=0.1)
    attempts: int = setting(6, minimum=1)

    @staticmethod
    def problems(values: Mapping[str, Any]) -> Iterator[str]:
        if not values.get("smtp_host") and not values.get("folder"):
            yield "smtp_host: missing (or set COMPETITION_MAIL_SMTP_HOST)"
        if values.get("smtp_user") and not values.get("smtp_password"):
            yield "smtp_password: missing (or set COMPETITION_MAIL_SMTP_PASSWORD)"


class Outbox(Protocol):
    def send(self, message: EmailMessage, mail_id: int) -> None:
        """Raises OSError (SMTP errors are such) when the mail was not taken."""


class FolderOutbox:
    """A file a mail, named by the mail's id: sending again replaces it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, message: EmailMessage, mail_id: int) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / f"{mail_id:08}.eml"
        partial = path.with_suffix(".part")
        partial.write_bytes(message.as_bytes(policy=SMTP))
        partial.replace(path)


class SmtpOutbox:
    def __init__(self, settings: MailSettings) -> None:
        self._settings = settings
        # By itself smtplib believes every certificate.
        self._tls = ssl.create_default_context()

    def send(self, message: EmailMessage, mail_id: int) -> None:
        settings = self._settings
        with self._connect() as server:
            if settings.smtp_security == "starttls":
                server.starttls(context=self._tls)
            if settings.smtp_user:
                server.login(settings.smtp_user, settings.smtp_password)
            server.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        settings = self._settings
        host, port, timeout = settings.smtp_host, settings.smtp_port, settings.smtp_timeout
        if settings.smtp_security == "tls":
            return smtplib.SMTP_SSL(host, port, timeout=timeout, context=self._tls)
        return smtplib.SMTP(host, port, timeout=timeout)


def make_outbox(settings: Settings) -> Outbox:
    mail = settings[MailSettings]
    if mail.smtp_host:
        return SmtpOutbox(mail)
    assert mail.folder is not None, "one of the two is given, as MailSettings.problems says"
    return FolderOutbox(mail.folder)
