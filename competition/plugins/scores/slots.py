"""What scores puts into the replies of others."""

from collections.abc import Collection
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

# Of a dashboard.
MOST_RECENT = 5


def average_scores(work: Work, exam_ids: Collection[int]) -> dict[int, float]:
    """0.0 without a score."""
    averages = of_exam.average_scores(work, exam_ids)
    return {exam_id: presenters.number(averages.get(exam_id)) for exam_id in exam_ids}


def candidate_records(
    work: Work, candidate_ids: Collection[UUID]
) -> dict[UUID, presenters.CandidateRecords]:
    """One at a time: there is one in a reply."""
    return {each: _records(work, each) for each in candidate_ids}


def _records(work: Work, candidate_id: UUID) -> presenters.CandidateRecords:
    # Whoever shows them has loaded them.
    candidate = work.db.get_one(Candidate, candidate_id)
    taken = records.exams_taken(work, candidate_id)
    return presenters.records(
        of_candidate.stats_of([result for result, *_ in taken]),
        of_candidate.ranking(work, candidate),
        taken,
        records.available_exams(work, candidate),
    )


def account_scores(
    work: Work, candidate_ids: Collection[UUID]
) -> dict[UUID, presenters.AccountScores]:
    """One at a time: there is one in a reply."""
    return {each: _account_scores(work, each) for each in candidate_ids}


def _account_scores(work: Work, candidate_id: UUID) -> presenters.AccountScores:
    results = of_candidate.scores(work, candidate_id)
    return presenters.account_scores(of_candidate.stats_of(results), results)


def candidate_season(
    work: Work, candidate_ids: Collection[UUID]
) -> dict[UUID, presenters.CandidateSeason]:
    """One at a time: there is one in a reply."""
    return {each: _candidate_season(work, each) for each in candidate_ids}


def _candidate_season(work: Work, candidate_id: UUID) -> presenters.CandidateSeason:
    candidate = work.db.get_one(Candidate, candidate_id)
    results = of_candidate.scores(work, candidate_id)
    available, concluded = records.available_and_concluded(work, candidate)
    return presenters.candidate_season(
        of_candidate.stats_of(results),
        of_candidate.ranking(work, candidate),
        results[:MOST_RECENT],
        available,
        concluded,
        work.now,
    )


def season_numbers(work: Work, keys: Collection[str]) -> dict[str, presenters.SeasonNumbers]:
    exams, scores = of_season.exam_counts(work), of_season.score_counts(work)
    return dict.fromkeys(keys, presenters.season_numbers(exams, scores))


def includeme(config: Configurator) -> None:
    config.fill_slot_with(CANDIDATE_DASHBOARD, presenters.CandidateSeason, candidate_season)
    config.fill_slot_with(SEASON_NUMBERS, presenters.SeasonNumbers, season_numbers)
    config.fill_slot(EXAM, "average_score", float, average_scores)
    config.fill_slot(CANDIDATE_DETAIL, "records", presenters.CandidateRecords, candidate_records)
    config.fill_slot(CANDIDATE_ACCOUNT, "scores", presenters.AccountScores, account_scores)
