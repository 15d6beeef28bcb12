"""When an exam is what (decisions G1, G2, G17, G18). Times come from the server alone."""

from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, and_, func

from competition.core.errors import Invalid
from competition.plugins.exams.models import Attempt, Exam

ExamStatus = Literal["draft", "scheduled", "ongoing", "concluded", "cancelled"]


def window_end(scheduled_date: datetime | None, open_duration_hours: int) -> datetime | None:
    """Raises Invalid beyond the end of the calendar."""
    try:
        return scheduled_date and scheduled_date + timedelta(hours=open_duration_hours)
    except OverflowError:
        raise Invalid.field("scheduled_date", "This is too far away.") from None


def status(exam: Exam, now: datetime) -> ExamStatus:
    if exam.scheduled_date is None or exam.closes_at is None:
        return "draft"
    if exam.closes_at <= now:
        return "concluded"
    if not exam.is_active:
        return "cancelled"
    return "scheduled" if now < exam.scheduled_date else "ongoing"


def has_status(wanted: str, now: datetime) -> ColumnElement[bool]:
    """`status`, as a condition; ``upcoming`` is another word for scheduled (decisions G1)."""
    to_come = Exam.closes_at > now
    upcoming = and_(to_come, Exam.is_active, Exam.scheduled_date > now)
    conditions: dict[str, ColumnElement[bool]] = {
        "draft": Exam.scheduled_date.is_(None),
        "concluded": Exam.closes_at <= now,
        "cancelled": and_(to_come, ~Exam.is_active),
        "scheduled": upcoming,
        "upcoming": upcoming,
        "ongoing": and_(to_come, Exam.is_active, Exam.scheduled_date <= now),
    }
    return conditions[wanted]


def concluded_at(exam: Exam, now: datetime) -> datetime | None:
    return exam.closes_at if status(exam, now) == "concluded" else None


def is_open(exam: Exam, now: datetime) -> bool:
    return status(exam, now) == "ongoing"


def deadline(exam: Exam, started_at: datetime) -> datetime:
    """Of an attempt: the earlier of its countdown's and the exam's end, as they are now."""
    ends = (started_at + exam.countdown, exam.closes_at, exam.switched_off_at)
    return min(end for end in ends if end is not None)


def is_running(now: datetime, grace: timedelta) -> ColumnElement[bool]:
    """Condition on an attempt and its exam: the answers could still be handed in."""
    countdown = func.make_interval(0, 0, 0, 0, 0, Exam.countdown_minutes)
    # LEAST passes over a null.
    ends = func.least(Attempt.started_at + countdown, Exam.closes_at, Exam.switched_off_at)
    return ends >= now - grace
