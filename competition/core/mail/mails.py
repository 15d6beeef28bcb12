"""Enqueue emails, read their state, and send them again.

The text of an email is never stored, only the template and its arguments. The job that sends an
email creates the secrets in it, such as a one-time password, and commits only their hashes. Sending
the email again creates new secrets.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update

from competition.core import audit
from competition.core.auth.access import StaffRole
from competition.core.errors import Invalid, NotFound
from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import check_taken
from competition.core.mail.models import Mail
from competition.core.mail.templates import MailTemplate
from competition.core.messages import Message
from competition.core.monitoring.metrics import gauge
from competition.core.todo import Waiting, todo, waiting
from competition.core.users.personal_data import personal_data
from competition.core.work import Work

SEND = "core.send_mails"


def send(work: Work, template: str, recipient: str, **args: Any) -> None:
    """Send an email after the commit.

    `args` are the arguments of the template's function. They are stored as JSON, so pass ids (a
    UUID as a string) and never a secret.

    Raises LookupError for an unknown template, and TypeError if the arguments are not JSON or the
    template does not take them.
    """
    batch = uuid4()
    add(work, batch, template, [recipient], **args)
    dispatch(work, batch)


def add(work: Work, batch: UUID, template: str, recipients: Collection[str], **args: Any) -> None:
    """Store one email per recipient, as part of `batch`.

    The emails are sent after `dispatch(work, batch)`. Call `dispatch` once for each batch, in this
    transaction or in a later one.

    Raises LookupError for an unknown template, and TypeError if the arguments are not JSON or the
    template does not take them.
    """
    if not recipients:
        return
    found = work.runtime.catalogue.named(MailTemplate, template)
    check_taken(found.name, found.prepare, 2, args)
    shared = {
        "batch": batch,
        "sending": batch,
        "template": found.name,
        "args": args,
        "created_at": work.now,
        "try_after": work.now,
        "traceparent": work.runtime.traces.traceparent,
    }
    work.db.execute(insert(Mail), [{**shared, "recipient": recipient} for recipient in recipients])


def dispatch(work: Work, sending: UUID) -> None:
    """Enqueue the job that sends the emails with this id in their column `sending`, after the
    commit. New emails have the id of their batch there."""
    jobs.enqueue(work, SEND, key=str(sending), sending=str(sending))


def counts(work: Work, batch: UUID) -> dict[str, int]:
    """How many emails of a batch are in each state. Emails that housekeeping has deleted are not
    counted."""
    rows = work.db.execute(
        select(Mail.state, func.count()).where(Mail.batch == batch).group_by(Mail.state)
    )
    return {state: count for state, count in rows}


def newest(work: Work, most: int, *, only_failed: bool = False) -> list[Mail]:
    """The latest emails, at most `most`, in ascending order of their ids. With `only_failed`, only
    emails that have failed permanently."""
    mails = select(Mail).order_by(Mail.id.desc()).limit(most)
    if only_failed:
        mails = mails.where(Mail.state == "failed")
    return list(reversed(work.db.scalars(mails).all()))


def resend(work: Work, mail_id: int) -> None:
    """Send an email again, whatever its state is. Raises NotFound if there is no such email, and
    Invalid if a job is already going to send it."""
    row = work.db.get(Mail, mail_id, with_for_update=True, populate_existing=True)
    if row is None:
        raise NotFound(Message("There is no email ${id}. Check the id.", id=mail_id))
    if row.state == "pending" and _is_under_way(work, row.sending):
        raise Invalid(Message("Email ${id} is already waiting to be sent.", id=mail_id))
    audit.record(work, "mail.resend", subject=f"mail {mail_id}", old=row.state)
    _restart(work, Mail.id == mail_id)


def resend_failed(work: Work, since: datetime) -> int:
    """Send again all failed emails that were created at the time `since` or later, for example
    after an outage of the mail server. Returns the number of these emails."""
    count = _restart(work, and_(Mail.state == "failed", Mail.created_at >= since))
    if count:
        audit.record(work, "mail.resend", subject="failed mails", new={"count": count})
    return count


def _restart(work: Work, which: ColumnElement[bool]) -> int:
    sending = uuid4()
    restarted = work.db.execute(
        update(Mail)
        .where(which)
        .values(
            sending=sending,
            state="pending",
            tries=0,
            last_error=None,
            sent_at=None,
            try_after=work.now,
            traceparent=work.runtime.traces.traceparent,
        )
        .returning(Mail.id),
        execution_options={"synchronize_session": False},
    ).all()
    if restarted:
        dispatch(work, sending)
    return len(restarted)


def _is_under_way(work: Work, sending: UUID) -> bool:
    is_open = Job.state.in_(["pending", "running"])
    found = select(Job.id).where(Job.name == SEND, Job.key == str(sending), is_open)
    return work.db.scalar(found.limit(1)) is not None


def export_mails(work: Work, user: Any) -> list[dict[str, Any]]:
    """The emails to a user's address, with their template, state and time. Their text is not
    stored."""
    found = work.db.scalars(select(Mail).where(Mail.recipient == user.email).order_by(Mail.id))
    return [
        {"template": each.template, "state": each.state, "created_at": each.created_at}
        for each in found
    ]


@personal_data("mails", export=export_mails)
def erase_mails(work: Work, user: Any) -> None:
    """Delete the emails to the user's address, also those that wait to be sent."""
    work.db.execute(delete(Mail).where(Mail.recipient == user.email))


@gauge("mails_waiting", "Emails that are waiting to be sent.")
def mails_waiting(work: Work) -> float:
    return _count_of(work, "pending")


@todo("mails.failed", rank=StaffRole.SUPERADMIN, link="house/mails?state=failed")
def failed_mails(work: Work) -> Waiting:
    return waiting(work, select(Mail.created_at).where(Mail.state == "failed"))


@gauge("mails_failed", "Emails that failed permanently: `competition mail list --failed`.")
def mails_failed(work: Work) -> float:
    return _count_of(work, "failed")


def _count_of(work: Work, state: str) -> int:
    return work.db.scalar(select(func.count()).select_from(Mail).where(Mail.state == state)) or 0
