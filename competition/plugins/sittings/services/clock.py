"""Compute the deadline of an attempt (decisions G17, G18).

`_deadline` is the only implementation of the rule. `deadline` calls it with Python values for one
candidate, and `deadlines` with SQL columns in a query. Both pass `earliest` and `choose`, because
Python's `min` and `if` differ from SQL's LEAST and CASE.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Integer,
    Interval,
    Row,
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
from competition.plugins.sittings.models import (
    ATTEMPTS,
    EXTRA_TIMES,
    Attempt,
    Submission,
    is_same_attempt,
)

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
    """The earliest of three times: the end of the countdown, the end of the window, and the time at
    which the exam was switched off.

    Extra time, and `percent` percent of the countdown, move the end of the countdown. They also
    move the end of the window, unless organisers have concluded the exam. Then the window ends at
    the same time for all candidates.
    """
    more = extra_length(exam.countdown_minutes, extra, percent)
    # A conclusion ends the window before its planned end. The window ends after it if organisers
    # shorten a window that candidates have used already (`planning.change`).
    as_planned = exam.scheduled_date + exam.open_duration_hours * HOUR <= exam.closes_at
    return earliest(
        started_at + exam.countdown_minutes * MINUTE + more,
        exam.closes_at + choose(as_planned, more, NO_EXTRA_TIME),
        exam.switched_off_at,
    )


def extra_length(countdown_minutes: Any, extra: Any, percent: Any) -> Any:
    """By how much a countdown is longer: the extra time, and the percentage, rounded up to the
    second. One percent of a minute is 3/5 s. Works with Python values and with SQL expressions."""
    return (countdown_minutes * percent * 3 + 4) // 5 * SECOND + extra


def can_be_handed_in(deadline: Any, grace: Any, now: Any) -> Any:
    """Whether answers are accepted at the time `now`: until the end of the grace period, which
    allows for slow networks. Works with Python values and with SQL expressions."""
    return deadline + grace >= now


def deadline(
    exam: Exam | Row[Any], started_at: datetime, extra: timedelta = NO_EXTRA_TIME, percent: int = 0
) -> datetime:
    """The deadline of an attempt, from the current state of the exam and the attempt."""
    found: datetime = _deadline(
        exam,
        started_at,
        extra,
        percent,
        earliest=lambda *times: min(time for time in times if time is not None),
        choose=lambda condition, one, other: one if condition else other,
    )
    return found


def given(
    exam: Exam | Row[Any], started_at: datetime | None, extra: timedelta, percent: int
) -> timedelta:
    """By how much extra time and the percentage have really moved the deadline of an attempt; 0
    before the start."""
    if started_at is None:
        return NO_EXTRA_TIME
    return deadline(exam, started_at, extra, percent) - deadline(exam, started_at)


def is_accepting(work: Work, deadline: datetime) -> bool:
    """Whether answers are still accepted: before the deadline or in the grace period after it."""
    running: bool = can_be_handed_in(deadline, grace(work), work.now)
    return running


def extra_time() -> ColumnElement[timedelta]:
    """SQL expression for the extra time of an attempt, in a query on Attempt."""
    seconds = (
        select(func.sum(EXTRA_TIMES.c.seconds))
        .where(is_same_attempt(EXTRA_TIMES.c, ATTEMPTS.c))
        .correlate(ATTEMPTS)
        .scalar_subquery()
    )
    return interval(seconds)


def interval(seconds: Any) -> ColumnElement[timedelta]:
    """SQL expression that turns seconds into an interval; NULL becomes 0."""
    return func.coalesce(seconds, 0, type_=Integer) * literal_column(
        "interval '1 second'", Interval
    )


def deadlines(extra: ColumnElement[timedelta] | None = None) -> ColumnElement[datetime]:
    """`deadline` as an SQL expression, in a query on Attempt and Exam. `extra` replaces the
    subquery `extra_time()`, for a query that already has the extra time of all attempts."""
    ends: ColumnElement[datetime] = _deadline(
        Exam,
        Attempt.started_at,
        extra_time() if extra is None else extra,
        Attempt.extra_percent,
        # LEAST ignores NULL, such as `switched_off_at` of an exam that was not switched off.
        earliest=lambda *times: func.least(*times, type_=DateTime(timezone=True)),
        choose=lambda condition, one, other: case((condition, one), else_=literal(other)),
    )
    return ends


def running(work: Work, at: Any = None) -> ColumnElement[bool]:
    """`is_accepting` as an SQL condition, in a query on Attempt and Exam. If `at` is None, the time
    is now."""
    time = work.now if at is None else at
    condition: ColumnElement[bool] = can_be_handed_in(deadlines(), literal(grace(work)), time)
    return condition


def can_submit(work: Work, at: Any = None) -> ColumnElement[bool]:
    """SQL condition: whether a candidate can still submit, in a query on Attempt and Exam. The
    attempt must be `running` and not submitted, and the exam not sealed."""
    has_submitted = exists().where(is_same_attempt(Submission, Attempt))
    return and_(running(work, at), ~has_submitted, Exam.sealed_at.is_(None))


def grace(work: Work) -> timedelta:
    return timedelta(minutes=work.settings[SittingSettings].grace_minutes)
