"""Taking an exam: opening the paper, which starts the candidate's clock, and reading the clock.

`find` returns the caller's progress in an exam. The `check_…` functions raise an error if the
progress does not allow an action.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, exists, false, func, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.errors import InvalidToken, NotFound
from competition.core.users.affected import affected
from competition.core.users.models import JOINED_SEASON, USERS, Candidate
from competition.core.work import Work, changing
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.models import EXAMS, Exam, FrozenPaper, status_of
from competition.plugins.exams.services import eligibility, papers, rows
from competition.plugins.sittings.errors import (
    ExamAlreadySubmitted,
    ExamNotEligible,
)
from competition.plugins.sittings.events import AttemptStarted
from competition.plugins.sittings.models import (
    ATTEMPTS,
    SUBMISSIONS,
    Attempt,
    AttemptTime,
    Clock,
    ExtraPercent,
)
from competition.plugins.sittings.presenters import ConclusionPreview
from competition.plugins.sittings.services import clock, signs

# An exam and a candidate's progress in it.
PROGRESS: Select[*tuple[Any, ...]] = (
    select(
        *EXAMS.c,
        ATTEMPTS.c.started_at,
        clock.extra_time().label("extra"),
        func.coalesce(ATTEMPTS.c.extra_percent, 0).label("percent"),
        ATTEMPTS.c.withdrawn,
        SUBMISSIONS.c.submitted_at,
        SUBMISSIONS.c.key_hash,
    )
    .outerjoin(
        ATTEMPTS,
        (ATTEMPTS.c.exam_id == EXAMS.c.id) & (ATTEMPTS.c.candidate_id == bindparam("candidate_id")),
    )
    .outerjoin(
        SUBMISSIONS,
        (SUBMISSIONS.c.exam_id == EXAMS.c.id)
        & (SUBMISSIONS.c.candidate_id == bindparam("candidate_id")),
    )
    .where(EXAMS.c.id == bindparam("exam_id"), EXAMS.c.deleted_at.is_(None))
)
# An attempt that has just started, and the values that decide whether its start was allowed.
BEGUN = (
    select(
        ATTEMPTS.c.started_at,
        clock.extra_time().label("extra"),
        ATTEMPTS.c.extra_percent,
        EXAMS.c.sealed_at,
        USERS.c.is_active,
        EXAMS.c.stage,
        EXAMS.c.season_id,
        USERS.c.role,
        JOINED_SEASON,
    )
    .join(EXAMS, EXAMS.c.id == ATTEMPTS.c.exam_id)
    .join(USERS, USERS.c.id == ATTEMPTS.c.candidate_id)
    .where(
        ATTEMPTS.c.exam_id == bindparam("exam_id"),
        ATTEMPTS.c.candidate_id == bindparam("candidate_id"),
    )
)
START = (
    insert(ATTEMPTS)
    .values(
        exam_id=bindparam("exam_id"),
        candidate_id=bindparam("candidate_id"),
        started_at=bindparam("started_at"),
        extra_percent=func.coalesce(
            select(ExtraPercent.percent)
            .where(ExtraPercent.candidate_id == bindparam("candidate_id"))
            .scalar_subquery(),
            0,
        ),
        is_opened=bindparam("is_opened"),
    )
    .on_conflict_do_nothing()
    .returning(ATTEMPTS.c.exam_id)
)


@dataclass(frozen=True)
class Sitting:
    """An exam and the caller's progress in it. The countdown is longer by `extra`, and by `percent`
    percent."""

    exam: Exam | Row[Any]
    started_at: datetime | None
    extra: timedelta
    percent: int
    submitted_at: datetime | None
    key_hash: str | None
    # See `Attempt.withdrawn`.
    withdrawn: Mapping[str, str]

    @cached_property
    def deadline(self) -> datetime | None:
        """The deadline of the attempt, or None before the start."""
        return self.started_at and clock.deadline(
            self.exam, self.started_at, self.extra, self.percent
        )


def take_exam(work: Work, exam_id: int) -> tuple[Clock, AttemptTime, FrozenPaper]:
    """Open the paper. If this is the caller's first call, the caller's clock starts now.

    Returns the caller's clock, the times of the attempt, and the paper.

    Raises NotFound, ExamNotEligible, ExamAlreadySubmitted or ExamNotOpen, in this order (decisions
    G16).
    """
    sitting = find(work, exam_id)
    check_eligible(work, sitting)
    check_running(work, sitting)
    if sitting.started_at is None:
        with changing(work) as writer:
            sitting, paper = opened(writer, sitting)
            sitting = start(writer, sitting)
    else:
        sitting, paper = opened(work, sitting)
    time = read_clock(work, sitting)
    assert time.attempt is not None
    return time, time.attempt, paper


def own_clock(work: Work, exam_id: int) -> Clock:
    """The caller's clock in an exam, also before the exam opens and after it has closed.

    Raises NotFound if there is no such exam. Raises ExamNotEligible if the caller has not started
    the exam, and is of another stage or has not joined the season.
    """
    sitting = find(work, exam_id)
    check_eligible(work, sitting)
    return read_clock(work, sitting)


def can_start(work: Work, exam: Exam) -> ColumnElement[bool]:
    """SQL condition on Candidate: whether the candidate has not started the exam, and can still
    start it."""
    if exam.sealed_at is not None or status_of(exam, work.now) in ("concluded", "cancelled"):
        return false()
    has_started = exists().where(Attempt.exam_id == exam.id, Attempt.candidate_id == Candidate.id)
    return and_(eligibility.is_eligible(exam, Candidate), ~has_started)


def conclusion(work: Work, exam: Exam) -> ConclusionPreview:
    """The candidates who are taking an exam, how many others can still start it, and the latest
    time at which answers would be accepted if the exam were concluded now."""
    sitting = (
        select(Attempt.candidate_id)
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(Attempt.exam_id == exam.id, clock.can_submit(work))
    )
    waiting = work.db.scalar(select(func.count(Candidate.id)).where(can_start(work, exam))) or 0
    return ConclusionPreview(
        **affected(work, sitting), not_started=waiting, hand_in_until=work.now + clock.grace(work)
    )


def taken_now(work: Work, candidate_id: UUID) -> Sequence[Row[int, str, datetime]]:
    """The exams that a candidate is taking: id, title and the candidate's deadline."""
    return work.db.execute(
        select(Exam.id, Exam.title, clock.deadlines())
        .join(Attempt, Attempt.exam_id == Exam.id)
        .where(Attempt.candidate_id == candidate_id, clock.can_submit(work))
        .order_by(Exam.id)
    ).all()


def find(work: Work, exam_id: int) -> Sitting:
    """The exam and the caller's progress in it. Records a sign of life if the caller has started.

    Raises NotFound if there is no such exam.
    """
    found = work.db.execute(
        PROGRESS, {"exam_id": exam_id, "candidate_id": work.identity.user_id}
    ).one_or_none()
    if found is None:
        raise NotFound
    sitting = Sitting(
        exam=found,
        started_at=found.started_at,
        extra=found.extra,
        percent=found.percent,
        submitted_at=found.submitted_at,
        key_hash=found.key_hash,
        withdrawn=found.withdrawn or {},
    )
    if sitting.started_at is not None:
        signs.note(work, exam_id, work.identity.user_id)
    return sitting


def read_clock(work: Work, sitting: Sitting) -> Clock:
    """The caller's clock in the exam of this sitting."""
    attempt = None
    if sitting.started_at is not None and sitting.deadline is not None:
        hand_in_until = sitting.deadline + clock.grace(work)
        attempt = AttemptTime(sitting.started_at, sitting.deadline, hand_in_until)
    return Clock(
        exam=sitting.exam,
        now=work.now,
        extra=clock.given(sitting.exam, sitting.started_at, sitting.extra, sitting.percent),
        is_submitted=sitting.submitted_at is not None,
        attempt=attempt,
    )


def check_running(work: Work, sitting: Sitting) -> None:
    """Check that the caller can work on the paper now.

    Raises ExamAlreadySubmitted or ExamNotOpen otherwise.
    """
    check_not_submitted(sitting)
    check_open(work, sitting)


def check_eligible(work: Work, sitting: Sitting) -> None:
    """Check that the exam is for the caller, or that the caller has already started it.

    So a candidate who is moved to another stage during the exam can finish it. Raises
    ExamNotEligible if the check fails.
    """
    reason = eligibility.reason(sitting.exam, work.identity)
    if sitting.started_at is None and reason is not None:
        raise ExamNotEligible(reason)


def check_not_submitted(sitting: Sitting) -> None:
    """Check that the caller has not submitted. Raises ExamAlreadySubmitted otherwise."""
    if sitting.submitted_at is not None:
        raise ExamAlreadySubmitted


def check_open(work: Work, sitting: Sitting) -> None:
    """Check that the exam is open for the caller. Raises ExamNotOpen if it is not.

    For a candidate who has started, the exam is open until the end of the grace period after their
    deadline.
    """
    exam = sitting.exam
    if sitting.deadline is None:
        is_open = status_of(exam, work.now) == "ongoing"
    else:
        is_open = clock.is_accepting(work, sitting.deadline)
    # The answer key of a sealed exam may be public, even if the exam's times were changed later.
    if not is_open or exam.sealed_at is not None:
        raise ExamNotOpen


def opened(work: Work, sitting: Sitting) -> tuple[Sitting, FrozenPaper]:
    """The current state of the sitting, and the exam's paper.

    If the caller is the first to start the exam, this marks the exam as started and freezes its
    paper. Raises NotFound, ExamNotEligible or ExamNotOpen if the exam was changed in the meantime.
    """
    if sitting.exam.first_started_at is None:
        sitting = replace(sitting, exam=rows.mark_started(work, sitting.exam.id))
        # Repeat the checks: `mark_started` may have waited for a transaction that changed the exam.
        check_eligible(work, sitting)
        check_open(work, sitting)
    return sitting, papers.freeze(work, sitting.exam)


def start(work: Work, sitting: Sitting, *, is_opened: bool = True) -> Sitting:
    """Start the caller's attempt, and return the sitting with its start.

    If requests arrive at the same time, the first request counts. `is_opened` is False if the
    candidate submits without having opened the paper.

    Raises ExamNotOpen if the exam was sealed in the meantime, ExamNotEligible if the candidate was
    moved to another stage, or InvalidToken if the account was deactivated or erased.
    """
    exam_id, candidate_id = sitting.exam.id, work.identity.user_id
    known = {"exam_id": exam_id, "candidate_id": candidate_id}
    started = work.db.scalar(START, {**known, "started_at": work.now, "is_opened": is_opened})
    is_first = started is not None
    if is_first:
        work.emit(AttemptStarted(work, exam_id, candidate_id))
    # Inserting the attempt has locked the paper and the candidate. Only a statement after that sees
    # a seal, a new stage or extra time that were committed in the meantime.
    begun = work.db.execute(BEGUN, known).one()
    if not begun.is_active:
        raise InvalidToken
    if begun.sealed_at is not None:
        raise ExamNotOpen
    reason = eligibility.reason(begun, begun)
    if is_first and reason is not None:
        raise ExamNotEligible(reason)
    return replace(
        sitting, started_at=begun.started_at, extra=begun.extra, percent=begun.extra_percent
    )
