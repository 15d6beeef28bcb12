"""The deadline of an attempt, in one place (decisions G17, G18)."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func

from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.sittings import SittingSettings
from competition.plugins.sittings.models import Attempt


def grace(work: Work) -> timedelta:
    """For the way of the answers, not for thinking."""
    return timedelta(minutes=work.settings[SittingSettings].grace_minutes)


def deadline(exam: Exam, started_at: datetime) -> datetime:
    """Of an attempt: the earlier of its countdown's and the exam's end, as they are now."""
    ends = (started_at + exam.countdown, exam.closes_at, exam.switched_off_at)
    return min(end for end in ends if end is not None)


def is_running(work: Work) -> ColumnElement[bool]:
    """Condition on an attempt and its exam: the answers could still be handed in."""
    countdown = func.make_interval(0, 0, 0, 0, 0, Exam.countdown_minutes)
    # LEAST passes over a null.
    ends = func.least(Attempt.started_at + countdown, Exam.closes_at, Exam.switched_off_at)
    return ends >= work.now - grace(work)
