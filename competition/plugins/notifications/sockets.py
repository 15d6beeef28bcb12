"""Actions that clients may send over a socket, and the feed of new notifications."""

from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from competition.core.push.feeds import feed
from competition.core.push.sockets import socket_action
from competition.core.work import Work
from competition.plugins.notifications import presenters, schemas, services


@socket_action("mark_as_read", data=schemas.ReadNotification)
def mark_as_read(work: Work, data: dict[str, Any]) -> None:
    """Mark a notification as read.

    Raises NotFound if the caller has no such notification.
    """
    services.mark_as_read(work, data["notification_id"])


@feed("notifications", latest=services.latest_id)
def activities(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> Iterator[tuple[UUID, presenters.NotificationActivity]]:
    for user_id, message in services.between(work, user_ids, after, until):
        yield user_id, presenters.activity(message)
