from collections.abc import Mapping
from datetime import datetime
from typing import TypedDict

from competition.core.users.headcounts import AccountCounts, CandidateCounts, Headcount
from competition.core.users.models import User
from competition.core.users.profiles import CandidateRoleName, StaffRoleName
from competition.plugins.dashboards.models import CandidateSeason, StaffSeason
from competition.plugins.exams.models import Exam, Stage
from competition.plugins.scores.models import ScoreOfExam
from competition.plugins.scores.presenters import (
    AvailableExam,
    ConcludedExam,
    LatestScoreShape,
    LeaderboardRanking,
    available_exam,
    concluded_exam,
    latest_score,
    leaderboard_ranking,
    number,
)


class PersonInfo(TypedDict):
    name: str
    email: str
    is_user_verified: bool
    is_email_verified: bool
    is_active: bool
    date_joined: datetime


class CandidateInfo(PersonInfo):
    phone: str
    school: str
    role: CandidateRoleName


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


class CandidateDashboard(TypedDict):
    """`recent_scores` are the last five, the latest first."""

    candidate_info: CandidateInfo
    exam_stats: ExamStats
    leaderboard_ranking: LeaderboardRanking
    recent_scores: list[RecentScore]
    available_exams: list[AvailableExam]
    concluded_exams: list[ConcludedExam]


class StaffInfo(PersonInfo):
    role: StaffRoleName
    occupation: str


class Count(TypedDict):
    count: int


class CountsByRole(TypedDict):
    screening: Count
    league: Count
    final: Count
    winner: Count


class CandidateNumbers(TypedDict):
    """`active` are active accounts, `recent_registrations` those of the last seven days;
    `verification_rate` is in percent."""

    total: int
    active: int
    verified: int
    recent_registrations: int
    by_role: CountsByRole
    verification_rate: float


class ExamNumbers(TypedDict):
    """`active` are not switched off, `recent` were created in the last seven days."""

    total: int
    active: int
    recent: int


class CountsByDifficulty(TypedDict):
    easy: Count
    moderate: Count
    hard: Count


class QuestionNumbers(TypedDict):
    """Without archived ones."""

    total: int
    by_difficulty: CountsByDifficulty


class ScoreNumbers(TypedDict):
    """`recent_submissions` are those of the last seven days."""

    total_submissions: int
    recent_submissions: int
    average_score: float
    highest_score: float


class UpcomingExam(TypedDict):
    id: int
    title: str
    scheduled_date: datetime | None
    is_active: bool
    stage: Stage
    question_count: int
    countdown_minutes: int


class StaffDashboard(TypedDict):
    """`upcoming_exams` are the next ten, the first one first."""

    staff_info: StaffInfo
    candidates: CandidateNumbers
    exams: ExamNumbers
    questions: QuestionNumbers
    scores: ScoreNumbers
    upcoming_exams: list[UpcomingExam]


class AccountsByStatus(TypedDict):
    registered: int
    active: int
    inactive: int
    pending: int
    deactivated: int


class Overview(TypedDict):
    """`active_users` are all accounts but the deactivated ones."""

    candidates: AccountsByStatus
    staff: AccountsByStatus
    total_users: int
    active_users: int
    staff_count: int
    candidate_count: int
    generated_at: datetime


def candidate_dashboard(now: datetime, season: CandidateSeason) -> CandidateDashboard:
    candidate, stats = season.candidate, season.stats
    return CandidateDashboard(
        candidate_info=CandidateInfo(
            **_person(candidate),
            phone=candidate.phone,
            school=candidate.school,
            role=candidate.role,  # type: ignore[typeddict-item]  # the table's constraint says so
        ),
        exam_stats=ExamStats(
            total_exams_taken=stats.total_exams_taken,
            available_exams_count=len(season.available),
            average_score=stats.average_score,
            highest_score=stats.highest_score,
            lowest_score=stats.lowest_score,
            latest_score=latest_score(stats),
        ),
        leaderboard_ranking=leaderboard_ranking(season.ranking),
        recent_scores=[_recent_score(result) for result in season.scores],
        available_exams=[available_exam(*each) for each in season.available],
        concluded_exams=[concluded_exam(*each, now) for each in season.concluded],
    )


def _person(user: User) -> PersonInfo:
    return PersonInfo(
        name=user.full_name,
        email=user.email,
        is_user_verified=user.is_user_verified,
        is_email_verified=user.is_email_verified,
        is_active=user.is_active,
        date_joined=user.date_joined,
    )


def _recent_score(result: ScoreOfExam) -> RecentScore:
    return RecentScore(
        exam_title=result.exam.title,
        score=number(result.score.value),
        date=result.score.recorded_at,
        exam_stage=result.exam.stage,
    )


def staff_dashboard(season: StaffSeason) -> StaffDashboard:
    staff, numbers = season.staff, season.numbers
    return StaffDashboard(
        staff_info=StaffInfo(
            **_person(staff),
            role=staff.role,  # type: ignore[typeddict-item]  # the table's constraint says so
            occupation=staff.occupation,
        ),
        candidates=_candidates(numbers.candidates),
        exams=ExamNumbers(
            total=numbers.exams.total, active=numbers.exams.active, recent=numbers.exams.recent
        ),
        questions=_questions(numbers.questions),
        scores=ScoreNumbers(
            total_submissions=numbers.scores.total_submissions,
            recent_submissions=numbers.scores.recent_submissions,
            average_score=numbers.scores.average_score,
            highest_score=numbers.scores.highest_score,
        ),
        upcoming_exams=[_upcoming_exam(*each) for each in season.upcoming],
    )


def _candidates(counts: CandidateCounts) -> CandidateNumbers:
    by_role = counts.by_role
    return CandidateNumbers(
        total=counts.total,
        active=counts.active,
        verified=counts.verified,
        recent_registrations=counts.recent,
        by_role=CountsByRole(
            screening=Count(count=by_role["screening"]),
            league=Count(count=by_role["league"]),
            final=Count(count=by_role["final"]),
            winner=Count(count=by_role["winner"]),
        ),
        verification_rate=counts.verification_rate,
    )


def _questions(counts: Mapping[str, int]) -> QuestionNumbers:
    return QuestionNumbers(
        total=sum(counts.values()),
        by_difficulty=CountsByDifficulty(
            easy=Count(count=counts.get("easy", 0)),
            moderate=Count(count=counts.get("moderate", 0)),
            hard=Count(count=counts.get("hard", 0)),
        ),
    )


def _upcoming_exam(exam: Exam, question_count: int) -> UpcomingExam:
    return UpcomingExam(
        id=exam.id,
        title=exam.title,
        scheduled_date=exam.scheduled_date,
        is_active=exam.is_active,
        stage=exam.stage,
        question_count=question_count,
        countdown_minutes=exam.countdown_minutes,
    )


def overview(counts: AccountCounts) -> Overview:
    candidates, staff = counts.candidates, counts.staff
    return Overview(
        candidates=_by_status(candidates),
        staff=_by_status(staff),
        total_users=counts.total_users,
        active_users=counts.active_users,
        staff_count=staff.registered,
        candidate_count=candidates.registered,
        generated_at=counts.generated_at,
    )


def _by_status(counts: Headcount) -> AccountsByStatus:
    return AccountsByStatus(
        registered=counts.registered,
        active=counts.active,
        inactive=counts.inactive,
        pending=counts.pending,
        deactivated=counts.deactivated,
    )
