"""Fill slots in the replies of other plugins with scores, statistics and exam records."""

from collections.abc import Collection
from datetime import date
from uuid import UUID

from competition.core.seasons import current as seasons
from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.offered_slots import (
    CANDIDATE_DASHBOARD,
    DAY_NUMBERS,
    SEASON_NUMBERS,
)
from competition.plugins.exams.offered_slots import EXAM
from competition.plugins.people.offered_slots import CANDIDATE_ACCOUNT, CANDIDATE_DETAIL
from competition.plugins.scores.presenters import records as record_shapes
from competition.plugins.scores.presenters import scores as presenters
from competition.plugins.scores.services import records as exam_records
from competition.plugins.scores.services.statistics import candidate as of_candidate
from competition.plugins.scores.services.statistics import exam as of_exam
from competition.plugins.scores.services.statistics import season as of_season

# How many recent scores a dashboard shows.
MOST_RECENT = 5


@fill_slot(CANDIDATE_ACCOUNT, "scores")
def account_scores(
    work: Work, candidate_ids: Collection[UUID]
) -> dict[UUID, presenters.AccountScores]:
    # One query per candidate is enough: the reply shows a single account.
    season_id = seasons.asked(work)
    scores = {each: of_candidate.scores(work, each, season_id) for each in candidate_ids}
    return {
        each: presenters.account_scores(of_candidate.totals([score.value for score in own]), own)
        for each, own in scores.items()
    }


@fill_slot(SEASON_NUMBERS, "exams")
def exams(work: Work, keys: Collection[str]) -> dict[str, presenters.ExamNumbers]:
    return of_season.exam_counts(work, keys)


@fill_slot(SEASON_NUMBERS, "scores")
def scores(work: Work, keys: Collection[str]) -> dict[str, presenters.ScoreNumbers]:
    return of_season.score_counts(work, keys)


@fill_slot(DAY_NUMBERS, "submissions")
def submissions(work: Work, days: Collection[date]) -> dict[date, int]:
    return of_season.submissions_by_day(work, days)


@fill_slot(EXAM, "average_score")
def average_score(work: Work, exam_ids: Collection[int]) -> dict[int, float]:
    return of_exam.average_scores(work, exam_ids)


def candidate_records(work: Work, candidate_id: UUID) -> record_shapes.CandidateRecords:
    taken = exam_records.exams_taken(work, candidate_id)
    progress = exam_records.progress(work, candidate_id)
    return record_shapes.CandidateRecords(
        performance=record_shapes.Performance(
            stats=of_candidate.stats([score for score, *_ in taken], progress.ranking),
            exams_taken=[record_shapes.exam_taken(*each) for each in taken],
        ),
        available_exams=[record_shapes.available_exam(*each) for each in progress.available],
    )


def candidate_progress(work: Work, candidate_id: UUID) -> record_shapes.CandidateSeason:
    progress = exam_records.progress(work, candidate_id)
    latest = record_shapes.seen_score(progress.scored[0]) if progress.scored else None
    summary = of_candidate.summary([each.value for each in progress.scored], latest)
    return record_shapes.CandidateSeason(
        exam_stats=record_shapes.ExamStats(
            **summary, available_exams_count=len(progress.available)
        ),
        leaderboard_ranking=progress.ranking,
        recent_scores=[record_shapes.recent_score(each) for each in progress.scored[:MOST_RECENT]],
        available_exams=[record_shapes.available_exam(*each) for each in progress.available],
        upcoming_exams=[record_shapes.announced_exam(each) for each in progress.upcoming],
        concluded_exams=[record_shapes.concluded_exam(*each) for each in progress.concluded],
    )


# Separate queries for each candidate are fast enough, because each of these replies shows one
# candidate.


@fill_slot(CANDIDATE_DASHBOARD)
def progress(
    work: Work, candidate_ids: Collection[UUID]
) -> dict[UUID, record_shapes.CandidateSeason]:
    return {each: candidate_progress(work, each) for each in candidate_ids}


@fill_slot(CANDIDATE_DETAIL, "records")
def records(
    work: Work, candidate_ids: Collection[UUID]
) -> dict[UUID, record_shapes.CandidateRecords]:
    return {each: candidate_records(work, each) for each in candidate_ids}
