"""Seal exams, so that nobody can start or submit them any longer.

An exam is *concluded* when its window is over (`closes_at`), *sealed* when nobody can start it or
submit any longer (`sealed_at`), *published* when its results and its answer key may be public
(`published_at`). Correcting the answer key also seals an exam that is not published yet.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, and_, case, desc, exists, func, or_, select, update

from competition.core.database import ONE_ROW, over_sets
from competition.core.work import Work
from competition.plugins.exams.models import Exam, Paper, status_of
from competition.plugins.sittings.events import ExamsSealing
from competition.plugins.sittings.models import (
    Attempt,
    ExtraPercent,
    ExtraTime,
    Submission,
    is_same_attempt,
)
from competition.plugins.sittings.services import clock


def seal(work: Work, exam_ids: Collection[int]) -> set[int]:
    """Seal the concluded exams of which no attempt can still be submitted (decisions L8).

    Returns the ids of all of these exams that are sealed now, including those sealed before.
    """
    # This waits for concurrent edits, and skips an exam that such an edit has opened again.
    rows = work.db.execute(
        select(Exam.id, Exam.sealed_at)
        .where(Exam.id.in_(exam_ids), Exam.has_status("concluded", work.now))
        .order_by(Exam.id)
        .with_for_update(key_share=True)
    ).all()
    over = {row.id for row in rows}
    lock_papers(work, over)
    sealed = over - _running(work, over)
    if newly_sealed := sealed & {row.id for row in rows if row.sealed_at is None}:
        _wait_for_submissions(work, newly_sealed)
        work.emit(ExamsSealing(work, newly_sealed))
        work.db.execute(
            update(Exam).where(Exam.id.in_(newly_sealed)).values(sealed_at=work.now),
            execution_options={"synchronize_session": False},
        )
    return sealed


def _wait_for_submissions(work: Work, exam_ids: Collection[int]) -> None:
    """Lock the attempts without a submission, so that no candidate can submit until the commit.

    A request that began in time may still be storing its submission. This waits for it, so that the
    submission is scored with all others. A later request finds the exam sealed
    (`submitting.store`).
    """
    has_submitted = exists().where(is_same_attempt(Submission, Attempt))
    with over_sets(work.db):
        work.db.scalars(
            select(Attempt.exam_id)
            .where(Attempt.exam_id.in_(exam_ids), ~has_submitted)
            .order_by(Attempt.exam_id, Attempt.candidate_id)
            .with_for_update()
        ).all()


def is_over(work: Work, exam: Exam) -> bool:
    """Whether a locked exam has ended: it is concluded, and no attempt can still be submitted.

    This locks the exam's paper, so that nobody starts the exam or gets extra time before the
    commit.
    """
    if exam.sealed_at is None:
        lock_papers(work, [exam.id])
    return looks_over(work, exam)


def looks_over(work: Work, exam: Exam) -> bool:
    """Whether an exam has ended by now.

    This takes no lock, so the result may be wrong by the commit: staff can still give extra time.
    """
    if exam.sealed_at is not None:
        return True
    return status_of(exam, work.now) == "concluded" and not _running(work, [exam.id])


def is_running(work: Work, exam_id: int) -> bool:
    """Whether a candidate who has started the exam can still submit it."""
    return bool(_running(work, [exam_id]))


def was_over(at: Any, grace: Any) -> ColumnElement[bool]:
    """SQL condition on Exam: whether the exam had ended at the time `at`, by the rule of
    `looks_over`. `grace` is the grace period.

    PostgreSQL computes the set of exams with running attempts once per statement, however many rows
    the statement has.
    """
    # A submission by the service does not end an attempt before its time is over.
    had_submitted = (
        exists()
        .where(
            is_same_attempt(Submission, Attempt),
            Submission.submitted_at <= at,
            Submission.handed_in_by != "service",
        )
        .correlate(Attempt)
    )
    # CASE computes the deadline, which is expensive, only for attempts that were not submitted:
    # during the grace period, these are few. A scalar subquery per exam is used, because PostgreSQL
    # would turn EXISTS into a join with the attempts of all exams.
    was_running = case(
        (had_submitted, False), else_=clock.can_be_handed_in(clock.deadlines(), grace, at)
    )
    first_running = (
        select(Attempt.exam_id)
        .where(Attempt.exam_id == Exam.id, was_running)
        .limit(ONE_ROW)
        .correlate(Exam)
        .scalar_subquery()
    )
    most_extra = (
        select(func.sum(ExtraTime.seconds).label("seconds"))
        .where(ExtraTime.exam_id == Exam.id)
        .group_by(ExtraTime.candidate_id)
        .order_by(desc("seconds"))
        .limit(ONE_ROW)
        .correlate(Exam)
        .scalar_subquery()
    )
    # The join with ExtraPercent leaves out the attempts of candidates who never had an extra
    # percentage. `Attempt.extra_percent` is the percentage at the start of the attempt.
    most_percent = (
        select(func.max(Attempt.extra_percent))
        .join(ExtraPercent, ExtraPercent.candidate_id == Attempt.candidate_id)
        .where(Attempt.exam_id == Exam.id)
        .correlate(Exam)
        .scalar_subquery()
    )
    latest = Exam.closes_at + clock.extra_length(
        Exam.countdown_minutes, clock.interval(most_extra), func.coalesce(most_percent, 0)
    )
    was_sealed = func.coalesce(Exam.sealed_at <= at, False)
    running = (
        select(Exam.id)
        .where(
            Exam.closes_at <= at,
            ~was_sealed,
            # No attempt can be submitted later than `latest` and the grace period. Without this
            # condition, every statement would read all attempts of the exams that are not sealed
            # yet.
            clock.can_be_handed_in(latest, grace, at),
            first_running.is_not(None),
        )
        .correlate(None)
    )
    return or_(was_sealed, and_(Exam.closes_at <= at, Exam.id.not_in(running)))


def lock_papers(work: Work, exam_ids: Collection[int]) -> None:
    """Lock the papers of these exams, so that nobody can start or score them until the commit.

    This waits for transactions that are starting or scoring them. An exam that nobody has started
    yet may have no paper. To keep candidates from starting such an exam, lock the exam's row.
    """
    work.db.scalars(
        select(Paper.exam_id)
        .where(Paper.exam_id.in_(exam_ids))
        .order_by(Paper.exam_id)
        .with_for_update()
    ).all()


def _running(work: Work, exam_ids: Collection[int]) -> set[int]:
    """The ids of the exams with an attempt that can still be submitted."""
    return set(
        work.db.scalars(
            select(Attempt.exam_id)
            .join(Exam, Exam.id == Attempt.exam_id)
            .where(Attempt.exam_id.in_(exam_ids), clock.can_submit(work))
            .distinct()
        )
    )
