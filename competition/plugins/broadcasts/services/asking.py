"""Create and read broadcasts."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from sqlalchemy import ColumnElement, and_, or_, select, true
from sqlalchemy.orm import joinedload, selectinload

from competition.core import audit, repeats
from competition.core.errors import NotFound
from competition.core.jobs import jobs
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.mail import mails
from competition.core.messages import Message
from competition.core.seasons.models import CURRENT_ID
from competition.core.users.affected import Affected, affected
from competition.core.users.models import JOINED_SEASON, User
from competition.core.work import Work
from competition.plugins.broadcasts.errors import InvalidMedium, NoRecipientsFound
from competition.plugins.broadcasts.models import Broadcast, Medium

CREATE = "broadcast.create"
MEDIUMS = get_args(Medium)
ORDERING = {
    "id": Broadcast.id,
    "subject": Broadcast.subject,
    "status": Broadcast.status,
    "created_at": Broadcast.created_at,
}

# Maps each kind of account to roles.
Roles = Mapping[str, Sequence[str]]


def create(work: Work, fields: Mapping[str, Any], idempotency_key: str | None = None) -> Broadcast:
    """Store a broadcast, and enqueue its sending.

    If the actor has sent the same request under this idempotency key before, this returns the
    broadcast of that request.

    Raises InvalidMedium for an unknown medium, and NoRecipientsFound if no user with one of the
    roles can be reached by one of the mediums (decisions M2, M3). Raises IdempotencyKeyReused if
    the key was used for another request.
    """
    broadcast_id: int = repeats.once(
        work, CREATE, idempotency_key, fields, lambda: _create(work, fields)
    )
    return get(work, broadcast_id)


def _create(work: Work, fields: Mapping[str, Any]) -> int:
    mediums = _merged(medium.lower() for medium in fields["mediums"])
    if not set(mediums) <= set(MEDIUMS):
        raise InvalidMedium
    roles = {kind: _merged(names) for kind, names in fields["target_roles"].items()}
    reached = or_(*(is_reached_by(each) for each in mediums))
    recipients = select(User.id).where(is_targeted(roles, fields["joined"]), reached)
    if work.db.scalar(recipients.limit(1)) is None:
        raise NoRecipientsFound
    broadcast = Broadcast(
        subject=fields["subject"],
        message=fields["message"],
        mediums=mediums,
        target_roles=roles,
        joined=fields["joined"],
        created_by_id=work.identity.user_id,
        created_at=work.now,
    )
    work.db.add(broadcast)
    work.db.flush()
    narrowed = {} if broadcast.joined is None else {"joined": broadcast.joined}
    audit.record(
        work,
        CREATE,
        subject=f"broadcast {broadcast.id}",
        new={"mediums": mediums, "target_roles": roles, **narrowed},
    )
    jobs.enqueue(work, "broadcasts.send", broadcast_id=broadcast.id)
    return broadcast.id


def get(work: Work, broadcast_id: int) -> Broadcast:
    """The broadcast with this id, with its author and deliveries. Raises NotFound if there is
    none."""
    broadcast = work.db.scalar(
        select(Broadcast)
        .options(joinedload(Broadcast.created_by), selectinload(Broadcast.deliveries))
        .where(Broadcast.id == broadcast_id)
        .execution_options(populate_existing=True)
    )
    if broadcast is None:
        raise NotFound(Message("There is no broadcast with this id. Check the id."))
    return broadcast


def mail_counts(work: Work, broadcast: Broadcast) -> dict[str, int]:
    """The number of emails of a broadcast, by state. Empty if there are none."""
    return mails.counts(work, broadcast.task_id) if "email" in broadcast.mediums else {}


def page_of_broadcasts(work: Work, query: Query) -> Page[Broadcast]:
    text = Broadcast.subject + " " + Broadcast.message
    return paginate(
        work,
        select(Broadcast)
        .options(joinedload(Broadcast.created_by))
        .where(*contains_every_word(query["search"], text)),
        query,
        key=Broadcast.id,
        created=Broadcast.created_at,
        ordering=ORDERING,
    )


def preview(work: Work, roles: Roles, joined: bool | None) -> Affected:
    """How many people would receive a broadcast to these roles now, and the first ten of them."""
    return affected(work, select(User.id).where(is_targeted(roles, joined)))


def is_targeted(roles: Roles, joined: bool | None = None) -> ColumnElement[bool]:
    """SQL condition for active accounts with one of the roles (decisions M5). `joined` narrows the
    candidates to those who have joined the current season, or to those who have not."""
    of_kinds = [and_(User.kind == kind, User.role.in_(names)) for kind, names in roles.items()]
    if joined is None:
        return and_(User.is_active, or_(*of_kinds))
    has_joined = JOINED_SEASON.element >= CURRENT_ID
    is_wanted = has_joined if joined else ~has_joined
    return and_(User.is_active, or_(*of_kinds), or_(User.kind != "candidate", is_wanted))


def is_reached_by(medium: str) -> ColumnElement[bool]:
    """SQL condition for accounts that get broadcasts by this medium. Those without an email address
    get no emails."""
    return and_(true(), User.has_email) if medium == "email" else true()


def _merged(names: Any) -> list[str]:
    return list(dict.fromkeys(names))
