"""Fill slots in the replies of other plugins with scores and statistics."""

from collections.abc import Collection
from datetime import date
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.offered_slots import DAY_NUMBERS, SEASON_NUMBERS
from competition.plugins.exams.offered_slots import EXAM
from competition.plugins.people.offered_slots import CANDIDATE_ACCOUNT
from competition.plugins.scores import presenters
from competition.plugins.scores.services.statistics import candidate as of_candidate
from competition.plugins.scores.services.statistics import exam as of_exam
from competition.plugins.scores.services.statistics import season as of_season


@fill_slot(CANDIDATE_ACCOUNT, "scores")
def account_scores(
    work: Work, candidate_ids: Collection[UUID]
) -> dict[UUID, presenters.AccountScores]:
    # One query per candidate is enough: the reply shows a single account.
    scores = {each: of_candidate.scores(work, each) for each in candidate_ids}
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
