"""Send broadcasts in steps, each in its own transaction.

Each step locks the broadcast. If two workers send the same broadcast, they take turns, and each
continues where the other one stopped.
"""

from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import delete, func, insert, literal, select

from competition.core.mail import mails
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.broadcasts import BroadcastSettings
from competition.plugins.broadcasts.models import Broadcast, Delivery, Recipient
from competition.plugins.broadcasts.services.asking import is_reached_by, is_targeted
from competition.plugins.notifications.services import notify


class Addressee(NamedTuple):
    id: UUID
    email: str


def choose_recipients(work: Work, broadcast_id: int) -> None:
    """Store the recipients, and a delivery per medium and role, unless they are already stored or
    the sending has ended."""
    broadcast = _locked(work, broadcast_id)
    if broadcast.status != "pending":
        return
    broadcast.last_attempt = work.now
    if work.db.scalar(_deliveries(broadcast_id).limit(1)) is not None:
        return
    chosen = select(literal(broadcast_id), User.role, User.id).where(
        is_targeted(broadcast.target_roles, broadcast.joined)
    )
    columns = ["broadcast_id", "role", "user_id"]
    work.db.execute(insert(Recipient).from_select(columns, chosen))
    counted = [func.count().filter(is_reached_by(medium)) for medium in broadcast.mediums]
    rows = work.db.execute(
        select(Recipient.role, *counted)
        .join(User, User.id == Recipient.user_id)
        .where(Recipient.broadcast_id == broadcast_id)
        .group_by(Recipient.role)
    )
    counts = {role: dict(zip(broadcast.mediums, found, strict=True)) for role, *found in rows}
    work.db.add_all(
        Delivery(
            broadcast_id=broadcast_id,
            medium=medium,
            role_type=kind,
            target_role=role,
            total=counts.get(role, {}).get(medium, 0),
        )
        for medium in broadcast.mediums
        for kind, roles in broadcast.target_roles.items()
        for role in roles
    )


def send_batch(work: Work, broadcast_id: int) -> bool:
    """Notify the next batch of recipients of one delivery. Returns False if no delivery was
    pending, and True otherwise."""
    broadcast = _locked(work, broadcast_id)
    is_open = Delivery.status == "pending"
    delivery = work.db.scalar(_deliveries(broadcast_id).where(is_open).limit(1))
    if delivery is None:
        return False
    size = work.settings[BroadcastSettings].batch
    batch = _next(work, delivery, size)
    if batch:
        if delivery.medium == "email":
            # The emails are sent when the broadcast is finished.
            mails.add(
                work,
                broadcast.task_id,
                "broadcasts.broadcast",
                [each.email for each in batch],
                broadcast_id=broadcast_id,
            )
        else:
            notify(work, [each.id for each in batch], broadcast.subject, broadcast.message)
        delivery.cursor = batch[-1].id
        delivery.done += len(batch)
    if len(batch) < size:
        # Accounts that were deleted or deactivated during the sending don't count.
        delivery.total = delivery.done
        _close(work, delivery)
    return True


def finish(work: Work, broadcast_id: int) -> None:
    """End the sending, and dispatch the emails. Deliveries that are not complete become failed
    (decisions M1).

    A second call changes nothing, because emails that are dispatched twice could be sent twice.
    """
    broadcast = _locked(work, broadcast_id)
    if broadcast.status != "pending":
        return
    deliveries = work.db.scalars(_deliveries(broadcast_id)).all()
    for delivery in deliveries:
        if delivery.status == "pending":
            _close(work, delivery)
    broadcast.status = "sent" if any(each.done for each in deliveries) else "failed"
    if "email" in broadcast.mediums:
        mails.dispatch(work, broadcast.task_id)
    work.db.execute(delete(Recipient).where(Recipient.broadcast_id == broadcast_id))


def _close(work: Work, delivery: Delivery) -> None:
    is_complete = delivery.done == delivery.total > 0
    delivery.status = "sent" if is_complete else "failed"
    delivery.attempted_at = work.now


def _locked(work: Work, broadcast_id: int) -> Broadcast:
    return work.db.get_one(Broadcast, broadcast_id, with_for_update=True)


def _deliveries(broadcast_id: int) -> Any:
    return select(Delivery).where(Delivery.broadcast_id == broadcast_id).order_by(Delivery.id)


def _next(work: Work, delivery: Delivery, size: int) -> list[Addressee]:
    recipients = (
        select(User.id, User.email)
        .join(Recipient, Recipient.user_id == User.id)
        .where(
            Recipient.broadcast_id == delivery.broadcast_id,
            Recipient.role == delivery.target_role,
            User.is_active,
            is_reached_by(delivery.medium),
        )
        .order_by(Recipient.user_id)
        .limit(size)
        # Keep these accounts from being erased until the commit (`core.users.accounts`). An account
        # that was erased before is no longer active, so it is skipped.
        .with_for_update(read=True, key_share=True, of=User)
    )
    if delivery.cursor is not None:
        recipients = recipients.where(Recipient.user_id > delivery.cursor)
    return [Addressee(*row) for row in work.db.execute(recipients)]
