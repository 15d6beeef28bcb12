"""The export of a published leaderboard of schools."""

from dataclasses import astuple
from typing import Any

from sqlalchemy import ARRAY, Integer, Numeric, String, func, literal, select

from competition.core.exports import Table
from competition.core.lists import Query
from competition.core.work import Work
from competition.plugins.leaderboard.services import reading
from competition.plugins.schools.services import boards

# The columns of the file, with their types: the fields of a Standing.
COLUMNS = {
    "rank": Integer,
    "school": String,
    "region": String,
    "candidates": Integer,
    "counted": Integer,
    "score": Numeric,
}


def leaderboard(work: Work, query: Query, stage: str, round: int) -> Table:
    """Export the published leaderboard of schools of a stage and round, by rank.

    The names and regions of schools are those of the time of the publication.
    """
    found = reading.board_of_round(work, stage, round, query["exam_id"], query["season"])
    ranking = boards.ranking(work, found)
    columns = zip(*map(astuple, ranking.standings), strict=True) if ranking.standings else ()
    values = [list(each) for each in columns] or [[] for _ in COLUMNS]
    arrays: list[Any] = [
        literal(each, ARRAY(of)) for each, of in zip(values, COLUMNS.values(), strict=True)
    ]
    rows = func.unnest(*arrays).table_valued(*COLUMNS, with_ordinality="position", name="ranked")
    rows = rows.render_derived()
    return Table(
        select(*(rows.c[name] for name in COLUMNS)),
        order=(rows.c.position,),
        subject=f"{stage} {round}",
    )
