"""A candidate's scores, their sum and average, and the candidate's rank.

If the caller is a candidate, only the scores that candidates may see by now count. For staff, all
scores count.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Integer, Row, Select, bindparam, func, select
from sqlalchemy.orm import contains_eager, joinedload

from competition.core.database import ONE_ROW
from competition.core.seasons import current as seasons
from competition.core.users.models import JOINED_SEASON, USERS, User
from competition.core.work import Work
from competition.plugins.exams.models import Exam, with_count
from competition.plugins.scores.models import HIGHEST_OBTAINABLE, Score, Standing
from competition.plugins.scores.presenters.scores import (
    LatestScoreShape,
    LeaderboardRanking,
    PerformanceStats,
    ScoreSummary,
    ScoreTotals,
    latest_score,
    number,
)
from competition.plugins.scores.services import visibility
from competition.plugins.scores.services.rounding import average
from competition.plugins.scores.services.standings import STANDINGS, RankedCandidates


def scores(work: Work, candidate_id: UUID, season_id: int | None = None) -> Sequence[Score]:
    """The candidate's scores of a season, or of the current one, that the caller may see, with
    their exams, the latest first. Raises Invalid if there is no such season."""
    is_shown = visibility.score_shown_to(visibility.audience_of(work), visibility.now(work))
    return work.db.scalars(
        select(Score)
        .join(Score.exam)
        .options(contains_eager(Score.exam).options(with_count()), joinedload(Score.recorded_by))
        .where(Score.candidate_id == candidate_id, is_shown)
        .where(seasons.wanted(work, season_id, Exam))
        .order_by(Score.recorded_at.desc(), Score.id.desc())
    ).all()


def totals(values: Sequence[Decimal]) -> ScoreTotals:
    """The sum and the average of one candidate's scores; 0 if there are none (decisions G29)."""
    return ScoreTotals(
        total_score=number(sum(values, Decimal())),
        average_score=number(average(values)),
    )


def summary(values: Sequence[Decimal], latest: LatestScoreShape | None) -> ScoreSummary:
    """The number, average, maximum and minimum of one candidate's scores, and the latest score."""
    return ScoreSummary(
        total_exams_taken=len(values),
        average_score=totals(values)["average_score"],
        highest_score=number(max(values, default=None)),
        lowest_score=number(min(values, default=None)),
        latest_score=latest,
    )


def stats(scores: Sequence[Score], ranking: LeaderboardRanking) -> PerformanceStats:
    """The statistics of one candidate. `scores` must be sorted, the latest first."""
    values = [score.value for score in scores]
    last = scores[0] if scores else None
    latest = latest_score(last.value, last.exam.title, last.recorded_at) if last else None
    return PerformanceStats(
        **summary(values, latest),
        total_score=totals(values)["total_score"],
        leaderboard_ranking=ranking,
        highest_obtainable_score=HIGHEST_OBTAINABLE,
    )


def ranking(work: Work, candidate_id: UUID) -> LeaderboardRanking:
    """The candidate's rank by total score, among the candidates of their stage (decisions G30).

    The total only includes scores that the live ranking includes, which is at most a minute old.
    With newer scores, every candidate would seem ahead of the others right after an exam.
    """
    audience = visibility.audience_of(work)
    standings = STANDINGS[audience].read(work)
    values = total_and_rank_values(work, candidate_id, standings)
    return ranking_of(standings, work.db.execute(TOTAL_AND_RANK[audience], values).one())


def ranking_of(
    standings: RankedCandidates, row: Row[Any], season_id: int | None = None
) -> LeaderboardRanking:
    """The same as `ranking`, for a `row` that was selected with `total_and_rank`.

    `standings` is the live ranking that the row was selected with. If `season_id` is not None,
    there is no rank, because only the current season has a live ranking.
    """
    if season_id is not None:
        return LeaderboardRanking(current_rank=None, total_candidates=0)
    ranked = standings.totals.get(row.role, 0)
    if row.total is None or not row.is_active:
        return LeaderboardRanking(current_rank=None, total_candidates=ranked)
    # The live ranking may lack this candidate, or include another total, if the account was
    # reactivated or a score was changed in the meantime.
    ranked = max(ranked, 1)
    return LeaderboardRanking(current_rank=min(row.rank or 1, ranked), total_candidates=ranked)


def total_and_rank_values(
    work: Work, candidate_id: UUID, standings: RankedCandidates
) -> dict[str, Any]:
    """The values of all bind parameters of `total_and_rank`."""
    return {
        "candidate_id": candidate_id,
        "last_score": standings.last_score,
        **visibility.values(replace(visibility.now(work), at=standings.at)),
    }


def total_and_rank(audience: visibility.Audience) -> Select[Any]:
    """SELECT of a candidate with their total score in their current stage, and the live rank of
    this total.

    The rank is null for the highest total. `total_and_rank_values` returns the values of the bind
    parameters, one of which is the candidate's id.
    """
    total = (
        select(func.sum(Score.value))
        .join(Exam, Exam.id == Score.exam_id)
        .where(
            Score.candidate_id == User.id,
            Score.id <= bindparam("last_score", type_=Integer()),
            Exam.stage == User.role,
            Exam.is_current,
            Exam.season_id <= JOINED_SEASON,
            visibility.score_shown_to(audience, visibility.LATER),
        )
        .correlate(User)
        .scalar_subquery()
    )
    one = (
        select(
            User.id.label("candidate_id"),
            User.role,
            User.is_active,
            User.date_joined,
            USERS.c.season_joined_at,
            JOINED_SEASON,
            total.label("total"),
        )
        .where(User.id == bindparam("candidate_id"))
        .cte("one")
        # Otherwise PostgreSQL would sum the scores twice: for the total, and for its rank.
        .prefix_with("MATERIALIZED")
    )
    above = (
        select(Standing.next_rank)
        .where(
            Standing.audience == audience,
            Standing.stage == one.c.role,
            Standing.total > one.c.total,
        )
        .order_by(Standing.total)
        .limit(ONE_ROW)
        .correlate(one)
        .scalar_subquery()
    )
    return select(*one.c, above.label("rank"))


TOTAL_AND_RANK: dict[visibility.Audience, Select[Any]] = {
    "staff": total_and_rank("staff"),
    "candidates": total_and_rank("candidates"),
}
