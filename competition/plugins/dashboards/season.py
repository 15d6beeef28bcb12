"""What the dashboards show of a season; the numbers over everybody are kept for a minute."""

from dataclasses import dataclass

from competition.core.jobs.aggregates import Aggregate
from competition.core.users import headcounts
from competition.core.users.headcounts import CandidateCounts
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.exams import statistics
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services.records import ListedExam
from competition.plugins.exams.statistics import (
    CandidateStats,
    ExamCounts,
    Ranking,
    ScoreCounts,
    ScoreOfExam,
)
from competition.plugins.questions.services import bank_counts


@dataclass(frozen=True)
class SeasonNumbers:
    """`questions` are by difficulty."""

    candidates: CandidateCounts
    exams: ExamCounts
    questions: dict[str, int]
    scores: ScoreCounts


@dataclass(frozen=True)
class CandidateSeason:
    candidate: Candidate
    stats: CandidateStats
    ranking: Ranking
    # The last ones, the latest first.
    scores: list[ScoreOfExam]
    available: list[ListedExam]
    concluded: list[ListedExam]


@dataclass(frozen=True)
class StaffSeason:
    staff: Staff
    numbers: SeasonNumbers
    # The next exams, with how many questions they have.
    upcoming: list[tuple[Exam, int]]


def _count(work: Work) -> SeasonNumbers:
    return SeasonNumbers(
        candidates=headcounts.candidate_counts(work),
        exams=statistics.exam_counts(work),
        questions=bank_counts(work),
        scores=statistics.score_counts(work),
    )


SEASON = Aggregate("dashboards.season", SeasonNumbers, _count)
