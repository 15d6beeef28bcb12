"""The SQL of extra time: whom an allowance is for, and how much time an attempt gets from it."""

from collections.abc import Sequence
from datetime import datetime
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
    extract,
    func,
    insert,
    literal,
    or_,
    select,
)

from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.allowances.models import Allowance, GivenTime
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.models import Attempt, ExtraTime, Submission, is_same_attempt
from competition.plugins.sittings.services import clock

TIME = DateTime(timezone=True)


def is_for(candidate_id: Any) -> ColumnElement[bool]:
    """SQL condition: whether an allowance is for a candidate, in a query on Allowance.

    An allowance for a school is for the candidates who belonged to it when it was given. It is not
    for candidates who joined the school or registered later, or who changed their school without an
    approval.
    """
    belongs_since = func.coalesce(Candidate.school_since, Candidate.date_joined)
    school = (
        select(Candidate.counted_school_key())
        .where(Candidate.id == candidate_id, belongs_since <= Allowance.created_at)
        .correlate(Allowance, Attempt)
    )
    return or_(
        Allowance.candidate_id == candidate_id,
        Allowance.school_key == school.scalar_subquery(),
        and_(Allowance.candidate_id.is_(None), Allowance.school.is_(None)),
    )


def concerns() -> ColumnElement[bool]:
    """SQL condition on Candidate and Allowance: whether an allowance that is being given is for the
    candidate."""
    return or_(
        Allowance.candidate_id == Candidate.id,
        Allowance.school_key == Candidate.counted_school_key(),
        and_(Allowance.candidate_id.is_(None), Allowance.school.is_(None)),
    )


def add(work: Work, allowance_id: int, candidate_id: UUID | None = None) -> Sequence[UUID]:
    """Add the time of an allowance to all attempts that it is for, or only to the attempt of
    `candidate_id`. Returns the ids of the candidates who got time.

    An attempt gets time from an allowance once, and gets no part of an interval back twice. A
    candidate gets nothing if the exam is sealed, if the answers were submitted other than
    automatically, or if the candidate was not taking the exam during the lost interval.
    """
    lost_from, lost_until = _lost()
    missing = case((was_sitting(), func.ceil(_seconds_not_given(lost_from, lost_until))))
    seconds = cast(func.coalesce(Allowance.extra_minutes * 60, missing), Integer)
    gives_back = Allowance.extra_minutes.is_(None)
    chosen = (
        select(
            Attempt.exam_id,
            Attempt.candidate_id,
            seconds,
            case((gives_back, lost_from)),
            case((gives_back, lost_until)),
            literal(work.now, TIME),
        )
        .join(Exam, Exam.id == Attempt.exam_id)
        .join(Allowance, Allowance.exam_id == Attempt.exam_id)
        .outerjoin(Submission, is_same_attempt(Submission, Attempt))
        .where(Allowance.id == allowance_id, is_for(Attempt.candidate_id))
        .where(seconds > 0, Exam.sealed_at.is_(None))
        .where(func.coalesce(Submission.handed_in_by, "service") == "service")
    )
    if candidate_id is not None:
        chosen = chosen.where(Attempt.candidate_id == candidate_id)
    columns = ["exam_id", "candidate_id", "seconds", "lost_from", "lost_until", "created_at"]
    added = (
        insert(ExtraTime)
        .from_select(columns, chosen)
        .returning(ExtraTime.id, ExtraTime.exam_id, ExtraTime.candidate_id)
        .cte("added")
    )
    return work.db.scalars(
        insert(GivenTime)
        .from_select(
            ["allowance_id", "extra_time_id", "exam_id", "candidate_id"],
            select(literal(allowance_id), added),
        )
        .returning(GivenTime.candidate_id)
    ).all()


def was_sitting() -> ColumnElement[bool]:
    """SQL condition: whether an attempt was running during part of an allowance's interval."""
    ended_at = func.least(Allowance.lost_until, clock.deadlines())
    return func.greatest(Allowance.lost_from, Attempt.started_at) < ended_at


def _lost() -> tuple[ColumnElement[datetime], ColumnElement[datetime]]:
    """SQL expressions for the start and end of the interval that an attempt lost.

    If the allowance's interval extends beyond the deadline, the attempt lost all the time until the
    allowance was given, because nobody could work after the deadline.
    """
    ends = clock.deadlines()
    started_at = func.greatest(Allowance.lost_from, Attempt.started_at)
    is_within = Allowance.lost_until <= ends
    ended_at = case(
        (is_within, Allowance.lost_until), else_=func.greatest(ends, Allowance.created_at)
    )
    return started_at, ended_at


def _seconds_not_given(
    lost_from: ColumnElement[datetime], lost_until: ColumnElement[datetime]
) -> ColumnElement[Any]:
    """SQL expression for the seconds of an interval that the attempt has not got back yet."""
    given = (
        select(func.range_agg(func.tstzrange(ExtraTime.lost_from, ExtraTime.lost_until)))
        .where(is_same_attempt(ExtraTime, Attempt), ExtraTime.lost_from.is_not(None))
        .correlate(Attempt)
        .scalar_subquery()
    )
    lost = func.tstzmultirange(func.tstzrange(lost_from, lost_until))
    part = func.unnest(lost.op("-")(func.coalesce(given, func.tstzmultirange()))).column_valued()
    length = extract("epoch", func.upper(part) - func.lower(part))
    return select(func.sum(length)).correlate(Attempt, Exam, Allowance).scalar_subquery()


def running(work: Work, allowance: Allowance) -> Select[Any]:
    """SELECT that counts attempts whose deadlines the allowance has moved, and that can still be
    submitted. After an early end of the exam, extra time moves no deadline."""
    without = clock.deadlines(clock.extra_time() - clock.interval(ExtraTime.seconds))
    return (
        select(func.count())
        .select_from(GivenTime)
        .join(ExtraTime, ExtraTime.id == GivenTime.extra_time_id)
        .join(Attempt, is_same_attempt(Attempt, GivenTime))
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(GivenTime.allowance_id == allowance.id, clock.can_submit(work))
        .where(clock.deadlines() > without)
    )
