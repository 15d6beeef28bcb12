"""Actions that clients may send on a socket: what views are for requests."""

from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from competition.core.errors import Invalid
from competition.core.web.service import deserialize
from competition.core.work import Work
from competition.plugins.notifications import presenters, schemas, services


def mark_as_read(work: Work, data: Any) -> None:
    """Mark a notification as read. Raises Invalid and NotFound."""
    if not isinstance(data, dict):
        raise Invalid("data has to be an object.")
    services.mark_as_read(work, deserialize(schemas.ReadNotification, data)["notification_id"])


def activities(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> Iterator[tuple[UUID, presenters.NotificationActivity]]:
    for row in services.between(work, user_ids, after, until):
        yield row.user_id, presenters.activity(row)
