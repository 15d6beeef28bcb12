"""What candidates do: open the paper, look at the clock, hand in the answers.

A submission is stored whole or not at all, exactly once: the primary key of `submission` decides.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

from sqlalchemy import and_, bindparam, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from competition.core.errors import IdempotencyKeyReused, NotFound
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.exams.services import papers, rows
from competition.plugins.sittings import SittingSettings
from competition.plugins.sittings.errors import (
    ExamAlreadySubmitted,
    ExamNotEligible,
    ExamNotStarted,
)
from competition.plugins.sittings.events import AttemptStarted, CandidateSeen
from competition.plugins.sittings.models import (
    Attempt,
    AttemptTime,
    Clock,
    ExtraPercent,
    Submission,
)
from competition.plugins.sittings.services import clock, submitting
from competition.plugins.sittings.services.answers import pack

# An exam, and how far a candidate is in it.
STANDING = (
    select(
        Exam,
        Attempt.started_at,
        clock.extra_time().label("extra"),
        func.coalesce(Attempt.extra_percent, 0).label("percent"),
        Submission.submitted_at,
        Submission.key_hash,
    )
    .outerjoin(
        Attempt,
        (Attempt.exam_id == Exam.id) & (Attempt.candidate_id == bindparam("candidate_id")),
    )
    .outerjoin(
        Submission,
        (Submission.exam_id == Exam.id) & (Submission.candidate_id == bindparam("candidate_id")),
    )
    .where(Exam.id == bindparam("exam_id"), Exam.deleted_at.is_(None))
)
# An attempt that has begun, and whether it was allowed to.
BEGUN = (
    select(
        Attempt.started_at,
        clock.extra_time().label("extra"),
        Attempt.extra_percent,
        Exam.sealed_at,
        (User.role == Exam.stage).label("is_of_stage"),
    )
    .join(Exam, Exam.id == Attempt.exam_id)
    .join(User, User.id == Attempt.candidate_id)
    .where(
        Attempt.exam_id == bindparam("exam_id"), Attempt.candidate_id == bindparam("candidate_id")
    )
)


@dataclass(frozen=True)
class Sitting:
    """An exam, and how far the caller is in it. `extra`, and `percent` of the countdown, are time
    beyond what every candidate has."""

    exam: Exam
    started_at: datetime | None
    extra: timedelta
    percent: int
    submitted_at: datetime | None
    key_hash: str | None

    @cached_property
    def deadline(self) -> datetime | None:
        """None before the start."""
        return self.started_at and clock.deadline(
            self.exam, self.started_at, self.extra, self.percent
        )


@dataclass(frozen=True)
class OpenedPaper:
    """What a candidate works on, and the time for it."""

    paper: Paper
    clock: Clock
    attempt: AttemptTime


def take_exam(work: Work, exam_id: int) -> OpenedPaper:
    """Open the paper: returns it and the caller's time, which starts now if this is the first call.

    Raises, in this order, NotFound, ExamNotEligible, ExamAlreadySubmitted, ExamNotOpen (decisions
    G16).
    """
    sitting = find(work, exam_id)
    _check_eligible(work, sitting)
    check_running(work, sitting)
    sitting, paper = _opened(work, sitting)
    if sitting.started_at is None:
        sitting = _start(work, sitting)
    time = read_clock(work, sitting)
    assert time.attempt is not None
    return OpenedPaper(paper, time, time.attempt)


def own_clock(work: Work, exam_id: int) -> Clock:
    """The time of the caller in an exam, also before it opens and after it. Raises NotFound,
    ExamNotEligible."""
    sitting = find(work, exam_id)
    _check_eligible(work, sitting)
    return read_clock(work, sitting)


def check_submission(work: Work, exam_id: int, idempotency_key: str | None = None) -> Sitting:
    """Refuse a submission before its body is looked at: a retry whose reply was lost has to hear
    "submitted", even when the exam is over (decisions G19). One under the key of the submission
    there is passes: its answers decide.

    Raises NotFound, ExamAlreadySubmitted, ExamNotEligible, ExamNotOpen, ExamNotStarted.
    """
    sitting = find(work, exam_id)
    if idempotency_key is not None and sitting.key_hash == _hash(idempotency_key):
        return sitting
    _check_not_submitted(sitting)
    _check_eligible(work, sitting)
    _check_open(work, sitting)
    if sitting.started_at is None and work.settings[SittingSettings].requires_start:
        raise ExamNotStarted
    return sitting


def submit_answers(
    work: Work,
    sitting: Sitting,
    answers: Sequence[tuple[int, str]],
    idempotency_key: str | None = None,
) -> None:
    """Store the answers: pairs of a question's id and its option, ``""`` when blank. The same ones
    under the same key once more change nothing.

    Raises Invalid for a question that is not in the paper or comes twice, IdempotencyKeyReused,
    ExamAlreadySubmitted for the loser of a race, and what `check_submission` does when the exam was
    changed meanwhile.
    """
    exam_id = sitting.exam.id
    sitting, paper = _opened(work, sitting)
    packed = pack(paper, answers)
    key_hash = None if idempotency_key is None else _hash(idempotency_key)
    if sitting.started_at is None:
        _start(work, sitting, is_opened=False)
    if not submitting.store(work, exam_id, work.identity.user_id, packed, key_hash):
        _check_repeats(work, exam_id, packed, key_hash)


def _check_repeats(work: Work, exam_id: int, packed: str, key_hash: str | None) -> None:
    """Refuse what is not the submission that there is once more. Raises ExamAlreadySubmitted,
    IdempotencyKeyReused."""
    there = work.db.get_one(Submission, (exam_id, work.identity.user_id))
    if key_hash is None or there.key_hash != key_hash:
        raise ExamAlreadySubmitted
    if there.answers != packed:
        raise IdempotencyKeyReused("Other answers were submitted under this Idempotency-Key.")


def _hash(idempotency_key: str) -> str:
    return hashlib.sha256(idempotency_key.encode()).hexdigest()


def find(work: Work, exam_id: int) -> Sitting:
    """The exam, and how far the caller is in it. A caller who has started is noted as present.
    Raises NotFound."""
    found = work.db.execute(
        STANDING, {"exam_id": exam_id, "candidate_id": work.identity.user_id}
    ).one_or_none()
    if found is None:
        raise NotFound
    sitting = Sitting(*found)
    if sitting.started_at is not None:
        work.emit(CandidateSeen(work, exam_id, work.identity.user_id))
    return sitting


def read_clock(work: Work, sitting: Sitting) -> Clock:
    attempt = None
    if sitting.started_at is not None and sitting.deadline is not None:
        hand_in_until = sitting.deadline + clock.grace(work)
        attempt = AttemptTime(sitting.started_at, sitting.deadline, hand_in_until)
    return Clock(
        exam=sitting.exam,
        now=work.now,
        extra=clock.given(sitting.exam, sitting.extra, sitting.percent),
        is_submitted=sitting.submitted_at is not None,
        attempt=attempt,
    )


def check_running(work: Work, sitting: Sitting) -> None:
    """Refuse whoever can't work on the paper, now or any more. Raises ExamAlreadySubmitted,
    ExamNotOpen."""
    _check_not_submitted(sitting)
    _check_open(work, sitting)


def _check_eligible(work: Work, sitting: Sitting) -> None:
    """Refuse a candidate of another stage. Whoever has started stays eligible: a move to another
    stage takes nobody's work."""
    if sitting.started_at is None and work.identity.role != sitting.exam.stage:
        raise ExamNotEligible


def _check_not_submitted(sitting: Sitting) -> None:
    if sitting.submitted_at is not None:
        raise ExamAlreadySubmitted


def _check_open(work: Work, sitting: Sitting) -> None:
    """Refuse an exam that is not open. For who has started it is, until the deadline and its grace,
    whatever became of the exam since."""
    exam = sitting.exam
    if sitting.deadline is None:
        is_open = exam.is_open(work.now)
    else:
        is_open = clock.is_accepting(work, sitting.deadline)
    # Once it is sealed the key may be public, whatever became of the times.
    if not is_open or exam.sealed_at is not None:
        raise ExamNotOpen


def _opened(work: Work, sitting: Sitting) -> tuple[Sitting, Paper]:
    """The exam's paper, frozen now if nobody has opened it before, and the sitting with the exam as
    it is then. Raises NotFound, ExamNotEligible, ExamNotOpen."""
    if sitting.exam.first_started_at is None:
        sitting = replace(sitting, exam=rows.mark_started(work, sitting.exam.id))
        # It may have waited for whoever changed the exam.
        _check_eligible(work, sitting)
        _check_open(work, sitting)
    return sitting, papers.freeze(work, sitting.exam)


def _start(work: Work, sitting: Sitting, *, is_opened: bool = True) -> Sitting:
    """The sitting with when the caller started: of several calls at once the first one counts.
    `is_opened` is False for a submission of a candidate who has not opened the paper.
    Raises ExamNotOpen when the answer key may be public, ExamNotEligible for who was moved to
    another stage."""
    exam_id, candidate_id = sitting.exam.id, work.identity.user_id
    percent = select(ExtraPercent.percent).where(ExtraPercent.candidate_id == candidate_id)
    inserted = work.db.scalar(
        insert(Attempt)
        .values(
            exam_id=exam_id,
            candidate_id=candidate_id,
            started_at=work.now,
            extra_percent=func.coalesce(percent.scalar_subquery(), 0),
            is_opened=is_opened,
        )
        .on_conflict_do_nothing()
        .returning(Attempt.exam_id)
    )
    is_first = inserted is not None
    if is_first:
        work.emit(AttemptStarted(work, exam_id, candidate_id))
    # A statement of its own, after the insertion's locks on the paper and the candidate: it sees a
    # seal, another stage, and time that was given in the meantime.
    begun = work.db.execute(BEGUN, {"exam_id": exam_id, "candidate_id": candidate_id}).one()
    if begun.sealed_at is not None:
        raise ExamNotOpen
    if is_first and not begun.is_of_stage:
        raise ExamNotEligible
    return replace(
        sitting, started_at=begun.started_at, extra=begun.extra, percent=begun.extra_percent
    )


def running(work: Work, user: User) -> str | None:
    """That an exam is open which a candidate has begun, or that its time is not over. Once the exam
    is sealed it is, also in a grace period that nobody needed."""
    begun = select(Exam.title).join(Attempt, Attempt.exam_id == Exam.id)
    may_hand_in = and_(clock.running(work), Exam.sealed_at.is_(None))
    is_on = or_(Exam.has_status("ongoing", work.now), may_hand_in)
    title = work.db.scalar(begun.where(Attempt.candidate_id == user.id, is_on).limit(1))
    return None if title is None else f"The exam {title} is still running."
