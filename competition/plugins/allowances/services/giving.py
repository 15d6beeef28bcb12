"""Give extra time in an exam, list it, and withdraw it before any candidate has started.

Giving time locks the exam's row and its frozen paper (`sealing.lock_papers`). So a candidate who
starts at the same moment gets the time, whether the start comes before or after this transaction.
Until the commit, the exam can't be sealed or scored, and no answers can be submitted automatically.
So nothing is done by the old deadline.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Integer,
    Select,
    and_,
    case,
    cast,
    exists,
    extract,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import joinedload

from competition.core import audit, repeats
from competition.core.errors import Invalid, NotFound
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.users import accounts
from competition.core.users.affected import Affected, affected
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.allowances.models import Allowance
from competition.plugins.allowances.services import clocks
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import rows
from competition.plugins.sittings.models import (
    Attempt,
    Clock,
    ExtraPercent,
    ExtraTime,
    Submission,
)
from competition.plugins.sittings.services import clock, reopening, sealing

GIVE, TAKE_BACK = "allowance.give", "allowance.delete"
TIME = DateTime(timezone=True)
ORDERING = {"id": Allowance.id, "created_at": Allowance.created_at}
# The people whom a presenter shows.
PEOPLE = (joinedload(Allowance.candidate), joinedload(Allowance.created_by))


def page_of_allowances(work: Work, exam_id: int, query: Query) -> Page[Allowance]:
    return paginate(
        work,
        select(Allowance)
        .where(Allowance.exam_id == exam_id)
        .where(*contains_every_word(query["search"], Allowance.reason))
        .options(*PEOPLE),
        query,
        key=Allowance.id,
        created=Allowance.created_at,
        ordering=ORDERING,
    )


def of_candidate(work: Work, candidate_id: UUID) -> Sequence[Allowance]:
    """The allowances for this candidate alone, and all others that gave them time, latest first."""
    was_given = exists().where(
        ExtraTime.candidate_id == candidate_id, ExtraTime.source == clocks.source(Allowance.id)
    )
    return work.db.scalars(
        select(Allowance)
        .where(or_(Allowance.candidate_id == candidate_id, was_given))
        .order_by(Allowance.id.desc())
    ).all()


def locked_exam(work: Work, exam_id: int, idempotency_key: str | None) -> Exam:
    """Guard: lock the exam of a request that may have an idempotency key, and return the exam.

    Raises NotFound if there is no such exam.
    """
    return rows.locked(work, exam_id)


def give(
    work: Work, exam: Exam, given: Mapping[str, Any], idempotency_key: str | None = None
) -> Allowance:
    """Give extra time in a locked exam, and push the new clocks of the candidates concerned.

    A repeated request with the same idempotency key returns the allowance of the first request.

    Raises Invalid if there is no such candidate, if the candidate's account was erased, or if no
    candidate gets time although some were taking the exam. Raises IdempotencyKeyReused if the key
    was used for another allowance, and NotFound if the allowance of the first request was deleted.
    """
    act = f"{GIVE} {exam.id}"
    allowance_id = repeats.once(
        work, act, idempotency_key, given, lambda: _give(work, exam, given).id
    )
    allowance = work.db.get(Allowance, allowance_id, options=PEOPLE)
    if allowance is None:
        raise NotFound
    return allowance


def preview(work: Work, exam: Exam, given: Mapping[str, Any]) -> Affected:
    """The candidates whose running attempts would get the time. Nothing is changed.

    The time is given inside a savepoint, which is then rolled back. Raises Invalid if `give` would.
    """
    savepoint = work.db.begin_nested()
    allowance = _give(work, exam, given)
    found = affected(work, _running(work, allowance).with_only_columns(ExtraTime.candidate_id))
    savepoint.rollback()
    return found


def _give(work: Work, exam: Exam, given: Mapping[str, Any]) -> Allowance:
    candidate_id, lost = given["candidate_id"], given["lost"] or {}
    candidate = work.db.get(Candidate, candidate_id) if candidate_id is not None else None
    if candidate_id is not None and candidate is None:
        raise Invalid.field("candidate_id", Message("There is no such candidate."))
    sealing.lock_papers(work, [exam.id])
    if candidate_id is not None:
        accounts.keep_one(work, candidate_id)
    allowance = Allowance(
        exam_id=exam.id,
        candidate=candidate,
        school=given["school"],
        extra_minutes=given["extra_minutes"],
        lost_from=lost.get("from"),
        lost_until=lost.get("until"),
        reason=given["reason"],
        affected=0,
        created_by=work.db.get_one(Staff, work.identity.user_id),
        created_at=work.now,
    )
    work.db.add(allowance)
    work.db.flush()
    candidate_ids = _add(work, Allowance.id == allowance.id)
    reopening.reopen(work, exam.id, candidate_ids)
    allowance.affected = _count_running(work, allowance)
    if not allowance.affected and (
        reason := _reason_to_reject(work, exam, allowance, candidate_ids)
    ):
        raise Invalid(reason)
    subject = f"exam {exam.id}"
    audit.record(work, GIVE, target=candidate_id, subject=subject, new=dict(given), erasable=True)
    work.db.flush()
    if candidate_ids:
        clocks.push(work, exam.id, allowance.id)
    return allowance


def give_to_starter(work: Work, exam_id: int, candidate_id: UUID) -> None:
    """Add the time of earlier allowances to an attempt that has just begun."""
    earlier = work.db.scalars(
        select(Allowance.id)
        .where(Allowance.exam_id == exam_id, _is_for(candidate_id))
        .where(or_(Allowance.extra_minutes.is_not(None), Allowance.lost_until > work.now))
        .order_by(Allowance.id)
    ).all()
    # Apply them one at a time: a part that two allowances give back counts once.
    for allowance_id in earlier:
        is_theirs = Attempt.candidate_id == candidate_id
        _add(work, and_(Allowance.id == allowance_id, is_theirs))


def time_from_start(work: Work, read: Clock) -> timedelta:
    """How long the caller can work on an exam, from the start to the deadline, with extra time.

    Before the start, this is the time that they get if they start as soon as they can. It does not
    include lost time of an interval that is not over yet: `_add` adds that at the start.
    """
    exam, candidate_id = read.exam, work.identity.user_id
    if read.attempt is not None:
        return read.attempt.deadline - read.attempt.started_at
    minutes = (
        select(func.coalesce(func.sum(Allowance.extra_minutes), 0))
        .where(Allowance.exam_id == exam.id, _is_for(candidate_id))
        .scalar_subquery()
    )
    percent = select(ExtraPercent.percent).where(ExtraPercent.candidate_id == candidate_id)
    given = work.db.execute(
        select(minutes.label("minutes"), func.coalesce(percent.scalar_subquery(), 0).label("share"))
    ).one()
    extra = timedelta(minutes=given.minutes)
    if exam.scheduled_date is None:
        return timedelta(minutes=exam.countdown_minutes) + clock.given(exam, extra, given.share)
    start = max(read.now, exam.scheduled_date)
    if exam.closes_at is not None and exam.closes_at <= start:
        # Extra time moves the end of the exam only for candidates who have started before it.
        return timedelta()
    return max(clock.deadline(exam, start, extra, given.share) - start, timedelta())


def locked(work: Work, exam_id: int, allowance_id: int) -> Allowance:
    """The allowance. Locks its exam: until the commit, nobody can change or start the exam.

    Raises NotFound if the exam has no such allowance.
    """
    rows.locked(work, exam_id)
    sealing.lock_papers(work, [exam_id])
    found = work.db.get(Allowance, allowance_id)
    if found is None or found.exam_id != exam_id:
        raise NotFound
    if found.candidate_id is not None:
        accounts.keep_from_erasure(work, [found.candidate_id])
        # An erasure may have removed the reason.
        work.db.refresh(found)
    return found


def take_back(work: Work, allowance: Allowance) -> None:
    """Delete a locked allowance. Raises Invalid if it applies to an attempt that has started."""
    has_begun = (
        exists()
        .where(Attempt.exam_id == Allowance.exam_id, _is_for(Attempt.candidate_id))
        .where(Allowance.extra_minutes.is_not(None))
    )
    was_given = exists().where(ExtraTime.source == clocks.source(Allowance.id))
    concerned = select(or_(has_begun, was_given)).select_from(Allowance)
    if work.db.scalar(concerned.where(Allowance.id == allowance.id)):
        raise Invalid(
            Message(
                "This allowance can't be deleted, because a candidate whom it applies to has"
                " already started the exam."
            )
        )
    audit.record(
        work,
        TAKE_BACK,
        target=allowance.candidate_id,
        subject=f"exam {allowance.exam_id}",
        old={"id": allowance.id, "reason": allowance.reason},
        erasable=True,
    )
    work.db.delete(allowance)


def _is_for(candidate_id: Any) -> ColumnElement[bool]:
    """SQL condition: whether an allowance is for a candidate, in a query on Allowance.

    An allowance for a school is for the candidates who belonged to it when it was given. It is not
    for candidates who joined the school or registered later, or who changed their school without an
    approval.
    """
    belongs_since = func.coalesce(Candidate.school_since, Candidate.date_joined)
    school = (
        select(func.lower(Candidate.counted_school))
        .where(Candidate.id == candidate_id, belongs_since <= Allowance.created_at)
        .correlate(Allowance, Attempt)
    )
    return or_(
        Allowance.candidate_id == candidate_id,
        func.lower(Allowance.school) == school.scalar_subquery(),
        and_(Allowance.candidate_id.is_(None), Allowance.school.is_(None)),
    )


def _add(work: Work, chosen: ColumnElement[bool]) -> Sequence[UUID]:
    """Add the time of the chosen allowances to attempts, and return the ids of their candidates.

    An attempt gets time from an allowance once, and gets no part of an interval back twice. A
    candidate gets nothing if they have submitted, if the exam is sealed, or if they were not taking
    it during the lost interval.
    """
    lost_from, lost_until = _lost(work)
    missing = case((_was_sitting(), func.ceil(_seconds_not_given(lost_from, lost_until))))
    seconds = cast(func.coalesce(Allowance.extra_minutes * 60, missing), Integer)
    gives_back = Allowance.extra_minutes.is_(None)
    source = clocks.source(Allowance.id)
    added = (
        select(
            Attempt.exam_id,
            Attempt.candidate_id,
            seconds,
            source,
            case((gives_back, lost_from)),
            case((gives_back, lost_until)),
            literal(work.now, TIME),
        )
        .join(Exam, Exam.id == Attempt.exam_id)
        .join(Allowance, Allowance.exam_id == Attempt.exam_id)
        .outerjoin(Submission, _is_of_attempt())
        .where(chosen, _is_for(Attempt.candidate_id), seconds > 0, Exam.sealed_at.is_(None))
        .where(func.coalesce(Submission.handed_in_by, "service") == "service")
    )
    columns = ["exam_id", "candidate_id", "seconds", "source"]
    columns += ["lost_from", "lost_until", "created_at"]
    return work.db.scalars(
        insert(ExtraTime)
        .from_select(columns, added)
        .on_conflict_do_nothing()
        .returning(ExtraTime.candidate_id)
    ).all()


def _was_sitting() -> ColumnElement[bool]:
    """SQL condition: whether an attempt was running during part of an allowance's interval."""
    ended_at = func.least(Allowance.lost_until, clock.deadlines())
    return func.greatest(Allowance.lost_from, Attempt.started_at) < ended_at


def _lost(work: Work) -> tuple[ColumnElement[datetime], ColumnElement[datetime]]:
    """SQL expressions for the start and end of the interval that an attempt lost.

    If the allowance's interval extends beyond the deadline, the attempt lost all the time until
    now, because nobody could work after the deadline.
    """
    ends, now = clock.deadlines(), literal(work.now, TIME)
    started_at = func.greatest(Allowance.lost_from, Attempt.started_at)
    is_within = Allowance.lost_until <= ends
    return started_at, case((is_within, Allowance.lost_until), else_=func.greatest(ends, now))


def _seconds_not_given(
    lost_from: ColumnElement[datetime], lost_until: ColumnElement[datetime]
) -> ColumnElement[Any]:
    """SQL expression for the seconds of an interval that the attempt has not got back yet."""
    given = (
        select(func.range_agg(func.tstzrange(ExtraTime.lost_from, ExtraTime.lost_until)))
        .where(
            ExtraTime.exam_id == Attempt.exam_id,
            ExtraTime.candidate_id == Attempt.candidate_id,
            ExtraTime.lost_from.is_not(None),
        )
        .correlate(Attempt)
        .scalar_subquery()
    )
    lost = func.tstzmultirange(func.tstzrange(lost_from, lost_until))
    part = func.unnest(lost.op("-")(func.coalesce(given, func.tstzmultirange()))).column_valued()
    length = extract("epoch", func.upper(part) - func.lower(part))
    return select(func.sum(length)).correlate(Attempt, Exam, Allowance).scalar_subquery()


def _reason_to_reject(
    work: Work, exam: Exam, allowance: Allowance, given: Collection[UUID]
) -> str | None:
    """The reason to reject an allowance by which no running attempt got time, or None to accept it.

    It is accepted if nobody was taking the exam, or if candidates who start later get the time.
    `given` are the candidates who got time, but too little to continue.
    """
    can_start = exam.sealed_at is None and exam.status(work.now) != "concluded"
    had_submitted = func.coalesce(
        (Submission.handed_in_by == "candidate") & (Submission.submitted_at <= Allowance.lost_from),
        False,
    )
    concerned = (
        select(func.count(), func.count().filter(Submission.handed_in_by == "candidate"))
        .select_from(Attempt)
        .join(Exam, Exam.id == Attempt.exam_id)
        .join(Allowance, Allowance.exam_id == Attempt.exam_id)
        .outerjoin(Submission, _is_of_attempt())
        .where(Allowance.id == allowance.id, _is_for(Attempt.candidate_id))
        .where(or_(Allowance.extra_minutes.is_not(None), _was_sitting() & ~had_submitted))
    )
    were_sitting, have_submitted = work.db.execute(concerned).one()
    is_for_later = allowance.extra_minutes is not None and allowance.candidate_id is None
    if not were_sitting or (can_start and is_for_later):
        return None
    if exam.sealed_at is not None:
        return Message("Nobody can submit this exam any longer, so no time can be added.")
    if have_submitted == were_sitting:
        return Message("All candidates concerned have already submitted their answers.")
    if given:
        return Message(
            "Even with this time, all candidates concerned are past their deadlines. Give more"
            " time. If the exam was ended early for everyone, extra time can't reopen it."
        )
    return Message("The candidates concerned have already got this time back.")


def _is_of_attempt() -> ColumnElement[bool]:
    return and_(
        Submission.exam_id == Attempt.exam_id, Submission.candidate_id == Attempt.candidate_id
    )


def _count_running(work: Work, allowance: Allowance) -> int:
    return work.db.scalar(_running(work, allowance)) or 0


def _running(work: Work, allowance: Allowance) -> Select[Any]:
    """SELECT that counts attempts that got time from the allowance and can still be submitted."""
    return (
        select(func.count())
        .select_from(ExtraTime)
        .join(
            Attempt,
            (Attempt.exam_id == ExtraTime.exam_id)
            & (Attempt.candidate_id == ExtraTime.candidate_id),
        )
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(ExtraTime.source == clocks.source(literal(allowance.id)), clock.can_submit(work))
    )
