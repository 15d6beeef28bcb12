"""Numbers of the whole season, whoever the candidates are."""

from datetime import timedelta

from sqlalchemy import func, select

from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import ExamCounts, Score, ScoreCounts
from competition.plugins.scores.presenters import number
from competition.plugins.sittings.models import Submission

RECENT = timedelta(days=7)


def score_counts(work: Work) -> ScoreCounts:
    total, recent = work.db.execute(
        select(
            func.count(),
            func.count().filter(Submission.submitted_at >= work.now - RECENT),
        ).select_from(Submission)
    ).one()
    average, highest = work.db.execute(
        select(func.round(func.avg(Score.value), 2), func.max(Score.value))
    ).one()
    return ScoreCounts(total, recent, number(average), number(highest))


def exam_counts(work: Work) -> ExamCounts:
    """Without deleted ones."""
    row = work.db.execute(
        select(
            func.count(),
            func.count().filter(Exam.is_active),
            func.count().filter(Exam.created_at >= work.now - RECENT),
        ).where(Exam.deleted_at.is_(None))
    ).one()
    return ExamCounts(*row)
