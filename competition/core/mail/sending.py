"""The job that sends the mails of one `sending`, one after the other over one connection.

For each mail it makes what the mail says, commits that, sends, and commits the result. A mail that
is known to be sent is never sent again. A worker killed between the sending and its record can't
know: that mail is sent once more.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from email.message import EmailMessage
from uuid import UUID

from pyramid.config import Configurator
from sqlalchemy import ColumnElement, Row, case, delete, func, literal, select, update

from competition.core.database_errors import noticed
from competition.core.jobs import jobs
from competition.core.jobs.housekeeping import HousekeepingSettings, retention
from competition.core.jobs.leases import LeaseLost
from competition.core.jobs.runner import Run
from competition.core.jobs.tasks import task
from competition.core.mail.mails import SEND
from competition.core.mail.message import compose
from competition.core.mail.models import Mail
from competition.core.mail.templates import MailTemplate
from competition.core.mail.transport import (
    Connection,
    ConnectionLost,
    MailRefused,
    MailSettings,
    Transport,
    TransportUnreachable,
)
from competition.core.work import Work, begin

log = logging.getLogger(__name__)

# After so many mails a worker turns to other jobs, of which the rest of the batch is the last: a
# one-time password does not wait behind a broadcast.
MOST_IN_A_RUN = 100

IS_PENDING = Mail.state == "pending"


def give_up(work: Work, sending: str) -> None:
    """Mark the pending mails as failed, since the job that sends them has been given up."""
    work.db.execute(
        update(Mail)
        .where(Mail.sending == UUID(sending), IS_PENDING)
        .values(state="failed", last_error=func.coalesce(Mail.last_error, "JobGivenUp")),
        execution_options={"synchronize_session": False},
    )


@task(SEND, steps=True, given_up=give_up)
def send_mails(run: Run, sending: str) -> None:
    of_this_sending = Mail.sending == UUID(sending)
    try:
        with run.runtime[Transport].open() as connection:
            for mail in _due(run, of_this_sending):
                causes = (mail.traceparent, run.runtime.traces.traceparent)
                with run.runtime.traces.span(f"mail {mail.template}", "producer", causes):
                    _send(run, connection, mail.id)
    except TransportUnreachable as error:
        # A mail whose next try is still to come is not charged with this failure.
        _record_failure(
            run, error.reason, of_this_sending & (Mail.try_after <= run.runtime.clock())
        )
    except ConnectionLost:
        _pause(run, of_this_sending)
    with run.finish() as work:
        rest = work.db.scalar(select(func.min(Mail.try_after)).where(of_this_sending, IS_PENDING))
        if rest is not None:
            jobs.enqueue(work, SEND, key=sending, run_after=rest, sending=sending)


def _due(run: Run, of_this_sending: ColumnElement[bool]) -> Sequence[Row[int, str, str | None]]:
    """The id of each mail to send now, with its template and who asked for it; those that nobody
    tried yet come first."""
    with run.work() as work:
        return work.db.execute(
            select(Mail.id, Mail.template, Mail.traceparent)
            .where(of_this_sending, IS_PENDING, Mail.try_after <= work.now)
            .order_by(Mail.tries, Mail.id)
            .limit(MOST_IN_A_RUN)
        ).all()


def _send(run: Run, connection: Connection, mail_id: int) -> None:
    """Send one mail and record what became of it.

    Raises ConnectionLost and LeaseLost; any other failure is recorded on this mail, and the next
    one is sent.
    """
    this = Mail.id == mail_id
    try:
        message = _write(run, mail_id)
        if message is None:
            return
        connection.send(message, mail_id)
    except LeaseLost:
        raise
    except MailRefused as refusal:
        _record_failure(run, refusal.reason, this, for_good=refusal.for_good)
    except ConnectionLost as loss:
        _record_failure(run, loss.reason, this)
        raise
    except Exception as error:
        if not noticed(error):
            log.exception("mail %s failed", mail_id)
        # The type alone: a message may quote a row, and a row may hold a secret.
        _record_failure(run, type(error).__name__, this)
    else:
        _record_sent(run, mail_id)


def _write(run: Run, mail_id: int) -> EmailMessage | None:
    """Render the mail and commit what that changed. None when it is not pending any more, or its
    template has nothing to say: then it is `skipped`."""
    with run.work() as work:
        row = work.db.get_one(Mail, mail_id)
        if row.state != "pending":
            return None
        template = work.runtime.catalogue[MailTemplate][row.template]
        context = template.prepare(work, row.recipient, **row.args)
        if context is None:
            row.state = "skipped"
            return None
        service = work.runtime.service.name
        text = template.source.render({"service": service, **context})
        subject, _, text = text.partition("\n")
        return compose(
            work.settings[MailSettings].sender,
            row.recipient,
            subject.removeprefix("Subject: "),
            text,
            work.now,
            service=service,
            reply_to=work.runtime.service.support_email,
        )


def _record_sent(run: Run, mail_id: int) -> None:
    """Mark the mail as sent, even if the lease was lost meanwhile: it has left."""
    with begin(run.runtime, run.claim.request_id) as work:
        work.db.execute(
            update(Mail)
            .where(Mail.id == mail_id, IS_PENDING)
            .values(state="sent", sent_at=work.now, tries=Mail.tries + 1, last_error=None),
            execution_options={"synchronize_session": False},
        )


def _record_failure(
    run: Run, reason: str, which: ColumnElement[bool], *, for_good: bool = False
) -> None:
    """Record a failed try of the pending mails in `which`: tried again after a pause that doubles,
    or `failed` when `for_good` or out of attempts."""
    with run.work() as work:
        settings = work.settings[MailSettings]
        seconds = func.least(settings.backoff * func.power(2.0, Mail.tries), settings.backoff_limit)
        is_over = literal(for_good) | (Mail.tries + 1 >= settings.attempts)
        work.db.execute(
            update(Mail)
            .where(which, IS_PENDING)
            .values(
                state=case((is_over, "failed"), else_="pending"),
                tries=Mail.tries + 1,
                last_error=reason,
                try_after=work.now + seconds * timedelta(seconds=1),
            ),
            execution_options={"synchronize_session": False},
        )


def _pause(run: Run, of_this_sending: ColumnElement[bool]) -> None:
    """After a lost connection: put the other mails off by `backoff`, without counting a try."""
    with run.work() as work:
        until = work.now + timedelta(seconds=work.settings[MailSettings].backoff)
        work.db.execute(
            update(Mail)
            .where(of_this_sending, IS_PENDING, Mail.try_after < until)
            .values(try_after=until),
            execution_options={"synchronize_session": False},
        )


@retention("core.mails")
def forget_mails(work: Work) -> None:
    oldest = work.now - timedelta(days=work.settings[HousekeepingSettings].mail_days)
    work.db.execute(delete(Mail).where(Mail.state != "pending", Mail.created_at < oldest))


def includeme(config: Configurator) -> None:
    config.scan(__name__)
