"""Broadcasts that keep the next season from being opened."""

from sqlalchemy import select

from competition.core.seasons.blockers import Blocker, season_blocker
from competition.core.work import Work
from competition.plugins.broadcasts.models import Broadcast


@season_blocker("broadcasts")
def pending_broadcasts(work: Work) -> list[Blocker]:
    found = work.db.execute(
        select(Broadcast.id, Broadcast.subject)
        .where(Broadcast.status == "pending")
        .order_by(Broadcast.id)
    )
    return [Blocker(row.id, row.subject) for row in found]
