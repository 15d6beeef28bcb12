"""Mails: a row when it is asked for, a job that sends it, a result on the row.

A rendered mail is never stored. What it says that is secret, such as a one-time password, is made
by the job, committed as a hash, and sent; sending again makes a new one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import TYPE_CHECKING, Any, Literal

import jinja2
import venusian

from competition.core.jobs import Run, task
from competition.core.models import Mail
from competition.core.outbox import MailSettings
from competition.core.work import Work

if TYPE_CHECKING:
    from competition.core.runtime import Runtime

Context = Mapping[str, Any]
# (work, recipient, **args) -> what the template shows; None: there is nothing to send any more.
Prepare = Callable[..., Context | None]


@dataclass(frozen=True)
class MailTemplate:
    """`source` is the text whose first line is ``Subject: …``."""

    name: str
    prepare: Prepare
    source: jinja2.Template


def mail_template(name: str) -> Callable[[Prepare], Prepare]:
    """Declare a mail. ``plugin.what`` renders ``templates/what.txt`` beside the module.

    The function makes what the mail says, in a transaction that is committed before the mail is
    sent.
    """

    def decorate(function: Prepare) -> Prepare:
        def register(scanner: Any, _name: str, _function: Any) -> None:
            environment = jinja2.Environment(
                loader=jinja2.PackageLoader(function.__module__.rpartition(".")[0]),
                undefined=jinja2.StrictUndefined,
                # Plain text.
                autoescape=False,
            )
            source = environment.get_template(f"{name.rpartition('.')[2]}.txt")
            runtime: Runtime = scanner.config.registry.runtime
            runtime.mails[name] = MailTemplate(name, function, source)

        venusian.attach(function, register, category="pyramid")
        return function

    return decorate


def send(work: Work, template: str, recipient: str, **args: Any) -> None:
    """Have a mail sent after the commit. `args` are ids, never a secret.

    Raises KeyError for an unknown template.
    """
    row = Mail(
        template=work.runtime.mails[template].name,
        recipient=recipient,
        args=args,
        created_at=work.now,
    )
    work.db.add(row)
    work.db.flush()
    work.enqueue("core.send_mail", mail_id=row.id)


@task("core.send_mail", steps=True)
def send_mail(run: Run, mail_id: int) -> None:
    """A mail that is known to be sent is never sent again. A worker killed between the sending and
    its record can't know: that mail is sent once more."""
    try:
        outcome = _try(run, mail_id)
    except Exception as error:
        _record_failure(run, mail_id, error)
        raise
    with run.finish() as work:
        if outcome is not None:
            row = work.db.get_one(Mail, mail_id)
            row.tries += 1
            row.state, row.last_error = outcome, None
            row.sent_at = work.now if outcome == "sent" else None


def _try(run: Run, mail_id: int) -> Literal["sent", "skipped"] | None:
    """None: it is known what became of the mail."""
    with run.work() as work:
        row = work.db.get_one(Mail, mail_id)
        if row.state != "pending":
            return None
        message = _write(work, row)
    if message is None:
        return "skipped"
    run.runtime.outbox.send(message, mail_id)
    return "sent"


def _write(work: Work, row: Mail) -> EmailMessage | None:
    template = work.runtime.mails[row.template]
    context = template.prepare(work, row.recipient, **row.args)
    if context is None:
        return None
    subject, _, text = template.source.render(context).partition("\n")
    sender = Address(addr_spec=work.settings[MailSettings].sender)
    message = EmailMessage()
    # A header is one line, whatever the data has for line ends.
    message["Subject"] = " ".join(subject.removeprefix("Subject: ").split())
    message["From"] = sender
    message["To"] = row.recipient
    message["Date"] = format_datetime(work.now)
    message["Message-ID"] = make_msgid(str(row.id), domain=sender.domain)
    message.set_content(text.lstrip("\n"))
    return message


def _record_failure(run: Run, mail_id: int, error: Exception) -> None:
    with run.work() as work:
        row = work.db.get_one(Mail, mail_id)
        row.tries += 1
        # The type alone: a server's answer may quote the mail.
        row.last_error = type(error).__name__
        if row.tries >= work.settings[MailSettings].attempts or run.is_last:
            row.state = "failed"
