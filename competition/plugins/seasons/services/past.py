"""Read the past seasons of candidates."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import Row, select, update

from competition.core.messages import Message
from competition.core.seasons.models import PastSeason, Season
from competition.core.users.models import User
from competition.core.users.personal_data import ERASED, personal_data
from competition.core.work import Work


def of_candidates(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, list[Row[Any]]]:
    """The past seasons that each of these candidates had joined, the newest first."""
    rows = work.db.execute(
        select(
            PastSeason.candidate_id,
            PastSeason.season_id.label("season"),
            Season.name,
            PastSeason.stage,
            PastSeason.school,
            PastSeason.year,
        )
        .join(Season, Season.id == PastSeason.season_id)
        .where(PastSeason.candidate_id.in_(candidate_ids), PastSeason.had_joined)
        .order_by(PastSeason.season_id.desc())
    ).all()
    found: defaultdict[UUID, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.candidate_id].append(row)
    return {each: found[each] for each in candidate_ids}


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The past seasons of the candidate, the newest first, also those that the candidate had not
    joined, with all that is stored of each."""
    columns = (
        *(PastSeason.stage, PastSeason.school, PastSeason.year, PastSeason.group),
        PastSeason.pupil_of.is_not(None).label("was_pupil"),
        *(PastSeason.had_joined, PastSeason.joined_at),
    )
    rows = work.db.execute(
        select(PastSeason.season_id.label("season"), Season.name, *columns)
        .join(Season, Season.id == PastSeason.season_id)
        .where(PastSeason.candidate_id == user.id)
        .order_by(PastSeason.season_id.desc())
    )
    return [dict(row._mapping) for row in rows]


@personal_data(
    "seasons",
    export=export,
    kind="candidate",
    remains=Message("the stage that you reached in each season"),
)
def erase(work: Work, user: User) -> None:
    """Erase the school, the year and the group. The stage stays, as scores do."""
    work.db.execute(
        update(PastSeason)
        .where(PastSeason.candidate_id == user.id)
        .values(school=ERASED, year=None, group="", pupil_of=None),
        execution_options={"synchronize_session": False},
    )
