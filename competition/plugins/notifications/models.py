"""The tables of notifications.

A Notice is a text, and a Notification sends it to one user. The ids of notifications grow in the
order of commits (`competition.core.push.feeds.lock_feed`), so a client that knows the last id it
has can request all later notifications.
"""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from sqlalchemy import ForeignKey, Identity, Index, String, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base


class NoticeTexts(TypedDict):
    """The texts of a notice in one language."""

    subject: str
    message: str


class Notice(Base):
    """The text of a notification. It is stored once for all recipients, because a broadcast has
    thousands of them."""

    __tablename__ = "notice"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255))
    message: Mapped[str]
    # The texts in other languages, by language. None if there are no translations, such as for
    # texts that staff have written.
    translations: Mapped[dict[str, NoticeTexts] | None] = mapped_column(JSONB(none_as_null=True))


class Notification(Base):
    """A notice, sent to one user."""

    __tablename__ = "notification"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    notice_id: Mapped[int] = mapped_column(ForeignKey("notice.id"))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"))
    read_at: Mapped[datetime | None]
    created_at: Mapped[datetime]

    __table_args__ = (
        Index("ix_notification_user_id_id", "user_id", "id"),
        Index("ix_notification_unread", "user_id", "id", postgresql_where=text("read_at is null")),
    )


# The tables, for statements that read rows where no object is needed.
NOTICES = Notice.metadata.tables["notice"]
NOTIFICATIONS = Notification.metadata.tables["notification"]
