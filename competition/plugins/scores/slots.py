"""Fills slots in the replies of other plugins with what scores knows."""

from collections.abc import Callable, Collection
from typing import TypeVar
from uuid import UUID

from pyramid.config import Configurator

from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.dashboards.presenters import CANDIDATE_DASHBOARD, SEASON_NUMBERS
from competition.plugins.exams.presenters import EXAM
from competition.plugins.people.presenters import CANDIDATE_ACCOUNT, CANDIDATE_DETAIL
from competition.plugins.scores import presenters
from competition.plugins.scores.services import records
from competition.plugins.scores.services.statistics import candidate as of_candidate
from competition.plugins.scores.services.statistics import exam as of_exam
from competition.plugins.scores.services.statistics import season as of_season

Shape = TypeVar("Shape")

# Of a dashboard.
MOST_RECENT = 5


def candidate_records(work: Work, candidate_id: UUID) -> presenters.CandidateRecords:
    candidate = work.db.get_one(Candidate, candidate_id)
    taken = records.exams_taken(work, candidate_id)
    ranking = of_candidate.ranking(work, candidate)
    return presenters.CandidateRecords(
        performance=presenters.Performance(
            stats=of_candidate.stats([score for score, *_ in taken], ranking),
            exams_taken=[presenters.exam_taken(*each) for each in taken],
        ),
        available_exams=[
            presenters.available_exam(*each) for each in records.available_exams(work, candidate)
        ],
    )


def account_scores(work: Work, candidate_id: UUID) -> presenters.AccountScores:
    scores = of_candidate.scores(work, candidate_id)
    return presenters.account_scores(of_candidate.totals(scores), scores)


def candidate_season(work: Work, candidate_id: UUID) -> presenters.CandidateSeason:
    candidate = work.db.get_one(Candidate, candidate_id)
    scores = of_candidate.scores(work, candidate_id)
    available, concluded = records.available_and_concluded(work, candidate)
    ranking = of_candidate.ranking(work, candidate)
    return presenters.CandidateSeason(
        exam_stats=presenters.exam_stats(of_candidate.stats(scores, ranking), len(available)),
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
    config.fill_slot(SEASON_NUMBERS, "exams", presenters.ExamNumbers, of_season.exam_counts)
    config.fill_slot(SEASON_NUMBERS, "scores", presenters.ScoreNumbers, of_season.score_counts)
    config.fill_slot(EXAM, "average_score", float, of_exam.average_scores)
    config.fill_slot(CANDIDATE_DETAIL, "records", presenters.CandidateRecords, detail)
    scores = one_by_one(account_scores)
    config.fill_slot(CANDIDATE_ACCOUNT, "scores", presenters.AccountScores, scores)
