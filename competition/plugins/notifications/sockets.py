"""What the socket process calls: for frames what the views are for requests."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from competition.core.errors import Invalid
from competition.core.service import deserialize
from competition.core.work import Work
from competition.plugins.notifications import presenters, schemas, services


def mark_as_read(work: Work, data: Any) -> None:
    """Raises Invalid and NotFound."""
    if not isinstance(data, dict):
        raise Invalid("data has to be an object.")
    services.mark_as_read(work, deserialize(schemas.ReadNotification, data)["notification_id"])


def activities(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> list[tuple[UUID, presenters.NotificationActivity]]:
    rows = services.between(work, user_ids, after, until)
    return [(row.user_id, presenters.activity(row)) for row in rows]
