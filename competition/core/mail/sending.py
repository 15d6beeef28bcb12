"""The job that sends emails, one after the other over one connection. Emails that one job sends
have the same id in their column `sending`.

For each email the job renders the text, commits what that changed (such as the hash of a one-time
password), sends the message, and commits the result. An email that is marked as sent is not sent
again. If the worker is killed between sending an email and marking it, the email is sent twice.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from email.message import EmailMessage
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, case, delete, func, literal, select, update

from competition.core.database_errors import noticed
from competition.core.jobs import jobs
from competition.core.jobs.housekeeping import retention
from competition.core.jobs.leases import LeaseLost
from competition.core.jobs.runner import Run
from competition.core.jobs.tasks import task
from competition.core.mail import links
from competition.core.mail.mails import SEND
from competition.core.mail.message import Letter, compose, letter
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
from competition.core.messages import translate_for, worded
from competition.core.users.models import SLIP_DOMAIN, User
from competition.core.work import Work, begin

log = logging.getLogger(__name__)

# The most emails that one job sends. Another job sends the rest, so that the worker can run other
# jobs in between, such as a job that sends a one-time password.
MOST_IN_A_RUN = 100
# The seconds until a failed email is retried: 5, then twice as many each time, up to 10 minutes.
# The first pauses are short, because a user may be waiting for a one-time password.
BACKOFF, BACKOFF_LIMIT = 5.0, 600.0
# After this many tries, half an hour after the first, an email has failed permanently. One-time
# passwords have expired by then, and operators can resend the other emails.
MOST_TRIES = 10
# How long emails are retained. Support staff look up whether an email to a user was sent. Failed
# jobs are retained for the same time.
RETAINED = timedelta(days=90)

# An email, with the language and the kind of the recipient's account, if there is one.
WITH_RECIPIENT = select(Mail, User.language, User.kind).outerjoin(
    User, User.email == Mail.recipient
)
IS_PENDING = Mail.state == "pending"


def give_up(work: Work, sending: str) -> None:
    """Mark the emails that are still pending as failed, because the job that sends them has failed
    permanently. `sending` is the id in their column of this name."""
    work.db.execute(
        update(Mail)
        .where(Mail.sending == UUID(sending), IS_PENDING)
        .values(state="failed", last_error=func.coalesce(Mail.last_error, "JobGivenUp")),
        execution_options={"synchronize_session": False},
    )


@task(SEND, steps=True, given_up=give_up)
def send_mails(run: Run, sending: str) -> None:
    """Send the due emails that have the id `sending` in their column of this name, at most 100.
    Enqueue another job if emails are left, or have to be retried."""
    of_this_sending = Mail.sending == UUID(sending)
    letters: dict[Any, Letter] = {}
    try:
        with run.runtime[Transport].open() as connection:
            for mail in _due(run, of_this_sending):
                causes = (mail.traceparent, run.runtime.traces.traceparent)
                with run.runtime.traces.span(f"mail {mail.template}", "producer", causes):
                    _send(run, connection, mail.id, letters)
    except TransportUnreachable as error:
        # This counts as a failure only for the emails that were due.
        _record_failure(
            run, error.reason, of_this_sending & (Mail.try_after <= run.runtime.clock())
        )
    except ConnectionLost:
        _pause(run, of_this_sending)
    with run.finish() as work:
        rest = work.db.scalar(select(func.min(Mail.try_after)).where(of_this_sending, IS_PENDING))
        if rest is not None:
            # Never set a time in the past: this job would then run before the jobs of other emails
            # that have been enqueued in the meantime.
            due = max(rest, work.now)
            jobs.enqueue(work, SEND, key=sending, run_after=due, sending=sending)


def _due(run: Run, of_this_sending: ColumnElement[bool]) -> Sequence[Row[int, str, str | None]]:
    """The id, template and trace of the emails to send now, at most `MOST_IN_A_RUN`, those with the
    fewest tries first."""
    with run.work() as work:
        return work.db.execute(
            select(Mail.id, Mail.template, Mail.traceparent)
            .where(of_this_sending, IS_PENDING, Mail.try_after <= work.now)
            .order_by(Mail.tries, Mail.id)
            .limit(MOST_IN_A_RUN)
        ).all()


def _send(run: Run, connection: Connection, mail_id: int, letters: dict[Any, Letter]) -> None:
    """Send one email and record the result.

    Raises ConnectionLost if the connection can't be used for further emails, and LeaseLost if
    another worker has claimed the job. Any other failure is only recorded with the email.
    """
    this = Mail.id == mail_id
    try:
        message = _write(run, mail_id, letters)
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
        # Record only the type, because the message may quote a row that contains a secret.
        _record_failure(run, type(error).__name__, this)
    else:
        _record_sent(run, mail_id)


def _write(run: Run, mail_id: int, letters: dict[Any, Letter]) -> EmailMessage | None:
    """Render the email and commit what that changed. The text of a shared template is rendered only
    if it is not in `letters`, which has the shared texts of earlier emails.

    Returns None if the email is no longer pending, or was deleted because its recipient was erased.
    Also returns None, and marks the email as `skipped`, if there is nothing to send: its template
    returns None, or its recipient has no email address.
    """
    with run.work() as work:
        found = work.db.execute(WITH_RECIPIENT.where(Mail.id == mail_id)).one_or_none()
        if found is None or found[0].state != "pending":
            return None
        row, chosen, kind = found
        template = work.runtime.catalogue[MailTemplate][row.template]
        service = work.runtime.service
        language = template.language_for(chosen or service.language)
        same = (template.name, str(row.args), language, kind)
        content = letters.get(same)
        if content is None:
            context = None
            if not row.recipient.endswith(f"@{SLIP_DOMAIN}"):
                context = template.prepare(work, row.recipient, **row.args)
            if context is None:
                row.state = "skipped"
                return None
            added = {"service": service.name, "link": links.for_kind(work.runtime, kind)}
            variables = worded({**added, **context}, translate_for(work.runtime, language))
            text = template.texts[language].render(variables)
            subject, _, text = text.partition("\n")
            subject = subject.removeprefix("Subject: ")
            content = letter(subject, text, service=service.name, language=language)
            if template.shared:
                letters[same] = content
        return compose(
            work.settings[MailSettings].sender,
            row.recipient,
            content,
            work.now,
            reply_to=service.support_email,
        )


def _record_sent(run: Run, mail_id: int) -> None:
    """Mark the email as sent, even if the lease has been lost in the meantime."""
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
    """Record a failed try of the pending emails that meet the condition `which`.

    They are retried after a pause that doubles each time. With `for_good`, or after the last try,
    they are marked as `failed`.
    """
    with run.work() as work:
        seconds = func.least(BACKOFF * func.power(2.0, Mail.tries), BACKOFF_LIMIT)
        is_over = literal(for_good) | (Mail.tries + 1 >= MOST_TRIES)
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
    """Let the job's pending emails wait for at least 5 seconds after a lost connection. This does
    not count as a failed try of these emails."""
    with run.work() as work:
        until = work.now + timedelta(seconds=BACKOFF)
        work.db.execute(
            update(Mail)
            .where(of_this_sending, IS_PENDING, Mail.try_after < until)
            .values(try_after=until),
            execution_options={"synchronize_session": False},
        )


@retention("core.mails")
def forget_mails(work: Work) -> None:
    """Delete emails that were created more than 90 days ago, except those that wait to be sent."""
    oldest = work.now - RETAINED
    work.db.execute(delete(Mail).where(Mail.state != "pending", Mail.created_at < oldest))
