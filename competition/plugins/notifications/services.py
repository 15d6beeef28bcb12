from collections.abc import Collection
from datetime import datetime
from itertools import product
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Integer,
    Select,
    SQLColumnExpression,
    Uuid,
    and_,
    any_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
    true,
    update,
)

from competition.core.errors import NotFound
from competition.core.push.feeds import lock_feed
from competition.core.push.notify import announce
from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.web.pagination import (
    Page,
    Query,
    contains_every_word,
    page_bounds,
    page_size,
    paginate,
)
from competition.core.work import Work
from competition.plugins.notifications import NotificationSettings, is_topic
from competition.plugins.notifications.models import Notice, Notification

ORDERING = {"id": Notification.id, "created_at": Notification.created_at}

IS_OWN = Notification.user_id == bindparam("user_id")
IS_UNREAD = Notification.read_at.is_(None)
# The fields of a query that few clients send: the statement of such a page is built for it.
RARE = "search", "ordering", "created_after", "created_before"
STATUSES = None, "read", "unread"
COUNTS = select(func.count().label("total"), func.count().filter(IS_UNREAD).label("unread")).where(
    IS_OWN
)

FEED = "notifications"

# Of OURS, what is below; plugins above know their own.
DOCUMENTS, ROLES = "documents", "roles"


class Listing(NamedTuple):
    """A page of a user's notifications, and how many the user has, whatever the page is filtered
    by."""

    page: Page[Any]
    total: int
    unread: int


class Told(NamedTuple):
    """A notification as the feed pushes it: light, since thousands are loaded at once."""

    id: int
    user_id: UUID
    subject: str
    message: str
    is_read: bool
    created_at: datetime


def is_told(work: Work, about: str) -> bool:
    """Whether organisers want users to be told of it; what has no name is always told. Raises
    ValueError for what `competition.notifications.on` could never name."""
    if about and not is_topic(about, {*work.runtime.packages.values()}):
        raise ValueError(
            f"A notification about {about!r}: that has to be the name of the plugin that tells it,"
            " or to begin with that and a dot."
        )
    return not about or about in work.settings[NotificationSettings].on


def notify(
    work: Work, user_ids: Collection[UUID] | Select[UUID], subject: str, message: str
) -> None:
    """Tell the users; open sockets hear of it after the commit. Accounts that are gone are left
    out.

    All who notify wait for each other until their commits (`lock_feed`): call it late in a
    transaction.
    """
    if isinstance(user_ids, Select):
        are_told: ColumnElement[bool] = User.id.in_(user_ids)
    elif user_ids:
        are_told = User.id == any_(_uuids(user_ids))
    else:
        return
    notice = Notice(subject=subject, message=message)
    work.db.add(notice)
    work.db.flush()
    lock_feed(work, FEED)
    work.db.execute(
        insert(Notification).from_select(
            ["notice_id", "user_id", "created_at"],
            select(literal(notice.id), User.id, literal(work.now)).where(are_told),
        )
    )
    announce(work, FEED)


def _are_shown(status: str | None, is_after: bool) -> list[ColumnElement[bool]]:
    """Conditions of a list: of the user, with this status, and after an id if `is_after`."""
    are_shown = [IS_OWN]
    if status is not None:
        are_shown.append(IS_UNREAD if status == "unread" else ~IS_UNREAD)
    if is_after:
        are_shown.append(Notification.id > bindparam("after_id"))
    return are_shown


def _page(status: str | None, is_after: bool) -> Select[Any]:
    """SELECT of a page, each row with the counts. An empty page is one row with the counts, whose
    id is None."""
    are_shown = _are_shown(status, is_after)
    counts = COUNTS.add_columns(func.count().filter(*are_shown).label("found")).subquery("counts")
    page = (
        select(
            Notification.id,
            Notice.subject,
            Notice.message,
            (~IS_UNREAD).label("is_read"),
            Notification.created_at,
        )
        .join(Notice, Notice.id == Notification.notice_id)
        .where(*are_shown)
        .order_by(_order(Notification.id, is_after))
        .limit(bindparam("size", type_=Integer()))
        .offset(bindparam("before", type_=Integer()))
        .subquery("page")
    )
    beside = select(counts, page).outerjoin_from(counts, page, true())
    return beside.order_by(_order(page.c.id, is_after))


def _order(id: SQLColumnExpression[int], is_after: bool) -> ColumnElement[int]:
    return id.asc() if is_after else id.desc()


PAGES = {form: _page(*form) for form in product(STATUSES, (False, True))}


def listing(work: Work, query: Query) -> Listing:
    """A page of the actor's notifications, newest first.

    With `after_id` it is the oldest first, so that a client that was away reads on from the last
    notification that it has. Raises NotFound beyond the last page.
    """
    if any(query[name] for name in RARE):
        return _searched(work, query)
    size = page_size(query)
    on_page = {
        "user_id": work.identity.user_id,
        "after_id": query["after_id"],
        "size": size,
        "before": (query["page"] - 1) * size,
    }
    rows = work.db.execute(PAGES[_form(query)], on_page).all()
    counts = rows[0]
    number, size = page_bounds(query, counts.found)
    shown = [row for row in rows if row.id is not None]
    return Listing(Page(shown, counts.found, number, size), counts.total, counts.unread)


def _searched(work: Work, query: Query) -> Listing:
    user_id = work.identity.user_id
    counts = work.db.execute(COUNTS, {"user_id": user_id}).one()
    status, is_after = _form(query)
    statement = select(Notification).where(*_are_shown(status, is_after))
    statement = statement.params(user_id=user_id, after_id=query["after_id"])
    if query["search"]:
        words = contains_every_word(query["search"], Notice.subject + " " + Notice.message)
        statement = statement.where(Notification.notice.has(and_(*words)))
    page = paginate(
        work,
        statement,
        query,
        key=Notification.id,
        created=Notification.created_at,
        ordering=ORDERING,
        default=[_order(Notification.id, is_after)],
    )
    return Listing(page, counts.total, counts.unread)


def _form(query: Query) -> tuple[str | None, bool]:
    return query["status"], query["after_id"] is not None


def mark_as_read(work: Work, notification_id: int) -> None:
    """Mark one of the actor's notifications as read; a second call changes nothing. Raises
    NotFound, also for another user's."""
    is_own = (Notification.id == notification_id, Notification.user_id == work.identity.user_id)
    changed = work.db.scalar(
        update(Notification)
        .where(*is_own, Notification.read_at.is_(None))
        .values(read_at=work.now)
        .returning(Notification.id)
    )
    if changed is None and work.db.scalar(select(Notification.id).where(*is_own)) is None:
        raise NotFound("There is no such notification.")


def mark_all_as_read(work: Work) -> int:
    """Mark all notifications of the actor as read; returns how many were unread."""
    changed = work.db.execute(
        update(Notification)
        .where(
            Notification.user_id == work.identity.user_id,
            Notification.read_at.is_(None),
        )
        .values(read_at=work.now)
        .returning(Notification.id),
        execution_options={"synchronize_session": False},
    )
    return len(changed.all())


def latest_id(work: Work) -> int:
    return work.db.scalar(select(func.max(Notification.id))) or 0


def between(work: Work, user_ids: Collection[UUID], after: int, until: int) -> list[Told]:
    """The notifications of these users with after < id <= until, in the order of their ids. A text
    that many were told is loaded once."""
    rows = work.db.execute(
        select(
            Notification.id,
            Notification.notice_id,
            Notification.user_id,
            Notification.read_at.is_not(None),
            Notification.created_at,
        )
        .where(
            Notification.id > after,
            Notification.id <= until,
            Notification.user_id == any_(_uuids(user_ids)),
        )
        .order_by(Notification.id)
    ).all()
    wanted = bindparam("notices", list({row.notice_id for row in rows}), type_=ARRAY(Integer()))
    notices = work.db.execute(
        select(Notice.id, Notice.subject, Notice.message).where(Notice.id == any_(wanted))
    )
    texts = {id: (subject, message) for id, subject, message in notices}
    return [
        Told(id, user_id, *texts[notice_id], is_read, created_at)
        for id, notice_id, user_id, is_read, created_at in rows
    ]


def _uuids(user_ids: Collection[UUID]) -> Any:
    """The ids as one parameter of a statement, however many there are."""
    return bindparam("user_ids", list(user_ids), type_=ARRAY(Uuid()))


def export_notifications(work: Work, user: User) -> list[dict[str, Any]]:
    """Everything that a user was told, the oldest first."""
    found = work.db.scalars(
        select(Notification).where(Notification.user_id == user.id).order_by(Notification.id)
    )
    return [
        {
            "subject": each.subject,
            "message": each.message,
            "created_at": each.created_at,
            "read_at": each.read_at,
        }
        for each in found
    ]


@personal_data("notifications", export=export_notifications)
def erase_notifications(work: Work, user: User) -> None:
    """Delete a user's notifications, and the notices that went to this user alone."""
    gone = work.db.scalars(
        delete(Notification)
        .where(Notification.user_id == user.id)
        .returning(Notification.notice_id)
    ).all()
    still_told = select(Notification.id).where(Notification.notice_id == Notice.id).exists()
    work.db.execute(
        delete(Notice).where(Notice.id.in_(gone), ~still_told),
        execution_options={"synchronize_session": False},
    )
