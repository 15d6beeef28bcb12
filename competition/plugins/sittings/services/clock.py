"""The deadline of an attempt, in one place (decisions G17, G18).

`_deadline` is the one rule, used twice: with Python values for one candidate (`deadline`), and with
SQL columns in a query (`deadlines`). `earliest` and `choose` are passed in because Python's min and
if differ from SQL's LEAST and CASE.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Integer,
    Interval,
    and_,
    case,
    exists,
    func,
    literal,
    literal_column,
    select,
)

from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.sittings import SittingSettings
from competition.plugins.sittings.models import Attempt, ExtraTime, Submission

NO_EXTRA_TIME, SECOND = timedelta(), timedelta(seconds=1)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def _deadline(
    exam: Any,
    started_at: Any,
    extra: Any,
    percent: Any,
    *,
    earliest: Callable[..., Any],
    choose: Callable[[Any, Any, Any], Any],
) -> Any:
    """The earliest of three: the countdown's end, the window's, and when the exam was switched off.

    Extra time moves the first two; but where organisers have ended the window at another time than
    the planned one, by concluding or cutting it, that holds for everybody. Percent are of the
    countdown, and move only its end.
    """
    as_planned = exam.scheduled_date + exam.open_duration_hours * HOUR == exam.closes_at
    return earliest(
        started_at
        + exam.countdown_minutes * MINUTE
        + _seconds_of_percent(exam.countdown_minutes, percent) * SECOND
        + extra,
        exam.closes_at + choose(as_planned, extra, NO_EXTRA_TIME),
        exam.switched_off_at,
    )


def _seconds_of_percent(countdown_minutes: Any, percent: Any) -> Any:
    """So much of the countdown, rounded up to the second. A percent of a minute is 3/5 s."""
    return (countdown_minutes * percent * 3 + 4) // 5


def _can_be_handed_in(deadline: Any, grace: Any, now: Any) -> Any:
    """Answers are accepted for the grace period after the deadline, to allow for slow networks."""
    return deadline + grace >= now


def deadline(
    exam: Exam, started_at: datetime, extra: timedelta = NO_EXTRA_TIME, percent: int = 0
) -> datetime:
    """The deadline of an attempt at an exam, as both are now."""
    found: datetime = _deadline(
        exam,
        started_at,
        extra,
        percent,
        earliest=lambda *times: min(time for time in times if time is not None),
        choose=lambda condition, one, other: one if condition else other,
    )
    return found


def given(exam: Exam, extra: timedelta, percent: int) -> timedelta:
    """What a candidate has beyond everybody's countdown."""
    more: timedelta = extra + _seconds_of_percent(exam.countdown_minutes, percent) * SECOND
    return more


def is_accepting(work: Work, deadline: datetime) -> bool:
    """Whether the answers can still be handed in, before the deadline or in the grace period."""
    running: bool = _can_be_handed_in(deadline, grace(work), work.now)
    return running


def extra_time() -> ColumnElement[timedelta]:
    """The extra time of an attempt, for a query on Attempt."""
    seconds = (
        select(func.sum(ExtraTime.seconds))
        .where(ExtraTime.exam_id == Attempt.exam_id, ExtraTime.candidate_id == Attempt.candidate_id)
        .correlate(Attempt)
        .scalar_subquery()
    )
    return interval(seconds)


def interval(seconds: Any) -> ColumnElement[timedelta]:
    return func.coalesce(seconds, 0, type_=Integer) * literal_column(
        "interval '1 second'", Interval
    )


def deadlines(extra: ColumnElement[timedelta] | None = None) -> ColumnElement[datetime]:
    """The same as `deadline`, for a query on Attempt and Exam; `extra` is for one that has the
    `extra_time` of all attempts at hand."""
    ends: ColumnElement[datetime] = _deadline(
        Exam,
        Attempt.started_at,
        extra_time() if extra is None else extra,
        Attempt.extra_percent,
        # LEAST passes over a null.
        earliest=lambda *times: func.least(*times, type_=DateTime(timezone=True)),
        choose=lambda condition, one, other: case((condition, one), else_=literal(other)),
    )
    return ends


def running(work: Work, at: Any = None) -> ColumnElement[bool]:
    """The same as `is_accepting`, as a condition in a query on Attempt and Exam; now, or at another
    time."""
    time = work.now if at is None else at
    condition: ColumnElement[bool] = _can_be_handed_in(deadlines(), literal(grace(work)), time)
    return condition


def can_submit(work: Work, at: Any = None) -> ColumnElement[bool]:
    """Whether the candidate of an attempt can still work on the paper and submit it, as a condition
    in a query on Attempt and Exam: `running`, not submitted, and the exam is not sealed."""
    has_submitted = exists().where(
        Submission.exam_id == Attempt.exam_id, Submission.candidate_id == Attempt.candidate_id
    )
    return and_(running(work, at), ~has_submitted, Exam.sealed_at.is_(None))


def grace(work: Work) -> timedelta:
    return timedelta(minutes=work.settings[SittingSettings].grace_minutes)
