"""The export of a published leaderboard."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row, select

from competition.core.exports import Table
from competition.core.lists import Query
from competition.core.work import Work
from competition.plugins.leaderboard.models import Entry
from competition.plugins.leaderboard.presenters.boards import shown_name
from competition.plugins.leaderboard.schemas import STAGE
from competition.plugins.leaderboard.services import reading

RANKING = (
    Entry.rank,
    Entry.full_name.label("name"),
    Entry.user_id.label("candidate_id"),
    Entry.school,
    Entry.role,
    Entry.score,
    Entry.seconds_used,
)

SCHEMAS = {"stage": STAGE}


def leaderboard(work: Work, query: Query, stage: str, round: int) -> Table:
    """Export the published leaderboard of a stage and round, by rank.

    The names have the form in which leaderboards show them, and the schools are those of the time
    of the publication.
    """
    found = reading.board_of_round(work, stage, round, query["exam_id"], query["season"])

    def cells(row: Row[Any]) -> Iterable[Any]:
        return (row.rank, shown_name(work, row.name), *row[2:])

    return Table(
        select(*RANKING).where(Entry.board_id == found.with_entries),
        order=(Entry.position,),
        subject=f"{stage} {round}",
        cells=cells,
    )
