"""Read the scores and ranks of an exam, and store how two such results differ."""

from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Any

from sqlalchemy import ARRAY, Integer, Numeric, Text, Uuid, cast, func, insert, literal, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.types import TypeEngine

from competition.core.database import over_sets
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.leaderboard.services import ranking
from competition.plugins.regrades.models import Difference
from competition.plugins.scores.services.rounding import average_in_sql


@dataclass(frozen=True)
class Results:
    """The scores and ranks of all candidates with a score in an exam, ordered by candidate id.

    The lists are strings in PostgreSQL's array syntax. So Python passes the results of a hundred
    thousand candidates from one statement to the next without parsing them.
    """

    candidates: str
    scores: str
    ranks: str
    automatic: str
    average: Decimal

    def digest(self, *others: object) -> str:
        """A hash of the scores and ranks, and of the `repr` of each of `others`."""
        parts = (self.candidates, self.scores, self.ranks, self.automatic, *map(repr, others))
        return sha256("\n".join(parts).encode()).hexdigest()


def of_exam(work: Work, exam: Exam) -> Results:
    """The current scores and ranks in an exam."""
    scores = ranking.scored(exam)
    ranked = (
        select(scores, ranking.rank(exam, scores).label("rank"))
        .join(Candidate, Candidate.id == scores.c.candidate_id)
        .subquery()
    )

    def listed(name: str) -> Any:
        every = func.array_agg(aggregate_order_by(ranked.c[name], ranked.c.candidate_id))
        return func.coalesce(cast(every, Text), "{}")

    with over_sets(work.db):
        row = work.db.execute(
            select(
                listed("candidate_id"),
                listed("value"),
                listed("rank"),
                listed("is_auto"),
                func.coalesce(average_in_sql(ranked.c.value), Decimal()),
            )
        ).one()
    return Results(*row)


def store_differences(work: Work, regrade_id: int, before: Results, after: Results) -> None:
    """Store a `Difference` for each candidate whose score or rank differs.

    `before` and `after` must contain the same candidates.
    """

    def column(values: str, kind: TypeEngine[Any]) -> Any:
        return cast(literal(values, Text), ARRAY(kind))

    of_both = (
        func.unnest(
            column(before.candidates, Uuid()),
            column(before.scores, Numeric()),
            column(after.scores, Numeric()),
            column(before.ranks, Integer()),
            column(after.ranks, Integer()),
        )
        .table_valued("candidate_id", "score_before", "score_after", "rank_before", "rank_after")
        .render_derived()
    )
    each = of_both.c
    largest_first = (
        func.abs(each.score_after - each.score_before).desc(),
        func.abs(each.rank_after - each.rank_before).desc().nulls_last(),
        each.candidate_id,
    )
    changed = select(
        literal(regrade_id), func.row_number().over(order_by=largest_first), *of_both.c
    ).where(
        (each.score_before != each.score_after) | each.rank_before.is_distinct_from(each.rank_after)
    )
    columns = ["regrade_id", "position", *(column.name for column in of_both.c)]
    with over_sets(work.db):
        work.db.execute(insert(Difference).from_select(columns, changed))


def effect(work: Work, regrade_id: int) -> dict[str, int]:
    """Counts of a regrade's differences, by the names of the columns of `Regrade`."""
    is_up = Difference.score_after > Difference.score_before
    is_down = Difference.score_after < Difference.score_before
    row = work.db.execute(
        select(
            func.count().filter(is_up | is_down).label("scores_changed"),
            func.count().filter(is_up).label("up"),
            func.count().filter(is_down).label("down"),
            func.count()
            .filter(Difference.rank_before.is_distinct_from(Difference.rank_after))
            .label("ranks_changed"),
        ).where(Difference.regrade_id == regrade_id)
    ).one()
    return {**row._mapping}
