"""Every number that is computed from exams and scores: of an exam, of a candidate, of the season.

What candidates see of their own scores may come later than the scores (decisions G25): that is
decided here, by who asks, and nowhere else. Scores in an exam that was deleted since count on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from typing import Literal, get_args
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
    cast,
    delete,
    exists,
    func,
    literal,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from competition.core.jobs.aggregates import Aggregate
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.exams import AT_CONCLUSION, AT_ONCE, ExamSettings
from competition.plugins.exams.models import (
    Exam,
    ExamQuestion,
    Paper,
    Score,
    Standing,
    Submission,
)
from competition.plugins.exams.presenters import number
from competition.plugins.questions.models import Question

HIGHEST_OBTAINABLE = 100.0
RECENT = timedelta(days=7)

# Who looks, where candidates see a score later than staff.
Audience = Literal["staff", "candidates"]


@dataclass(frozen=True)
class ScoreOfExam:
    """`recorded_by` is who gave it by hand."""

    score: Score
    exam: Exam
    recorded_by: Staff | None


@dataclass(frozen=True)
class LatestScore:
    score: float
    exam_title: str
    date: datetime


@dataclass(frozen=True)
class CandidateStats:
    """Without a score (decisions G29)."""

    total_score: float = 0.0
    average_score: float = 0.0
    highest_score: float = 0.0
    lowest_score: float = 0.0
    total_exams_taken: int = 0
    latest_score: LatestScore | None = None
    highest_obtainable_score: float = HIGHEST_OBTAINABLE


@dataclass(frozen=True)
class Ranking:
    current_rank: int | None
    total_candidates: int


@dataclass(frozen=True)
class RankedCandidates:
    """How many have a score in the stage of their role, by stage, as of `at`; scores after
    `last_score` are not ranked yet."""

    totals: dict[str, int]
    last_score: int
    at: datetime


@dataclass(frozen=True)
class ScoreCounts:
    """`recent_submissions` are those of the last 7 days."""

    total_submissions: int
    recent_submissions: int
    average_score: float
    highest_score: float


@dataclass(frozen=True)
class ExamCounts:
    """`recent` were created in the last 7 days."""

    total: int
    active: int
    recent: int


def question_counts(work: Work, exam_ids: Iterable[int]) -> dict[int, int]:
    """By exam: of the frozen paper, or else of the draft without archived questions."""
    ids = list(exam_ids)
    drafts = (
        select(ExamQuestion.exam_id, func.count())
        .join(Question, Question.id == ExamQuestion.question_id)
        .where(ExamQuestion.exam_id.in_(ids), Question.archived_at.is_(None))
        .group_by(ExamQuestion.exam_id)
    )
    papers = select(Paper.exam_id, func.cardinality(Paper.question_ids)).where(
        Paper.exam_id.in_(ids)
    )
    counts = {exam_id: count for exam_id, count in work.db.execute(drafts)}
    counts.update({exam_id: count for exam_id, count in work.db.execute(papers)})
    return counts


def average_scores(work: Work, exam_ids: Iterable[int]) -> dict[int, Decimal]:
    """By exam; one without a score is left out."""
    rows = work.db.execute(
        select(Score.exam_id, func.round(func.avg(Score.value), 2))
        .where(Score.exam_id.in_(list(exam_ids)))
        .group_by(Score.exam_id)
    )
    return {exam_id: average for exam_id, average in rows}


def scores(work: Work, candidate_id: UUID) -> list[ScoreOfExam]:
    """The latest first; for a candidate those that candidates may see by now."""
    recorded_by = aliased(Staff)
    rows = work.db.execute(
        select(Score, Exam, recorded_by)
        .join(Exam, Exam.id == Score.exam_id)
        .outerjoin(recorded_by, recorded_by.id == Score.recorded_by_id)
        .where(Score.candidate_id == candidate_id, _shown_to(work, _audience(work), work.now))
        .order_by(Score.recorded_at.desc(), Score.id.desc())
    )
    return [ScoreOfExam(*row) for row in rows]


def candidate_stats(work: Work, candidate_id: UUID) -> CandidateStats:
    return stats_of(scores(work, candidate_id))


def stats_of(results: Sequence[ScoreOfExam]) -> CandidateStats:
    """Of one candidate, the latest first."""
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
    audience = _audience(work)
    standings = STANDINGS[audience].read(work)
    total = work.db.scalar(
        select(func.sum(Score.value))
        .join(Exam, Exam.id == Score.exam_id)
        .where(
            Score.candidate_id == candidate.id,
            Score.id <= standings.last_score,
            Exam.stage == candidate.role,
            _shown_to(work, audience, standings.at),
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


def refresh_standings(work: Work) -> None:
    for audience in ("staff", "candidates") if _is_held_back(work) else ("staff",):
        STANDINGS[audience].refresh(work)


def _rank_everybody(audience: Audience, work: Work) -> RankedCandidates:
    """Writes anew the rows that have changed."""
    last_score = work.db.scalar(select(func.max(Score.id))) or 0
    sums = (
        select(Candidate.role.label("stage"), func.sum(Score.value).label("total"))
        .join(Score, Score.candidate_id == Candidate.id)
        .join(Exam, (Exam.id == Score.exam_id) & (Exam.stage == Candidate.role))
        .where(Candidate.is_active, _shown_to(work, audience, work.now))
        .group_by(Candidate.id)
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


STANDINGS: dict[Audience, Aggregate[RankedCandidates]] = {
    audience: Aggregate(
        f"exams.standings.{audience}", RankedCandidates, partial(_rank_everybody, audience)
    )
    for audience in get_args(Audience)
}


def score_counts(work: Work) -> ScoreCounts:
    """Of the season, whoever the candidates are."""
    total, recent = work.db.execute(
        select(
            func.count(),
            func.count().filter(Submission.submitted_at >= work.now - RECENT),
        ).select_from(Submission)
    ).one()
    average, highest = work.db.execute(
        select(func.round(func.avg(Score.value), 2), func.max(Score.value))
    ).one()
    return ScoreCounts(total, recent, number(average), number(highest))


def exam_counts(work: Work) -> ExamCounts:
    """Without deleted ones; `active` are those that are not switched off."""
    row = work.db.execute(
        select(
            func.count(),
            func.count().filter(Exam.is_active),
            func.count().filter(Exam.created_at >= work.now - RECENT),
        ).where(Exam.deleted_at.is_(None))
    ).one()
    return ExamCounts(*row)


def _is_held_back(work: Work) -> bool:
    return work.settings[ExamSettings].scores_visible != AT_ONCE


def _audience(work: Work) -> Audience:
    is_candidate = work.actor is not None and work.actor.kind == "candidate"
    return "candidates" if is_candidate and _is_held_back(work) else "staff"


def _shown_to(work: Work, audience: Audience, at: datetime) -> ColumnElement[bool]:
    """Condition on the exam of a score: whether it was shown at that time."""
    if audience == "staff":
        return true()
    if work.settings[ExamSettings].scores_visible == AT_CONCLUSION:
        return Exam.closes_at <= at
    return Exam.sealed_at <= at
