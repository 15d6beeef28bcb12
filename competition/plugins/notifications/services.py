from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Integer,
    Row,
    Select,
    any_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)

from competition.core.audit import ERASED_DOMAIN
from competition.core.database import uuids
from competition.core.errors import NotFound
from competition.core.jobs import jobs
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.mail import mails
from competition.core.messages import (
    ENGLISH,
    LANGUAGES,
    Language,
    Message,
    Translations,
    worded,
)
from competition.core.push.feeds import lock_feed
from competition.core.push.notify import announce
from competition.core.runtime import ServiceSettings
from competition.core.users.models import User
from competition.core.users.personal_data import language_of, personal_data
from competition.core.work import Work
from competition.plugins.notifications import NotificationSettings, is_topic, presenters
from competition.plugins.notifications.models import (
    NOTICES,
    NOTIFICATIONS,
    Notice,
    NoticeTexts,
    Notification,
)

ORDERING = {"id": NOTIFICATIONS.c.id, "created_at": NOTIFICATIONS.c.created_at}

IS_UNREAD = NOTIFICATIONS.c.read_at.is_(None)

FEED = "notifications"

# How many notifications the user has, and how many of them are unread. `correlate(None)` keeps the
# counts independent of the statements that contain them, which select from the same table.
OF_USER = NOTIFICATIONS.c.user_id == bindparam("user_id")
ALL_OF_USER = select(func.count()).select_from(NOTIFICATIONS).where(OF_USER).correlate(None)
COUNTS = (
    ALL_OF_USER.scalar_subquery().label("total"),
    ALL_OF_USER.where(IS_UNREAD).scalar_subquery().label("unread"),
)
NO_NOTIFICATIONS = select(*COUNTS)


def _in_language(language: Language) -> tuple[ColumnElement[str], ColumnElement[str]]:
    """SQL expressions for the subject and the message of a notice in a language."""
    if language == ENGLISH:
        return NOTICES.c.subject, NOTICES.c.message
    texts = NOTICES.c.translations[language]
    return (
        func.coalesce(texts["subject"].astext, NOTICES.c.subject),
        func.coalesce(texts["message"].astext, NOTICES.c.message),
    )


def _notifications(language: Language) -> Select[Any]:
    subject, message = _in_language(language)
    return (
        select(
            NOTIFICATIONS.c.id,
            subject.label("subject"),
            message.label("message"),
            (~IS_UNREAD).label("is_read"),
            NOTIFICATIONS.c.created_at,
            *COUNTS,
        )
        .join(NOTICES, NOTICES.c.id == NOTIFICATIONS.c.notice_id)
        .where(OF_USER)
    )


# Built once, because clients poll this list, and building a statement takes a quarter of the time
# of a request.
PAGES = {each: _notifications(each) for each in LANGUAGES}

# The topics of events that this plugin subscribes to, from plugins on which it depends. Plugins
# that depend on this plugin emit Notify instead.
DOCUMENTS, ROLES = "documents", "roles"


def _is_enabled(work: Work, about: str) -> bool:
    if about and not is_topic(about, {*work.runtime.packages.values()}):
        raise ValueError(
            f"A notification about {about!r}: the topic has to be the name of the plugin that"
            " emits it, or to begin with that name and a dot."
        )
    return not about or about in work.settings[NotificationSettings].on


def notify(
    work: Work,
    user_ids: Collection[UUID] | Select[UUID],
    subject: str,
    message: str,
    about: str = "",
) -> None:
    """Notify users, and push the notification to their open sockets after the commit.

    Nothing happens if the topic `about` is disabled. The empty topic is always enabled. If users
    get the topic by email too, a job enqueues the emails. If `subject` or `message` is a Message,
    the notification is stored in all languages.

    If a SELECT finds nobody, nothing is stored. Deleted and erased accounts are left out. Call this
    late in a transaction: other transactions that notify users wait for its commit (`lock_feed`).

    Raises ValueError for a topic that `competition.notifications.on` does not accept.
    """
    if not _is_enabled(work, about):
        return
    if isinstance(user_ids, Select):
        if not work.db.scalar(select(user_ids.exists())):
            return
        is_recipient: ColumnElement[bool] = User.id.in_(user_ids)
    elif user_ids:
        is_recipient = User.id == any_(uuids(user_ids))
    else:
        return
    notice = Notice(
        subject=worded(subject),
        message=worded(message),
        translations=_translations(work, subject, message),
    )
    work.db.add(notice)
    work.db.flush()
    lock_feed(work, FEED)
    work.db.execute(
        insert(Notification).from_select(
            ["notice_id", "user_id", "created_at"],
            # The rows are in the order in which all transactions lock accounts
            # (`core.users.accounts`).
            select(literal(notice.id), User.id, literal(work.now))
            .where(is_recipient, User.email.not_like(f"%@{ERASED_DOMAIN}"))
            .order_by(User.id),
        )
    )
    announce(work, FEED)
    if about in work.settings[NotificationSettings].emailed:
        jobs.enqueue(work, "notifications.email", notice_id=notice.id)


def email(work: Work, notice_id: int) -> None:
    """Email a notice to the users whom it was sent to, if they can log in."""
    recipients = work.db.scalars(
        select(User.email)
        .join(Notification, Notification.user_id == User.id)
        .where(Notification.notice_id == notice_id, User.is_active, User.is_email_verified)
        .order_by(User.id)
    ).all()
    batch = uuid4()
    mails.add(work, batch, "notifications.notified", recipients, notice_id=notice_id)
    mails.dispatch(work, batch)


def _translations(work: Work, subject: str, message: str) -> dict[str, NoticeTexts] | None:
    """The texts in each language but English, or None if they are not translated."""
    if not (isinstance(subject, Message) or isinstance(message, Message)):
        return None
    return {
        language: NoticeTexts(
            subject=worded(subject, known.gettext), message=worded(message, known.gettext)
        )
        for language, known in work.runtime.catalogue[Translations].items()
    }


def listing(work: Work, query: Query, language: Language | None) -> tuple[Page[Row[Any]], int, int]:
    """A page of the actor's notifications, newest first, in this language, or in English if
    `language` is None. After the page come the numbers of all notifications of the actor and of
    those that are unread, regardless of filters.

    With `after_id`, the oldest comes first, so that a client continues after the last notification
    that it has. Raises NotFound for a page after the last page.
    """
    language = language or ENGLISH
    found, values = PAGES[language], {"user_id": work.identity.user_id}
    if query["search"]:
        subject, message = _in_language(language)
        found = found.where(*contains_every_word(query["search"], subject + " " + message))
    if query["status"] is not None:
        found = found.where(IS_UNREAD if query["status"] == "unread" else ~IS_UNREAD)
    if query["after_id"] is not None:
        found = found.where(NOTIFICATIONS.c.id > query["after_id"])
    page = paginate(
        work,
        found,
        query,
        values=values,
        key=NOTIFICATIONS.c.id,
        created=NOTIFICATIONS.c.created_at,
        ordering=ORDERING,
        default=[NOTIFICATIONS.c.id.desc() if query["after_id"] is None else NOTIFICATIONS.c.id],
    )
    if page.items:
        return page, page.items[0].total, page.items[0].unread
    # There is no row to read the counts from.
    total, unread = work.db.execute(NO_NOTIFICATIONS, values).one()
    return page, total, unread


def mark_as_read(work: Work, notification_id: int) -> None:
    """Mark one of the actor's notifications as read; a second call changes nothing.

    Raises NotFound if there is no such notification, or if it is another user's.
    """
    is_own = (Notification.id == notification_id, Notification.user_id == work.identity.user_id)
    changed = work.db.scalar(
        update(Notification)
        .where(*is_own, Notification.read_at.is_(None))
        .values(read_at=work.now)
        .returning(Notification.id)
    )
    if changed is None and work.db.scalar(select(Notification.id).where(*is_own)) is None:
        raise NotFound(Message("There is no notification with this id. Check the id."))


def mark_all_as_read(work: Work) -> int:
    """Mark all notifications of the actor as read, and return how many were unread."""
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


def between(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> Iterator[tuple[UUID, presenters.Notification]]:
    """The notifications of these users with after < id <= until, in the order of their ids, each
    with the id of its user.

    A text with many recipients is loaded once. The texts are in the language of the account, as in
    emails.
    """
    rows = work.db.execute(
        select(
            Notification.id,
            Notification.notice_id,
            Notification.user_id,
            Notification.read_at.is_not(None),
            Notification.created_at,
            func.coalesce(User.language, work.settings[ServiceSettings].language).label("language"),
        )
        .join(User, User.id == Notification.user_id)
        .where(
            Notification.id > after,
            Notification.id <= until,
            Notification.user_id == any_(uuids(user_ids)),
        )
        .order_by(Notification.id)
    ).all()
    wanted = bindparam("notices", list({row.notice_id for row in rows}), type_=ARRAY(Integer()))
    notices = work.db.execute(
        select(Notice.id, Notice.subject, Notice.message, Notice.translations).where(
            Notice.id == any_(wanted)
        )
    )
    texts = {
        id: {**(translations or {}), ENGLISH: NoticeTexts(subject=subject, message=message)}
        for id, subject, message, translations in notices
    }
    for id, notice_id, user_id, is_read, created_at, language in rows:
        text = texts[notice_id].get(language, texts[notice_id][ENGLISH])
        yield (
            user_id,
            presenters.Notification(
                id=id,
                subject=text["subject"],
                message=text["message"],
                read=is_read,
                created_at=created_at,
            ),
        )


def export_notifications(work: Work, user: User) -> list[dict[str, Any]]:
    """All notifications of a user, the oldest first, in the language of the account."""
    subject, message = _in_language(language_of(work, user))
    rows = work.db.execute(
        select(
            subject.label("subject"),
            message.label("message"),
            NOTIFICATIONS.c.created_at,
            NOTIFICATIONS.c.read_at,
        )
        .join(NOTICES, NOTICES.c.id == NOTIFICATIONS.c.notice_id)
        .where(NOTIFICATIONS.c.user_id == user.id)
        .order_by(NOTIFICATIONS.c.id)
    )
    return [dict(each) for each in rows.mappings()]


@personal_data("notifications", export=export_notifications)
def erase_notifications(work: Work, user: User) -> None:
    """Delete a user's notifications, and the notices that only this user received."""
    gone = work.db.scalars(
        delete(Notification)
        .where(Notification.user_id == user.id)
        .returning(Notification.notice_id)
    ).all()
    is_used = select(Notification.id).where(Notification.notice_id == Notice.id).exists()
    work.db.execute(
        delete(Notice).where(Notice.id.in_(gone), ~is_used),
        execution_options={"synchronize_session": False},
    )
