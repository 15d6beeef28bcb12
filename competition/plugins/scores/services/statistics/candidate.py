"""What a candidate's scores come to, and where they stand with them.

A candidate counts what candidates may see by now, staff counts everything.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import (
    CandidateStats,
    LatestScore,
    Ranking,
    Score,
    ScoreOfExam,
    Standing,
)
from competition.plugins.scores.presenters import number
from competition.plugins.scores.services.standings import STANDINGS
from competition.plugins.scores.services.visibility import audience_of, shown_to


def scores(work: Work, candidate_id: UUID) -> list[ScoreOfExam]:
    """The latest first; for a candidate those that candidates may see by now."""
    recorded_by = aliased(Staff)
    rows = work.db.execute(
        select(Score, Exam, recorded_by)
        .join(Exam, Exam.id == Score.exam_id)
        .outerjoin(recorded_by, recorded_by.id == Score.recorded_by_id)
        .where(Score.candidate_id == candidate_id, shown_to(work, audience_of(work), work.now))
        .order_by(Score.recorded_at.desc(), Score.id.desc())
    )
    return [ScoreOfExam(*row) for row in rows]


def stats_of(results: Sequence[ScoreOfExam]) -> CandidateStats:
    """Of one candidate's scores, the latest first."""
    if not results:
        return CandidateStats()
    values = [result.score.value for result in results]
    total, latest = sum(values, Decimal()), results[0]
    return CandidateStats(
        total_score=number(total),
        # Rounded as the database rounds.
        average_score=number((total / len(values)).quantize(Decimal("0.01"), ROUND_HALF_UP)),
        highest_score=number(max(values)),
        lowest_score=number(min(values)),
        total_exams_taken=len(values),
        latest_score=LatestScore(
            score=number(latest.score.value),
            exam_title=latest.exam.title,
            date=latest.score.recorded_at,
        ),
    )


def ranking(work: Work, candidate: Candidate) -> Ranking:
    """By the sum of scores in the stage of the candidate's role, among its active candidates
    (decisions G30), all as of one moment, at most a minute ago: right after an exam everybody would
    be ahead of the others' old sums."""
    audience = audience_of(work)
    standings = STANDINGS[audience].read(work)
    total = work.db.scalar(
        select(func.sum(Score.value))
        .join(Exam, Exam.id == Score.exam_id)
        .where(
            Score.candidate_id == candidate.id,
            Score.id <= standings.last_score,
            Exam.stage == candidate.role,
            shown_to(work, audience, standings.at),
        )
    )
    ranked = standings.totals.get(candidate.role, 0)
    if total is None or not candidate.is_active:
        return Ranking(None, ranked)
    above = (
        select(Standing.next_rank)
        .where(
            Standing.audience == audience,
            Standing.stage == candidate.role,
            Standing.total > total,
        )
        .order_by(Standing.total)
        .limit(1)
    )
    # Who came back or was scored lower since then is not in these sums, or with another one.
    ranked = max(ranked, 1)
    return Ranking(min(work.db.scalar(above) or 1, ranked), ranked)
