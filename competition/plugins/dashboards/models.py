"""What the dashboards show of a season."""

from dataclasses import dataclass

from competition.core.users.headcounts import CandidateCounts
from competition.core.users.models import Candidate, Staff
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import (
    CandidateStats,
    ExamCounts,
    Ranking,
    ScoreCounts,
    ScoreOfExam,
)
from competition.plugins.scores.services.records import ListedExam


@dataclass(frozen=True)
class SeasonNumbers:
    """The numbers over everybody. `questions` are by difficulty."""

    candidates: CandidateCounts
    exams: ExamCounts
    questions: dict[str, int]
    scores: ScoreCounts


@dataclass(frozen=True)
class CandidateSeason:
    """A candidate's own season. `scores` are the last ones, the latest first."""

    candidate: Candidate
    stats: CandidateStats
    ranking: Ranking
    scores: list[ScoreOfExam]
    available: list[ListedExam]
    concluded: list[ListedExam]


@dataclass(frozen=True)
class StaffSeason:
    """The season as staff sees it. `upcoming` are the next exams, with how many questions they
    have."""

    staff: Staff
    numbers: SeasonNumbers
    upcoming: list[tuple[Exam, int]]
