"""Asking for mails, and what became of them.

A rendered mail is never stored. What it says that is secret, such as a one-time password, is made
by the job, committed as a hash, and sent; sending again makes a new one. `message` beside this
module makes the message, `sending` sends it.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from pyramid.config import Configurator
from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update

from competition.core import audit
from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import check_arguments, check_taken
from competition.core.mail.models import Mail
from competition.core.mail.templates import MailTemplate
from competition.core.monitoring.metrics import gauge
from competition.core.users.personal_data import personal_data
from competition.core.work import Work

SEND = "core.send_mails"


class MailError(Exception):
    """What is wrong with an operator's request, for the command line."""


def send(work: Work, template: str, recipient: str, **args: Any) -> None:
    """Have a mail sent after the commit. `args` are ids, a UUID as a text, never a secret.

    Raises LookupError for an unknown template, TypeError for what is no JSON, or nothing that the
    mail takes.
    """
    batch = uuid4()
    add(work, batch, template, [recipient], **args)
    dispatch(work, batch)


def add(work: Work, batch: UUID, template: str, recipients: Collection[str], **args: Any) -> None:
    """Store a mail to each recipient alone, as part of `batch`. Nothing leaves before `dispatch`,
    which is called once for a batch: in this transaction, or in a later one.

    Raises LookupError for an unknown template, TypeError for what is no JSON, or nothing that the
    mail takes.
    """
    if not recipients:
        return
    found = work.runtime.catalogue.named(MailTemplate, template)
    check_arguments(found.name, args)
    check_taken(found.name, found.prepare, 2, args)
    shared = {
        "batch": batch,
        "sending": batch,
        "template": found.name,
        "args": args,
        "state": "pending",
        "tries": 0,
        "created_at": work.now,
        "try_after": work.now,
        "traceparent": work.runtime.traces.traceparent,
    }
    work.db.execute(insert(Mail), [{**shared, "recipient": recipient} for recipient in recipients])


def dispatch(work: Work, sending: UUID) -> None:
    """Have the mails of one sending, at first those of one batch, sent after the commit."""
    jobs.enqueue(work, SEND, key=str(sending), sending=str(sending))


def counts(work: Work, batch: UUID) -> dict[str, int]:
    """How many mails of a batch are in each state; those that were deleted since are in none."""
    rows = work.db.execute(
        select(Mail.state, func.count()).where(Mail.batch == batch).group_by(Mail.state)
    )
    return {state: count for state, count in rows}


def newest(work: Work, most: int, *, only_failed: bool = False) -> list[Mail]:
    """The latest mails, in the order of their ids."""
    mails = select(Mail).order_by(Mail.id.desc()).limit(most)
    if only_failed:
        mails = mails.where(Mail.state == "failed")
    return list(reversed(work.db.scalars(mails).all()))


def resend(work: Work, mail_id: int) -> None:
    """Send a mail again as if for the first time, whatever became of it. Raises MailError when
    there is no such mail, and while a job is sending it."""
    row = work.db.get(Mail, mail_id, with_for_update=True)
    if row is None:
        raise MailError(f"There is no mail {mail_id}.")
    if row.state == "pending" and _is_under_way(work, row.sending):
        raise MailError(f"Mail {mail_id} waits to be sent already.")
    audit.record(work, "mail.resend", subject=f"mail {mail_id}", old=row.state)
    _restart(work, Mail.id == mail_id)


def resend_failed(work: Work, since: datetime) -> int:
    """Send all mails again that failed and were asked for since then, as after an outage of the
    mail server; returns how many."""
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
    """What was mailed to a user's address: which mails, not what they said."""
    found = work.db.scalars(select(Mail).where(Mail.recipient == user.email).order_by(Mail.id))
    return [
        {"template": each.template, "state": each.state, "created_at": each.created_at}
        for each in found
    ]


@personal_data("mails", export=export_mails)
def erase_mails(work: Work, user: Any) -> None:
    work.db.execute(delete(Mail).where(Mail.recipient == user.email))


@gauge("mails_waiting", "Mails to be sent.")
def mails_waiting(work: Work) -> float:
    return _count_of(work, "pending")


@gauge("mails_failed", "Mails that were given up: `competition mail list --failed`.")
def mails_failed(work: Work) -> float:
    return _count_of(work, "failed")


def _count_of(work: Work, state: str) -> int:
    return work.db.scalar(select(func.count()).select_from(Mail).where(Mail.state == state)) or 0


def includeme(config: Configurator) -> None:
    config.scan(__name__)
