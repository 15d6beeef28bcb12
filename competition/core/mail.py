"""Mails: a row when it is asked for, a job that sends it, a result on the row.

A rendered mail is never stored. What it says that is secret, such as a one-time password, is made
by the job, committed as a hash, and sent; sending again makes a new one.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import TYPE_CHECKING, Any

import jinja2
import venusian

from competition.core.jobs import Run, task
from competition.core.models import Mail
from competition.core.outbox import MailSettings
from competition.core.work import Work

if TYPE_CHECKING:
    from competition.core.runtime import Runtime

log = logging.getLogger(__name__)

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
    with run.work() as work:
        row = work.db.get_one(Mail, mail_id, with_for_update=True)
        done = row.state != "pending"
        message = None
        if not done:
            row.tries += 1
            message = _prepare(work, row)
            if message is None:
                row.state = "skipped"
    if message is not None:
        _send(run, mail_id, message)
    with run.finish() as work:
        if message is not None:
            row = work.db.get_one(Mail, mail_id)
            row.state, row.sent_at, row.last_error = "sent", work.now, None


def _prepare(work: Work, row: Mail) -> EmailMessage | None:
    template = work.runtime.mails[row.template]
    context = template.prepare(work, row.recipient, **row.args)
    if context is None:
        return None
    subject, _, text = template.source.render(context).partition("\n")
    sender = Address(addr_spec=work.settings[MailSettings].sender)
    message = EmailMessage()
    message["Subject"] = subject.removeprefix("Subject: ")
    message["From"] = sender
    message["To"] = row.recipient
    message["Date"] = format_datetime(work.now)
    message["Message-ID"] = make_msgid(str(row.id), domain=sender.domain)
    message.set_content(text.lstrip("\n"))
    return message


def _send(run: Run, mail_id: int, message: EmailMessage) -> None:
    runtime = run.runtime
    try:
        runtime.outbox.send(message, mail_id)
    except OSError as error:
        with run.work() as work:
            row = work.db.get_one(Mail, mail_id)
            row.last_error = type(error).__name__
            if row.tries >= runtime.settings[MailSettings].attempts:
                row.state = "failed"
        raise
