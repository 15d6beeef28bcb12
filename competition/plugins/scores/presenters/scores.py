from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import TypedDict
from uuid import UUID

from competition.core.lists import Page, Pagination
from competition.core.messages import Message
from competition.core.rounding import rounded
from competition.core.users.models import Candidate
from competition.core.users.profiles import CandidateProfile, candidate_profile
from competition.core.work import Work
from competition.plugins.exams.models import Exam, Stage
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import HandedInBy

AUTOMATIC = "Auto Score"
# How many decimals scores and averages have (decisions A5).
DECIMALS = 2


class ExamResult(TypedDict):
    """A candidate's score in an exam. Without a submission, `handed_in_by` and `submitted_at` are
    null. If the service submitted automatically, `submitted_at` is the deadline."""

    candidate_id: UUID
    candidate_name: str
    candidate_school: str
    score: float
    auto_score: bool
    score_submitted_by: str
    recorded_at: datetime
    submitted_at: datetime | None
    handed_in_by: HandedInBy | None


class ResultList(TypedDict):
    results: list[ExamResult]
    pagination: Pagination


class ScoredExam(TypedDict):
    id: int
    title: str
    stage: Stage
    question_count: int
    created_at: datetime


class RecordedScore(TypedDict):
    candidate: CandidateProfile
    exam: ScoredExam
    score: float


class ScoreReceipt(TypedDict):
    message: str
    data: RecordedScore


class LatestScoreShape(TypedDict):
    score: float
    exam_title: str
    date: datetime


class LeaderboardRanking(TypedDict):
    """A candidate's rank in their stage. `current_rank` is null if they have no score there, or if
    their account is not active."""

    current_rank: int | None
    total_candidates: int


class ScoreTotals(TypedDict):
    total_score: float
    average_score: float


class ScoreSummary(TypedDict):
    """Statistics of a candidate's scores. Without a score, the numbers are 0 and `latest_score` is
    null."""

    total_exams_taken: int
    average_score: float
    highest_score: float
    lowest_score: float
    latest_score: LatestScoreShape | None


class PerformanceStats(ScoreSummary):
    total_score: float
    leaderboard_ranking: LeaderboardRanking
    highest_obtainable_score: float


class AccountScore(TypedDict):
    exam_id: int
    exam_title: str
    score: float
    recorded_at: datetime
    score_submitted_by: str
    auto_score: bool


class ExamNumbers(TypedDict):
    """Counts of exams: `active` are switched on, `recent` were created in the last seven days."""

    total: int
    active: int
    recent: int


class ScoreNumbers(TypedDict):
    """Counts of submissions, and the average and highest score of all exams. `recent_submissions`
    are those of the last seven days."""

    total_submissions: int
    recent_submissions: int
    average_score: float
    highest_score: float


class ScoreRecord(RecordedScore):
    id: int
    recorded_at: datetime


class HistoryItem(TypedDict):
    """A candidate's score in an exam. `exam` is the title of the exam."""

    exam: str
    score: float


class AccountScores(ScoreTotals):
    scores: list[AccountScore]


def number(value: Decimal | None) -> float:
    """The value as a float with two decimals, for replies (decisions A5); 0 for None."""
    return rounded(value or 0, DECIMALS)


def score_submitted_by(score: Score) -> str:
    """`AUTOMATIC`, or the name of the member of staff who gave the score.

    The name is empty if their account no longer exists.
    """
    if score.is_auto:
        return AUTOMATIC
    return score.recorded_by.full_name if score.recorded_by else ""


def result_list(page: Page[ExamResult], url: str) -> ResultList:
    return ResultList(results=list(page.items), pagination=page.pagination(url))


def exam_result(
    score: Score, school: str, submitted_at: datetime | None, handed_in_by: HandedInBy | None
) -> ExamResult:
    return ExamResult(
        candidate_id=score.candidate.id,
        candidate_name=score.candidate.full_name,
        candidate_school=school,
        score=number(score.value),
        auto_score=score.is_auto,
        score_submitted_by=score_submitted_by(score),
        recorded_at=score.recorded_at,
        submitted_at=submitted_at,
        handed_in_by=handed_in_by,
    )


def score_receipt(
    work: Work, exam: Exam, candidate: Candidate, score: Score, *, updated: bool
) -> ScoreReceipt:
    return ScoreReceipt(
        message=Message("The score was updated.")
        if updated
        else Message("The score was submitted."),
        data=_recorded_score(work, exam, candidate, score),
    )


def _recorded_score(work: Work, exam: Exam, candidate: Candidate, score: Score) -> RecordedScore:
    return RecordedScore(
        candidate=candidate_profile(work, candidate),
        exam=scored_exam(exam),
        score=number(score.value),
    )


def scored_exam(exam: Exam) -> ScoredExam:
    return ScoredExam(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        question_count=exam.question_count,
        created_at=exam.created_at,
    )


def latest_score(value: Decimal, exam_title: str, recorded_at: datetime) -> LatestScoreShape:
    return LatestScoreShape(score=number(value), exam_title=exam_title, date=recorded_at)


def score_record(work: Work, candidate: Candidate, score: Score) -> ScoreRecord:
    recorded = _recorded_score(work, score.exam, candidate, score)
    return ScoreRecord(**recorded, id=score.id, recorded_at=score.recorded_at)


def history_item(score: Score) -> HistoryItem:
    return HistoryItem(exam=score.exam.title, score=number(score.value))


def account_scores(totals: ScoreTotals, scores: Iterable[Score]) -> AccountScores:
    return AccountScores(**totals, scores=[account_score(score) for score in scores])


def account_score(score: Score) -> AccountScore:
    return AccountScore(
        exam_id=score.exam.id,
        exam_title=score.exam.title,
        score=number(score.value),
        recorded_at=score.recorded_at,
        score_submitted_by=score_submitted_by(score),
        auto_score=score.is_auto,
    )
