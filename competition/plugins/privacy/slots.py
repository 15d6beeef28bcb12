"""Fill a slot in the preview of a deactivation with the time of a requested erasure."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import select

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.people.offered_slots import DEACTIVATION
from competition.plugins.privacy.models import Deletion


@fill_slot(DEACTIVATION, "erase_at")
def erase_at(work: Work, user_ids: Collection[UUID]) -> dict[UUID, datetime | None]:
    rows = work.db.execute(
        select(Deletion.user_id, Deletion.erase_at).where(Deletion.user_id.in_(user_ids))
    )
    found = {row.user_id: row.erase_at for row in rows}
    return {each: found.get(each) for each in user_ids}
