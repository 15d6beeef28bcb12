"""What sockets are told when deadlines move: the clock of everybody concerned who is sitting."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    String,
    Uuid,
    any_,
    bindparam,
    cast,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.orm import InstrumentedAttribute

from competition.core.jobs.housekeeping import retention
from competition.core.push.feeds import lock_feed
from competition.core.push.notify import announce
from competition.core.work import Work
from competition.plugins.allowances.models import ClockChange
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.models import Attempt, ExtraTime
from competition.plugins.sittings.services import clock

FEED = "allowances"
# What deadlines follow from, of an exam's columns.
MOVING = {"scheduled_date", "open_duration_hours", "closes_at", "countdown_minutes", "is_active"}
# Who was away then asks for the time.
KEPT = timedelta(days=1)


def push(work: Work, exam_id: int, allowance_id: int | None = None) -> None:
    """Tell whoever sits the exam, or those of them whom this allowance gave time; late in the
    transaction, since all who tell wait for each other."""
    lock_feed(work, FEED)
    work.db.add(ClockChange(exam_id=exam_id, allowance_id=allowance_id, created_at=work.now))
    work.db.flush()
    announce(work, FEED)


def latest(work: Work) -> int:
    return work.db.scalar(select(func.max(ClockChange.id))) or 0


@retention("allowances.clocks")
def forget(work: Work) -> None:
    work.db.execute(delete(ClockChange).where(ClockChange.created_at < work.now - KEPT))


class MovedClock(NamedTuple):
    """Whose clock has changed, and what it follows from."""

    candidate_id: UUID
    exam: Exam
    started_at: datetime
    extra: timedelta
    percent: int


def moved(work: Work, user_ids: Collection[UUID], after: int, until: int) -> Sequence[MovedClock]:
    """The clocks of these users that changes with these ids concern, as they are now; of whom was
    sitting when they were made."""
    are_theirs = Attempt.candidate_id == any_(
        bindparam("user_ids", list(user_ids), type_=ARRAY(Uuid()))
    )
    was_given = exists().where(
        ExtraTime.exam_id == Attempt.exam_id,
        ExtraTime.candidate_id == Attempt.candidate_id,
        ExtraTime.source == source(ClockChange.allowance_id),
    )
    found = work.db.execute(
        select(
            Attempt.candidate_id,
            Exam,
            Attempt.started_at,
            clock.extra_time(),
            Attempt.extra_percent,
        )
        .join(Exam, Exam.id == Attempt.exam_id)
        .join(ClockChange, ClockChange.exam_id == Attempt.exam_id)
        .where(ClockChange.id > after, ClockChange.id <= until, are_theirs)
        .where(or_(ClockChange.allowance_id.is_(None), was_given))
        .where(clock.can_submit(work, ClockChange.created_at))
        .order_by(ClockChange.id, Attempt.candidate_id)
    )
    return [MovedClock(*row) for row in found]


def source(allowance_id: ColumnElement[Any] | InstrumentedAttribute[Any]) -> ColumnElement[str]:
    """What the rows of an allowance are known by in `ExtraTime`."""
    return literal("allowance ") + cast(allowance_id, String)
