"""Push new clocks to candidates who are taking an exam, when their deadlines move.

A clock is the candidate's deadline with the remaining time.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Row, any_, delete, exists, func, or_, select

from competition.core.database import uuids
from competition.core.jobs.housekeeping import retention
from competition.core.push.feeds import lock_feed
from competition.core.push.notify import announce
from competition.core.work import Work
from competition.plugins.allowances.models import ClockChange, GivenTime
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.models import Attempt, is_same_attempt
from competition.plugins.sittings.services import clock

FEED = "allowances"
# How long changes are retained. Clients that reconnect later have to request the clock.
RETAINED_FOR = timedelta(days=1)


def push(
    work: Work,
    exam_id: int,
    allowance_id: int | None = None,
    candidate_id: UUID | None = None,
) -> None:
    """Push their new clocks to the candidates who are taking the exam.

    With `allowance_id`, push only the clocks of candidates who got time from that allowance, and
    with `candidate_id` only the clock of this candidate.

    Call this late in the transaction: other transactions that push clocks wait for its commit.
    """
    lock_feed(work, FEED)
    work.db.add(
        ClockChange(
            exam_id=exam_id,
            allowance_id=allowance_id,
            candidate_id=candidate_id,
            created_at=work.now,
        )
    )
    work.db.flush()
    announce(work, FEED)


def latest(work: Work) -> int:
    """The id of the latest clock change, or 0."""
    return work.db.scalar(select(func.max(ClockChange.id))) or 0


@retention("allowances.clocks")
def delete_old(work: Work) -> None:
    """Delete changes of clocks that were announced to candidates more than a day ago."""
    work.db.execute(delete(ClockChange).where(ClockChange.created_at < work.now - RETAINED_FOR))


def moved(
    work: Work, user_ids: Collection[UUID], after: int, until: int
) -> Sequence[Row[UUID, Exam, datetime, timedelta, int]]:
    """The current clocks of those users whom recent changes concern: the candidate, the exam, the
    start of the attempt, the extra time, and the extra percentage.

    Recent changes have an id above `after`, up to `until`. A change concerns only candidates who
    could still submit when it was made.
    """
    are_theirs = Attempt.candidate_id == any_(uuids(user_ids))
    was_given = exists().where(
        GivenTime.allowance_id == ClockChange.allowance_id, is_same_attempt(GivenTime, Attempt)
    )
    is_own = ClockChange.candidate_id == Attempt.candidate_id
    return work.db.execute(
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
        .where(or_(ClockChange.candidate_id.is_(None), is_own))
        .where(clock.can_submit(work, ClockChange.created_at))
        .order_by(ClockChange.id, Attempt.candidate_id)
    ).all()
