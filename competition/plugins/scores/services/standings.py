"""The live ranking of all candidates, for dashboards.

Published ranks belong to the plugin `leaderboard`.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import get_args

from sqlalchemy import Integer, cast, delete, exists, func, literal, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.database import over_sets
from competition.core.jobs.aggregates import Aggregate
from competition.core.seasons.models import CURRENT_ID
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score, Standing
from competition.plugins.scores.services import visibility


@dataclass(frozen=True)
class RankedCandidates:
    """Result of a refresh of the live ranking at the time `at`.

    `totals` has the number of ranked candidates per stage: the candidates with a score in their
    current stage. Scores with a greater id than `last_score` are not included yet.
    """

    totals: dict[str, int]
    last_score: int
    at: datetime


def refresh(work: Work) -> None:
    """Recompute the live ranks that staff see, and those that candidates see."""
    for standings in STANDINGS.values():
        standings.refresh(work)


def _rank_all(audience: visibility.Audience, work: Work) -> RankedCandidates:
    """Compute the ranks of all candidates and write the rows of `Standing` that have changed."""
    last_score = work.db.scalar(select(func.max(Score.id))) or 0
    of_stage = (
        select(Score.candidate_id, Exam.stage, func.sum(Score.value).label("total"))
        .join(Exam, Exam.id == Score.exam_id)
        .where(Exam.is_current, visibility.score_shown_to(audience, visibility.now(work)))
        .group_by(Score.candidate_id, Exam.stage)
        .subquery()
    )
    sums = (
        select(of_stage.c.stage, of_stage.c.total)
        .join(Candidate, Candidate.id == of_stage.c.candidate_id)
        .where(Candidate.is_ranked, Candidate.role == of_stage.c.stage)
        .where(Candidate.season >= CURRENT_ID)
        .subquery()
    )
    so_far = func.sum(func.count()).over(partition_by=sums.c.stage, order_by=sums.c.total.desc())
    ladder = (
        select(
            literal(audience).label("audience"),
            sums.c.stage,
            sums.c.total,
            cast(so_far + 1, Integer).label("next_rank"),
        )
        .group_by(sums.c.stage, sums.c.total)
        .cte("ladder")
    )
    gone = (
        delete(Standing)
        .where(
            Standing.audience == audience,
            ~exists().where(ladder.c.stage == Standing.stage, ladder.c.total == Standing.total),
        )
        .cte("gone")
    )
    rows = insert(Standing).from_select(list(ladder.c.keys()), select(ladder))
    with over_sets(work.db):
        work.db.execute(
            rows.on_conflict_do_update(
                index_elements=[Standing.audience, Standing.stage, Standing.total],
                set_={"next_rank": rows.excluded.next_rank},
                where=Standing.next_rank != rows.excluded.next_rank,
            ).add_cte(gone)
        )
    totals = work.db.execute(
        select(Standing.stage, func.max(Standing.next_rank) - 1)
        .where(Standing.audience == audience)
        .group_by(Standing.stage)
    )
    return RankedCandidates({stage: total for stage, total in totals}, last_score, work.now)


STANDINGS: dict[visibility.Audience, Aggregate[RankedCandidates]] = {
    audience: Aggregate(
        f"scores.standings.{audience}", RankedCandidates, partial(_rank_all, audience)
    )
    for audience in get_args(visibility.Audience)
}
