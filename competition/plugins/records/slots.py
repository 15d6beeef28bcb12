"""Fill slots in the replies of other plugins with a candidate's exam records."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.offered_slots import CANDIDATE_DASHBOARD
from competition.plugins.people.offered_slots import CANDIDATE_DETAIL
from competition.plugins.records import presenters, services
from competition.plugins.scores.services.statistics import candidate as of_candidate

# How many recent scores a dashboard shows.
MOST_RECENT = 5


def candidate_records(work: Work, candidate_id: UUID) -> presenters.CandidateRecords:
    taken = services.exams_taken(work, candidate_id)
    progress = services.progress(work, candidate_id)
    return presenters.CandidateRecords(
        performance=presenters.Performance(
            stats=of_candidate.stats([score for score, *_ in taken], progress.ranking),
            exams_taken=[presenters.exam_taken(*each) for each in taken],
        ),
        available_exams=[presenters.available_exam(*each) for each in progress.available],
    )


def candidate_progress(work: Work, candidate_id: UUID) -> presenters.CandidateSeason:
    progress = services.progress(work, candidate_id)
    latest = presenters.seen_score(progress.scored[0]) if progress.scored else None
    summary = of_candidate.summary([each.value for each in progress.scored], latest)
    return presenters.CandidateSeason(
        exam_stats=presenters.ExamStats(**summary, available_exams_count=len(progress.available)),
        leaderboard_ranking=progress.ranking,
        recent_scores=[presenters.recent_score(each) for each in progress.scored[:MOST_RECENT]],
        available_exams=[presenters.available_exam(*each) for each in progress.available],
        upcoming_exams=[presenters.announced_exam(each) for each in progress.upcoming],
        concluded_exams=[presenters.concluded_exam(*each) for each in progress.concluded],
    )


# Separate queries for each candidate are fast enough, because each of these replies shows one
# candidate.


@fill_slot(CANDIDATE_DASHBOARD)
def progress(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, presenters.CandidateSeason]:
    return {each: candidate_progress(work, each) for each in candidate_ids}


@fill_slot(CANDIDATE_DETAIL, "records")
def records(work: Work, candidate_ids: Collection[UUID]) -> dict[UUID, presenters.CandidateRecords]:
    return {each: candidate_records(work, each) for each in candidate_ids}
