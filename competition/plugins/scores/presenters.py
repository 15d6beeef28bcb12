from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Literal, TypedDict
from uuid import UUID

from competition.core.users.models import Candidate, Staff
from competition.core.users.profiles import CandidateProfile, candidate_profile
from competition.core.work import Work
from competition.plugins.exams.models import Exam, Paper, Stage
from competition.plugins.scores.models import (
    CandidateStats,
    ExamCounts,
    Ranking,
    Score,
    ScoreCounts,
    ScoreOfExam,
)
from competition.plugins.sittings.models import UNANSWERED, Submission

Enrollment = Literal["done", "not_done", "missed"]
AUTOMATIC = "Auto Score"


class ExamResult(TypedDict):
    candidate_id: UUID
    candidate_name: str
    candidate_school: str
    score: float
    auto_score: bool
    score_submitted_by: str
    recorded_at: datetime


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
    """`current_rank` is null without a score in the candidate's stage."""

    current_rank: int | None
    total_candidates: int


class PerformanceStats(TypedDict):
    total_score: float
    average_score: float
    leaderboard_ranking: LeaderboardRanking
    latest_score: LatestScoreShape | None
    highest_score: float
    lowest_score: float
    total_exams_taken: int
    highest_obtainable_score: float


class TakenAnswer(TypedDict):
    """`selected_option` is empty for a question left unanswered."""

    question_id: int
    question_text: str
    option_a: str
    option_b: str
    option_c: str
    option_d: str
    selected_option: str
    answered_at: datetime


class ExamTaken(TypedDict):
    """`submission` is empty when there is only a score given by hand."""

    exam_id: int
    exam_title: str
    exam_stage: Stage
    scheduled_date: datetime | None
    score: float
    recorded_at: datetime
    score_submitted_by: str
    auto_score: bool
    submission: list[TakenAnswer]


class AvailableExam(TypedDict):
    id: int
    title: str
    stage: Stage
    round: int
    stage_display: str
    description: str
    open_duration_hours: int
    scheduled_date: datetime | None
    countdown_minutes: int
    question_count: int
    enrollment: Enrollment


class ConcludedExam(TypedDict):
    id: int
    title: str
    stage: Stage
    round: int
    stage_display: str
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
    """Without a score everything is 0, and `latest_score` null."""

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
    """`active` are not switched off, `recent` were created in the last seven days."""

    total: int
    active: int
    recent: int


class ScoreNumbers(TypedDict):
    """`recent_submissions` are those of the last seven days."""

    total_submissions: int
    recent_submissions: int
    average_score: float
    highest_score: float


class SeasonNumbers(TypedDict):
    """What the staff's dashboard shows of all exams and scores."""

    exams: ExamNumbers
    scores: ScoreNumbers


class ScoreRecord(TypedDict):
    id: int
    candidate: CandidateProfile
    exam: ScoredExam
    score: float
    recorded_at: datetime


class HistoryItem(TypedDict):
    """`exam` is its title."""

    exam: str
    score: float


class AccountScore(TypedDict):
    exam_id: int
    exam_title: str
    score: float
    recorded_at: datetime
    score_submitted_by: str
    auto_score: bool


class AccountScores(TypedDict):
    total_score: float
    average_score: float
    scores: list[AccountScore]


def number(value: Decimal | None) -> float:
    """Two decimals (decisions A5)."""
    return round(float(value or 0), 2)


def score_submitted_by(score: Score, recorded_by: str | None) -> str:
    """`recorded_by` is the person's full name; nobody's, if the account is gone."""
    return AUTOMATIC if score.is_auto else recorded_by or ""


def exam_result(score: Score, candidate: Candidate, recorded_by: Staff | None) -> ExamResult:
    return ExamResult(
        candidate_id=candidate.id,
        candidate_name=candidate.full_name,
        candidate_school=candidate.school,
        score=number(score.value),
        auto_score=score.is_auto,
        score_submitted_by=score_submitted_by(
            score, recorded_by.full_name if recorded_by else None
        ),
        recorded_at=score.recorded_at,
    )


def score_receipt(
    work: Work,
    exam: Exam,
    candidate: Candidate,
    score: Score,
    question_count: int,
    *,
    updated: bool,
) -> ScoreReceipt:
    return ScoreReceipt(
        message=f"The score was {'updated' if updated else 'submitted'}.",
        data=RecordedScore(
            candidate=candidate_profile(work, candidate),
            exam=scored_exam(exam, question_count),
            score=number(score.value),
        ),
    )


def scored_exam(exam: Exam, question_count: int) -> ScoredExam:
    return ScoredExam(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        question_count=question_count,
        created_at=exam.created_at,
    )


def latest_score(stats: CandidateStats) -> LatestScoreShape | None:
    latest = stats.latest_score
    if latest is None:
        return None
    return LatestScoreShape(score=latest.score, exam_title=latest.exam_title, date=latest.date)


def leaderboard_ranking(ranking: Ranking) -> LeaderboardRanking:
    return LeaderboardRanking(
        current_rank=ranking.current_rank, total_candidates=ranking.total_candidates
    )


def records(
    stats: CandidateStats,
    ranking: Ranking,
    taken: Iterable[tuple[ScoreOfExam, Submission | None, Paper | None]],
    available: Iterable[tuple[Exam, int, Enrollment]],
) -> CandidateRecords:
    return CandidateRecords(
        performance=Performance(
            stats=PerformanceStats(
                total_score=stats.total_score,
                average_score=stats.average_score,
                leaderboard_ranking=leaderboard_ranking(ranking),
                latest_score=latest_score(stats),
                highest_score=stats.highest_score,
                lowest_score=stats.lowest_score,
                total_exams_taken=stats.total_exams_taken,
                highest_obtainable_score=stats.highest_obtainable_score,
            ),
            exams_taken=[exam_taken(*each) for each in taken],
        ),
        available_exams=[available_exam(*each) for each in available],
    )


def exam_taken(
    result: ScoreOfExam, submission: Submission | None, paper: Paper | None
) -> ExamTaken:
    exam = result.exam
    return ExamTaken(
        exam_id=exam.id,
        exam_title=exam.title,
        exam_stage=exam.stage,
        scheduled_date=exam.scheduled_date,
        score=number(result.score.value),
        recorded_at=result.score.recorded_at,
        score_submitted_by=_submitted_by(result),
        auto_score=result.score.is_auto,
        submission=[] if submission is None or paper is None else _answers(submission, paper),
    )


def _answers(submission: Submission, paper: Paper) -> list[TakenAnswer]:
    return [
        TakenAnswer(
            question_id=question["id"],
            question_text=question["text"],
            option_a=question["option_a"],
            option_b=question["option_b"],
            option_c=question["option_c"],
            option_d=question["option_d"],
            selected_option="" if answer == UNANSWERED else answer,
            answered_at=submission.submitted_at,
        )
        for question, answer in zip(paper.questions, submission.answers, strict=True)
    ]


def _submitted_by(result: ScoreOfExam) -> str:
    person = result.recorded_by
    return score_submitted_by(result.score, person.full_name if person else None)


def available_exam(exam: Exam, question_count: int, enrollment: Enrollment) -> AvailableExam:
    return AvailableExam(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        round=exam.round,
        stage_display=exam.stage_display,
        description=exam.description,
        open_duration_hours=exam.open_duration_hours,
        scheduled_date=exam.scheduled_date,
        countdown_minutes=exam.countdown_minutes,
        question_count=question_count,
        enrollment=enrollment,
    )


def concluded_exam(
    exam: Exam, question_count: int, enrollment: Enrollment, now: datetime
) -> ConcludedExam:
    return ConcludedExam(
        id=exam.id,
        title=exam.title,
        stage=exam.stage,
        round=exam.round,
        stage_display=exam.stage_display,
        description=exam.description,
        concluded_at=exam.concluded_at(now),
        question_count=question_count,
        enrollment=enrollment,
    )


def score_record(
    work: Work, candidate: Candidate, result: ScoreOfExam, question_count: int
) -> ScoreRecord:
    return ScoreRecord(
        id=result.score.id,
        candidate=candidate_profile(work, candidate),
        exam=scored_exam(result.exam, question_count),
        score=number(result.score.value),
        recorded_at=result.score.recorded_at,
    )


def history_item(result: ScoreOfExam) -> HistoryItem:
    return HistoryItem(exam=result.exam.title, score=number(result.score.value))


def account_scores(stats: CandidateStats, results: Iterable[ScoreOfExam]) -> AccountScores:
    return AccountScores(
        total_score=stats.total_score,
        average_score=stats.average_score,
        scores=[_account_score(result) for result in results],
    )


def _account_score(result: ScoreOfExam) -> AccountScore:
    return AccountScore(
        exam_id=result.exam.id,
        exam_title=result.exam.title,
        score=number(result.score.value),
        recorded_at=result.score.recorded_at,
        score_submitted_by=_submitted_by(result),
        auto_score=result.score.is_auto,
    )


def candidate_season(
    stats: CandidateStats,
    ranking: Ranking,
    recent: Iterable[ScoreOfExam],
    available: Sequence[tuple[Exam, int, Enrollment]],
    concluded: Iterable[tuple[Exam, int, Enrollment]],
    now: datetime,
) -> CandidateSeason:
    return CandidateSeason(
        exam_stats=ExamStats(
            total_exams_taken=stats.total_exams_taken,
            available_exams_count=len(available),
            average_score=stats.average_score,
            highest_score=stats.highest_score,
            lowest_score=stats.lowest_score,
            latest_score=latest_score(stats),
        ),
        leaderboard_ranking=leaderboard_ranking(ranking),
        recent_scores=[_recent_score(result) for result in recent],
        available_exams=[available_exam(*each) for each in available],
        concluded_exams=[concluded_exam(*each, now) for each in concluded],
    )


def _recent_score(result: ScoreOfExam) -> RecentScore:
    return RecentScore(
        exam_title=result.exam.title,
        score=number(result.score.value),
        date=result.score.recorded_at,
        exam_stage=result.exam.stage,
    )


def season_numbers(exams: ExamCounts, scores: ScoreCounts) -> SeasonNumbers:
    return SeasonNumbers(
        exams=ExamNumbers(total=exams.total, active=exams.active, recent=exams.recent),
        scores=ScoreNumbers(
            total_submissions=scores.total_submissions,
            recent_submissions=scores.recent_submissions,
            average_score=scores.average_score,
            highest_score=scores.highest_score,
        ),
    )
