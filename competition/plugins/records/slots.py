"""Fills slots in the replies of other plugins with a candidate's services."""

from collections.abc import Callable, Collection
from typing import TypeVar
from uuid import UUID

from pyramid.config import Configurator

from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.dashboards.presenters import CANDIDATE_DASHBOARD
from competition.plugins.people.presenters import CANDIDATE_DETAIL
from competition.plugins.records import presenters, services
from competition.plugins.scores.services.statistics import candidate as of_candidate

Shape = TypeVar("Shape")

# Of a dashboard.
MOST_RECENT = 5


def candidate_records(work: Work, candidate_id: UUID) -> presenters.CandidateRecords:
    # Whoever shows them has loaded them.
    candidate = work.db.get_one(Candidate, candidate_id)
    taken = services.exams_taken(work, candidate_id)
    ranking = of_candidate.ranking(work, candidate)
    available = services.available_exams(work, candidate)
    return presenters.CandidateRecords(
        performance=presenters.Performance(
            stats=of_candidate.stats([score for score, *_ in taken], ranking),
            exams_taken=[presenters.exam_taken(*each) for each in taken],
        ),
        available_exams=[presenters.available_exam(*each) for each in available],
    )


def candidate_season(work: Work, candidate_id: UUID) -> presenters.CandidateSeason:
    candidate = work.db.get_one(Candidate, candidate_id)
    scores = of_candidate.scores(work, candidate_id)
    available, concluded = services.available_and_concluded(work, candidate)
    ranking = of_candidate.ranking(work, candidate)
    return presenters.CandidateSeason(
        exam_stats=presenters.ExamStats(
            **of_candidate.summary(scores), available_exams_count=len(available)
        ),
        leaderboard_ranking=ranking,
        recent_scores=[presenters.recent_score(score) for score in scores[:MOST_RECENT]],
        available_exams=[presenters.available_exam(*each) for each in available],
        concluded_exams=[presenters.concluded_exam(*each, work.now) for each in concluded],
    )


def one_by_one(
    show: Callable[[Work, UUID], Shape],
) -> Callable[[Work, Collection[UUID]], dict[UUID, Shape]]:
    """A loader for slots whose replies show a single candidate."""
    return lambda work, candidate_ids: {each: show(work, each) for each in candidate_ids}


def includeme(config: Configurator) -> None:
    season, detail = one_by_one(candidate_season), one_by_one(candidate_records)
    config.fill_slot_with(CANDIDATE_DASHBOARD, presenters.CandidateSeason, season)
    config.fill_slot(CANDIDATE_DETAIL, "records", presenters.CandidateRecords, detail)
