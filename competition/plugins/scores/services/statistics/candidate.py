"""A candidate's scores, their sum and average, and their rank. A candidate's own view counts what
candidates may see by now, staff's everything."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from uuid import UUID

from sqlalchemy import DateTime, Row, Select, String, bindparam, func, select
from sqlalchemy.orm import contains_eager, joinedload

from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import WITH_COUNT, Exam
from competition.plugins.scores.models import HIGHEST_OBTAINABLE, Score, Standing
from competition.plugins.scores.presenters import (
    LeaderboardRanking,
    PerformanceStats,
    ScoreSummary,
    ScoreTotals,
    latest_score,
    number,
)
from competition.plugins.scores.services.standings import STANDINGS, RankedCandidates
from competition.plugins.scores.services.visibility import (
    Audience,
    audience_of,
    held_back,
    shown_to,
)

NOW = bindparam("now", type_=DateTime(timezone=True))


def scores(work: Work, candidate_id: UUID) -> Sequence[Score]:
    """A candidate's scores with their exams, the latest first; for a candidate those that
    candidates may see by now."""
    statement = work.statement(_scores, audience_of(work))
    return work.db.scalars(statement, {"candidate_id": candidate_id, "now": work.now}).all()


def _scores(work: Work, audience: Audience) -> Select[Score]:
    return (
        select(Score)
        .join(Score.exam)
        .options(contains_eager(Score.exam).options(WITH_COUNT), joinedload(Score.recorded_by))
        .where(Score.candidate_id == bindparam("candidate_id"), shown_to(work, audience, NOW))
        .order_by(Score.recorded_at.desc(), Score.id.desc())
    )


def totals(scores: Sequence[Score]) -> ScoreTotals:
    """The numbers of one candidate's scores; all are 0 without one (decisions G29)."""
    total = sum((score.value for score in scores), Decimal())
    average = total / max(len(scores), 1)
    return ScoreTotals(
        total_score=number(total),
        # Rounded as the database rounds.
        average_score=number(average.quantize(Decimal("0.01"), ROUND_HALF_UP)),
    )


def summary(scores: Sequence[Score]) -> ScoreSummary:
    """What one candidate's scores come to, of which the latest comes first."""
    values = [score.value for score in scores]
    return ScoreSummary(
        total_exams_taken=len(scores),
        average_score=totals(scores)["average_score"],
        highest_score=number(max(values, default=None)),
        lowest_score=number(min(values, default=None)),
        latest_score=latest_score(scores[0]) if scores else None,
    )


def stats(scores: Sequence[Score], ranking: LeaderboardRanking) -> PerformanceStats:
    """The statistics of one candidate, from scores of which the latest comes first."""
    return PerformanceStats(
        **summary(scores),
        total_score=totals(scores)["total_score"],
        leaderboard_ranking=ranking,
        highest_obtainable_score=HIGHEST_OBTAINABLE,
    )


def ranking(work: Work, candidate: Candidate) -> LeaderboardRanking:
    """The candidate's rank by the sum of scores, among the active candidates of the stage of their
    role (decisions G30). The candidate's own sum is taken as of the moment of the standings (at
    most a minute ago): with a newer one, everybody would seem ahead of the others right after an
    exam."""
    standings, row = _standing(work, candidate, "staff")
    if row.is_held_back and audience_of(work) == "candidates":
        standings, row = _standing(work, candidate, "candidates")
    total, rank, _ = row
    ranked = standings.totals.get(candidate.role, 0)
    if total is None or not candidate.is_active:
        return LeaderboardRanking(current_rank=None, total_candidates=ranked)
    # The standings may lack this candidate, or have another sum (reactivated or rescored since).
    ranked = max(ranked, 1)
    return LeaderboardRanking(current_rank=min(rank or 1, ranked), total_candidates=ranked)


def _standing(
    work: Work, candidate: Candidate, audience: Audience
) -> tuple[RankedCandidates, Row[Decimal | None, int | None, bool]]:
    standings = STANDINGS[audience].read(work)
    found = work.db.execute(
        work.statement(_total_and_rank, audience),
        {
            "candidate_id": candidate.id,
            "stage": candidate.role,
            "last_score": standings.last_score,
            "now": standings.at,
        },
    )
    return standings, found.one()


def _total_and_rank(work: Work, audience: Audience) -> Select[Decimal | None, int | None, bool]:
    """The sum of a candidate's scores in a stage, and its rank; the best sum has none. And whether
    candidates see other ones."""
    stage = bindparam("stage", type_=String())
    total = (
        select(func.sum(Score.value))
        .join(Exam, Exam.id == Score.exam_id)
        .where(
            Score.candidate_id == bindparam("candidate_id"),
            Score.id <= bindparam("last_score"),
            Exam.stage == stage,
            shown_to(work, audience, NOW),
        )
        .scalar_subquery()
    )
    above = (
        select(Standing.next_rank)
        .where(Standing.audience == audience, Standing.stage == stage, Standing.total > total)
        .order_by(Standing.total)
        .limit(1)
        .scalar_subquery()
    )
    return select(total, above, held_back(work).label("is_held_back"))
