from datetime import datetime
from typing import Literal, Protocol, TypedDict

from competition.core.lists import Page, Pagination


class Notification(TypedDict):
    id: int
    subject: str
    message: str
    read: bool
    created_at: datetime


class NotificationStats(TypedDict):
    total_count: int
    unread_count: int
    read_count: int


class NotificationList(TypedDict):
    stats: NotificationStats
    results: list[Notification]
    pagination: Pagination


class MarkedAsRead(TypedDict):
    status: Literal["success"]


class AllMarkedAsRead(TypedDict):
    status: Literal["success"]
    updated_count: int


class SocketTicket(TypedDict):
    """A ticket that opens one WebSocket."""

    ticket: str
    expires_in: int


class NotificationActivity(TypedDict):
    """The frame that a socket receives for a new notification."""

    type: Literal["notification_activity"]
    message: Notification


class Shown(Protocol):
    """The argument of `notification`: a Notification, a row of its columns, or a FeedItem."""

    @property
    def id(self) -> int: ...
    @property
    def subject(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def is_read(self) -> bool: ...
    @property
    def created_at(self) -> datetime: ...


def notification(row: Shown) -> Notification:
    return Notification(
        id=row.id,
        subject=row.subject,
        message=row.message,
        read=row.is_read,
        created_at=row.created_at,
    )


def notification_list(page: Page[Shown], total: int, unread: int, url: str) -> NotificationList:
    return NotificationList(
        stats=NotificationStats(total_count=total, unread_count=unread, read_count=total - unread),
        results=[notification(row) for row in page.items],
        pagination=page.pagination(url),
    )


def activity(row: Shown) -> NotificationActivity:
    return NotificationActivity(type="notification_activity", message=notification(row))
