from datetime import datetime
from typing import Any, Literal, TypedDict

from sqlalchemy import Row

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


def notification_list(page: Page[Row[Any]], total: int, unread: int, url: str) -> NotificationList:
    return NotificationList(
        stats=NotificationStats(total_count=total, unread_count=unread, read_count=total - unread),
        results=[
            Notification(
                id=row.id,
                subject=row.subject,
                message=row.message,
                read=row.is_read,
                created_at=row.created_at,
            )
            for row in page.items
        ],
        pagination=page.pagination(url),
    )


def activity(message: Notification) -> NotificationActivity:
    return NotificationActivity(type="notification_activity", message=message)
