from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Literal, TypedDict
from uuid import UUID

from competition.core.users.models import Candidate
from competition.core.users.profiles import CandidateProfile, candidate_profile
from competition.core.work import Work
from competition.plugins.exams.models import Exam, Paper, Stage
from competition.plugins.exams.presenters import ExamHead, exam_head
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import HandedInBy, Submission
from competition.plugins.sittings.presenters import OpenExam, TakenAnswer, open_exam, taken_answers

Enrollment = Literal["done", "not_done", "missed"]
AUTOMATIC = "Auto Score"


class ExamResult(TypedDict):
    """A candidate's score in an exam. `handed_in_by` is null when nothing was handed in."""

    candidate_id: UUID
    candidate_name: str
    candidate_school: str
    score: float
    auto_score: bool
    score_submitted_by: str
    recorded_at: datetime
    handed_in_by: HandedInBy | None


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
    """A candidate's rank in their stage; `current_rank` is null without a score there."""

    current_rank: int | None
    total_candidates: int


class ScoreTotals(TypedDict):
    total_score: float
    average_score: float


class PerformanceStats(ScoreTotals):
    leaderboard_ranking: LeaderboardRanking
    latest_score: LatestScoreShape | None
    highest_score: float
    lowest_score: float
    total_exams_taken: int
    highest_obtainable_score: float


class ExamTaken(TypedDict):
    """An exam with a score. When that was only given by hand `submission` is empty, and
    `handed_in_by` null."""

    exam_id: int
    exam_title: str
    exam_stage: Stage
    scheduled_date: datetime | None
    score: float
    recorded_at: datetime
    score_submitted_by: str
    auto_score: bool
    handed_in_by: HandedInBy | None
    submission: list[TakenAnswer]


class AvailableExam(OpenExam):
    enrollment: Enrollment


class ConcludedExam(ExamHead):
    description: str
    concluded_at: datetime | None
    question_count: int
    enrollment: Enrollment


class Performance(TypedDict):
    stats: PerformanceStats
    exams_taken: list[ExamTaken]


class CandidateRecords(TypedDict):
    performance: Performance
    available_exams: list[AvailableExam]


class ExamStats(TypedDict):
    """What scores come to. Without any all is 0, and `latest_score` null."""

    total_exams_taken: int
    available_exams_count: int
    average_score: float
    highest_score: float
    lowest_score: float
    latest_score: LatestScoreShape | None


class RecentScore(TypedDict):
    exam_title: str
    score: float
    date: datetime
    exam_stage: Stage


class CandidateSeason(TypedDict):
    """What a candidate's dashboard shows of exams and scores."""

    exam_stats: ExamStats
    leaderboard_ranking: LeaderboardRanking
    recent_scores: list[RecentScore]
    available_exams: list[AvailableExam]
    concluded_exams: list[ConcludedExam]


class ExamNumbers(TypedDict):
    """Counts of exams: `active` are not switched off, `recent` were made in the last 7 days."""

    total: int
    active: int
    recent: int


class ScoreNumbers(TypedDict):
    """Counts of scores; `recent_submissions` are those of the last seven days."""

    total_submissions: int
    recent_submissions: int
    average_score: float
    highest_score: float


class ScoreRecord(TypedDict):
    id: int
    candidate: CandidateProfile
    exam: ScoredExam
    score: float
    recorded_at: datetime


class HistoryItem(TypedDict):
    """A candidate's score in an exam; `exam` is its title."""

    exam: str
    score: float


class AccountScore(TypedDict):
    exam_id: int
    exam_title: str
    score: float
    recorded_at: datetime
    score_submitted_by: str
    auto_score: bool


class AccountScores(ScoreTotals):
    scores: list[AccountScore]


def number(value: Decimal | None) -> float:
    """A number for a reply: two decimals (decisions A5)."""
    return round(float(value or 0), 2)


def score_submitted_by(score: Score) -> str:
    """Who gave a score; empty if whoever gave it by hand has no account any more."""
    if score.is_auto:
        return AUTOMATIC
    return score.recorded_by.full_name if score.recorded_by else ""


def exam_result(score: Score, handed_in_by: HandedInBy | None) -> ExamResult:
    return ExamResult(
        candidate_id=score.candidate.id,
        candidate_name=score.candidate.full_name,
        candidate_school=score.candidate.school,
        score=number(score.value),
        auto_score=score.is_auto,
        score_submitted_by=score_submitted_by(score),
        recorded_at=score.recorded_at,
        handed_in_by=handed_in_by,
    )


def score_receipt(
    work: Work, exam: Exam, candidate: Candidate, score: Score, *, updated: bool
) -> ScoreReceipt:
    return ScoreReceipt(
        message=f"The score was {'updated' if updated else 'submitted'}.",
        data=RecordedScore(
            candidate=candidate_profile(work, candidate),
            exam=scored_exam(exam),
            score=number(score.value),
        ),
    )


def scored_exam(exam: Exam) -> ScoredExam:
    return ScoredExam(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        question_count=exam.question_count,
        created_at=exam.created_at,
    )


def latest_score(score: Score) -> LatestScoreShape:
    return LatestScoreShape(
        score=number(score.value), exam_title=score.exam.title, date=score.recorded_at
    )


def exam_taken(score: Score, submission: Submission | None, paper: Paper | None) -> ExamTaken:
    exam = score.exam
    return ExamTaken(
        exam_id=exam.id,
        exam_title=exam.title,
        exam_stage=exam.stage,
        scheduled_date=exam.scheduled_date,
        score=number(score.value),
        recorded_at=score.recorded_at,
        score_submitted_by=score_submitted_by(score),
        auto_score=score.is_auto,
        handed_in_by=None if submission is None else submission.handed_in_by,
        submission=[] if submission is None or paper is None else taken_answers(submission, paper),
    )


def available_exam(exam: Exam, enrollment: Enrollment) -> AvailableExam:
    return AvailableExam(**open_exam(exam, exam.question_count), enrollment=enrollment)


def concluded_exam(exam: Exam, enrollment: Enrollment, now: datetime) -> ConcludedExam:
    return ConcludedExam(
        **exam_head(exam),
        description=exam.description,
        concluded_at=exam.concluded_at(now),
        question_count=exam.question_count,
        enrollment=enrollment,
    )


def score_record(work: Work, candidate: Candidate, score: Score) -> ScoreRecord:
    return ScoreRecord(
        id=score.id,
        candidate=candidate_profile(work, candidate),
        exam=scored_exam(score.exam),
        score=number(score.value),
        recorded_at=score.recorded_at,
    )


def history_item(score: Score) -> HistoryItem:
    return HistoryItem(exam=score.exam.title, score=number(score.value))


def account_scores(totals: ScoreTotals, scores: Iterable[Score]) -> AccountScores:
    return AccountScores(
        **totals,
        scores=[
            AccountScore(
                exam_id=score.exam.id,
                exam_title=score.exam.title,
                score=number(score.value),
                recorded_at=score.recorded_at,
                score_submitted_by=score_submitted_by(score),
                auto_score=score.is_auto,
            )
            for score in scores
        ],
    )


def exam_stats(stats: PerformanceStats, available_exams_count: int) -> ExamStats:
    return ExamStats(
        total_exams_taken=stats["total_exams_taken"],
        available_exams_count=available_exams_count,
        average_score=stats["average_score"],
        highest_score=stats["highest_score"],
        lowest_score=stats["lowest_score"],
        latest_score=stats["latest_score"],
    )


def recent_score(score: Score) -> RecentScore:
    return RecentScore(
        exam_title=score.exam.title,
        score=number(score.value),
        date=score.recorded_at,
        exam_stage=score.exam.stage,
    )
