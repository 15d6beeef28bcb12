from datetime import datetime
from typing import Any, Literal, TypedDict

from sqlalchemy import Row

from competition.plugins.exams.models import FrozenPaper, Stage
from competition.plugins.exams.presenters.exams import ExamHead, exam_head
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters.scores import (
    AccountScore,
    LatestScoreShape,
    LeaderboardRanking,
    PerformanceStats,
    ScoreSummary,
    account_score,
    latest_score,
)
from competition.plugins.sittings.models import HandedInBy, Submission
from competition.plugins.sittings.presenters import OpenExam, TakenAnswer, open_exam, taken_answers

Enrollment = Literal["done", "not_done", "missed"]


class ExamTaken(AccountScore):
    """An exam in which the candidate has a score. If there are no answers, because staff gave the
    score, `submission` is empty, and `submitted_at` and `handed_in_by` are null. If the service
    submitted automatically, `submitted_at` is the deadline."""

    exam_stage: Stage
    scheduled_date: datetime | None
    submitted_at: datetime | None
    handed_in_by: HandedInBy | None
    submission: list[TakenAnswer]


class AvailableExam(OpenExam):
    closes_at: datetime | None
    enrollment: Enrollment


class AnnouncedExam(OpenExam):
    """An exam of the candidate's stage that has not opened yet."""

    closes_at: datetime | None


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


class ExamStats(ScoreSummary):
    available_exams_count: int


class RecentScore(LatestScoreShape):
    exam_stage: Stage


class CandidateSeason(TypedDict):
    """The part of a candidate's dashboard about exams and scores."""

    exam_stats: ExamStats
    leaderboard_ranking: LeaderboardRanking
    recent_scores: list[RecentScore]
    available_exams: list[AvailableExam]
    upcoming_exams: list[AnnouncedExam]
    concluded_exams: list[ConcludedExam]


def exam_taken(score: Score, submission: Submission | None, paper: FrozenPaper | None) -> ExamTaken:
    return ExamTaken(
        **account_score(score),
        exam_stage=score.exam.stage,
        scheduled_date=score.exam.scheduled_date,
        submitted_at=None if submission is None else submission.submitted_at,
        handed_in_by=None if submission is None else submission.handed_in_by,
        submission=[] if submission is None or paper is None else taken_answers(submission, paper),
    )


def available_exam(exam: Row[Any], enrollment: Enrollment) -> AvailableExam:
    return AvailableExam(
        **open_exam(exam, exam.question_count), closes_at=exam.closes_at, enrollment=enrollment
    )


def announced_exam(exam: Row[Any]) -> AnnouncedExam:
    return AnnouncedExam(**open_exam(exam, exam.question_count), closes_at=exam.closes_at)


def concluded_exam(exam: Row[Any], enrollment: Enrollment) -> ConcludedExam:
    return ConcludedExam(
        **exam_head(exam),
        description=exam.description,
        concluded_at=exam.closes_at,
        question_count=exam.question_count,
        enrollment=enrollment,
    )


def seen_score(scored: Row[Any]) -> LatestScoreShape:
    return latest_score(scored.value, scored.title, scored.recorded_at)


def recent_score(scored: Row[Any]) -> RecentScore:
    return RecentScore(**seen_score(scored), exam_stage=scored.stage)
