"""Totals over the exams and scores of a season, for the staff dashboard."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import func, select

from competition.core.days import RECENT, count_by_day
from competition.core.seasons.current import is_asked
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score
from competition.plugins.scores.presenters.scores import ExamNumbers, ScoreNumbers, number
from competition.plugins.scores.services.rounding import average_in_sql
from competition.plugins.sittings.models import Submission


def score_counts(work: Work, keys: Collection[str]) -> dict[str, ScoreNumbers]:
    """The number of submissions, and the average and highest score, in the season that the request
    has chosen. `keys` are the keys of a slot; all of them get the same value."""
    total, recent = work.db.execute(
        select(
            func.count(),
            func.count().filter(Submission.submitted_at >= work.now - RECENT),
        )
        .select_from(Submission)
        .join(Exam, Exam.id == Submission.exam_id)
        .where(is_asked(work, Exam))
    ).one()
    average, highest = work.db.execute(
        select(average_in_sql(Score.value), func.max(Score.value))
        .join(Exam, Exam.id == Score.exam_id)
        .where(is_asked(work, Exam))
    ).one()
    numbers = ScoreNumbers(
        total_submissions=total,
        recent_submissions=recent,
        average_score=number(average),
        highest_score=number(highest),
    )
    return dict.fromkeys(keys, numbers)


def exam_counts(work: Work, keys: Collection[str]) -> dict[str, ExamNumbers]:
    """Counts of the exams, without deleted ones, of the season that the request has chosen. `keys`
    are the keys of a slot; all of them get the same value."""
    total, active, recent = work.db.execute(
        select(
            func.count(),
            func.count().filter(Exam.is_active),
            func.count().filter(Exam.created_at >= work.now - RECENT),
        ).where(Exam.deleted_at.is_(None), is_asked(work, Exam))
    ).one()
    return dict.fromkeys(keys, ExamNumbers(total=total, active=active, recent=recent))


def submissions_by_day(work: Work, days: Collection[date]) -> dict[date, int]:
    """The number of submissions of each of these days, which are consecutive. An automatic
    submission counts on the day of its deadline."""
    return count_by_day(
        work,
        select(Submission.submitted_at)
        .join(Exam, Exam.id == Submission.exam_id)
        .where(is_asked(work, Exam)),
        days,
    )
