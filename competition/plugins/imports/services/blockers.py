"""Imports that keep the next season from being opened."""

from sqlalchemy import select

from competition.core.seasons.blockers import Blocker, season_blocker
from competition.core.work import Work
from competition.plugins.imports.models import Import


@season_blocker("imports")
def running_imports(work: Work) -> list[Blocker]:
    found = work.db.execute(
        select(Import.id, Import.filename)
        .where(Import.status.in_(("checking", "applying")))
        .order_by(Import.id)
    )
    return [Blocker(row.id, row.filename) for row in found]
