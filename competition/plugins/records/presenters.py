from datetime import datetime
from typing import Literal, TypedDict

from competition.plugins.exams.models import Exam, Paper, Stage
from competition.plugins.exams.presenters import ExamHead, exam_head
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters import (
    LatestScoreShape,
    LeaderboardRanking,
    PerformanceStats,
    number,
    score_submitted_by,
)
from competition.plugins.sittings.models import HandedInBy, Submission
from competition.plugins.sittings.presenters import OpenExam, TakenAnswer, open_exam, taken_answers

Enrollment = Literal["done", "not_done", "missed"]


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
