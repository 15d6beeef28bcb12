"""The numbers over everybody on the staff's dashboard."""

from dataclasses import dataclass

from competition.core import headcounts
from competition.core.aggregates import Aggregate
from competition.core.headcounts import CandidateCounts
from competition.core.work import Work
from competition.plugins.exams import statistics
from competition.plugins.exams.statistics import ExamCounts, ScoreCounts
from competition.plugins.questions.services import bank_counts


@dataclass(frozen=True)
class SeasonNumbers:
    """`questions` are by difficulty."""

    candidates: CandidateCounts
    exams: ExamCounts
    questions: dict[str, int]
    scores: ScoreCounts


def _count(work: Work) -> SeasonNumbers:
    return SeasonNumbers(
        candidates=headcounts.candidate_counts(work),
        exams=statistics.exam_counts(work),
        questions=bank_counts(work),
        scores=statistics.score_counts(work),
    )


SEASON = Aggregate("dashboards.season", SeasonNumbers, _count)
