"""Give extra time in an exam, and withdraw it before any candidate has started.

Giving time locks the exam's row and the row of its frozen questions (`sealing.lock_papers`). So a
candidate who starts at the same moment gets the time, whether the start comes before or after this
transaction. Until the commit, the exam can't be sealed or scored, and no answers can be submitted
automatically. So the service does none of this at the old deadline.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, exists, func, or_, select, update

from competition.core import audit, repeats
from competition.core.errors import Invalid, NotFound, existing
from competition.core.messages import Message
from competition.core.texts import name_key
from competition.core.users import accounts, schools
from competition.core.users.affected import affected
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.allowances.models import Allowance, GivenTime
from competition.plugins.allowances.presenters import AllowancePreview
from competition.plugins.allowances.services import adding, clocks, listing
from competition.plugins.exams.models import Exam, status_of
from competition.plugins.exams.services import rows
from competition.plugins.sittings.models import (
    Attempt,
    Clock,
    ExtraPercent,
    Submission,
    is_same_attempt,
)
from competition.plugins.sittings.services import clock, reopening, sealing, taking

GIVE, TAKE_BACK = "allowance.give", "allowance.delete"


def locked_exam(work: Work, exam_id: int, idempotency_key: str | None) -> Exam:
    """Guard of an endpoint: lock the exam, and return it. The `idempotency_key`, a header of the
    request, is not used here.

    Raises NotFound if there is no such exam, and SeasonClosed if its season is closed.
    """
    return rows.locked(work, exam_id)


def give(
    work: Work, exam: Exam, given: Mapping[str, Any], idempotency_key: str | None = None
) -> Allowance:
    """Give extra time in a locked exam, and push the new clocks of the candidates concerned.

    A repeated request with the same idempotency key returns the allowance of the first request.

    Raises Invalid if there is no such candidate, if no candidate is of the school, if the
    candidate's account was erased, or if no candidate gets time although some were taking the exam.
    Raises IdempotencyKeyReused if the key was used for another allowance, and NotFound if the
    allowance of the first request was deleted.
    """
    act = f"{GIVE} {exam.id}"
    allowance_id = repeats.once(
        work, act, idempotency_key, given, lambda: _give(work, exam, given).id
    )
    return existing(work.db.get(Allowance, allowance_id, options=listing.PEOPLE))


def preview(work: Work, exam: Exam, given: Mapping[str, Any]) -> AllowancePreview:
    """The candidates whose running attempts would get the time, and how many candidates have not
    started and would get the time when they start. Nothing is changed.

    The time is given inside a savepoint, which is then rolled back. Raises Invalid if `give` would.
    """
    savepoint = work.db.begin_nested()
    allowance = _give(work, exam, given)
    found = affected(
        work, adding.running(work, allowance).with_only_columns(GivenTime.candidate_id)
    )
    starters = select(func.count(Candidate.id)).where(
        Allowance.id == allowance.id, adding.concerns(), taking.can_start(work, exam), _lasts(work)
    )
    can_start = work.db.scalar(starters) or 0
    savepoint.rollback()
    return AllowancePreview(**found, can_start=can_start)


def _lasts(work: Work) -> ColumnElement[bool]:
    """SQL condition on Allowance: whether candidates who start now, or later, get time from it."""
    return or_(Allowance.extra_minutes.is_not(None), Allowance.lost_until > work.now)


def _give(work: Work, exam: Exam, given: Mapping[str, Any]) -> Allowance:
    candidate_id, lost = given["candidate_id"], given["lost"] or {}
    candidate = work.db.get(Candidate, candidate_id) if candidate_id is not None else None
    if candidate_id is not None and candidate is None:
        raise Invalid.field(
            "candidate_id", Message("There is no candidate with this id. Check the id.")
        )
    school = schools.own_name(work, given["school"]) if given["school"] else None
    school_key = None if school is None else name_key(school)
    if school_key is not None and not work.db.scalar(
        select(exists().where(Candidate.has_counted_school(school_key)))
    ):
        raise Invalid.field(
            "school", Message("There is no candidate of this school. Check the name of the school.")
        )
    sealing.lock_papers(work, [exam.id])
    if candidate_id is not None:
        accounts.keep_one(work, candidate_id)
    allowance = Allowance(
        exam_id=exam.id,
        candidate=candidate,
        school=school,
        school_key=school_key,
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
    candidate_ids = adding.add(work, allowance.id)
    reopening.reopen(work, exam.id)
    allowance.affected = work.db.scalar(adding.running(work, allowance)) or 0
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
        .where(Allowance.exam_id == exam_id, adding.is_for(candidate_id))
        .where(_lasts(work))
        .order_by(Allowance.id)
    ).all()
    _add_each(work, earlier, candidate_id)


def give_missed(work: Work, exam_id: int, candidate_id: UUID) -> None:
    """Add the time of the allowances that were given while the candidate's own submission stood."""
    was_given = exists().where(
        GivenTime.allowance_id == Allowance.id, GivenTime.candidate_id == candidate_id
    )
    missed = work.db.scalars(
        select(Allowance.id)
        .where(Allowance.exam_id == exam_id, adding.is_for(candidate_id), ~was_given)
        .order_by(Allowance.id)
    ).all()
    _add_each(work, missed, candidate_id)


def _add_each(work: Work, allowance_ids: Sequence[int], candidate_id: UUID) -> None:
    # Apply the allowances one at a time, because a part of an interval that two of them give back
    # counts only once.
    for allowance_id in allowance_ids:
        adding.add(work, allowance_id, candidate_id)


def time_from_start(work: Work, read: Clock) -> timedelta:
    """How long the caller can work on an exam, from the start to the deadline, with extra time.

    Before the start, this is the time that they get if they start as soon as they can. It does not
    include lost time of an interval that is not over yet: `adding.add` adds that at the start.
    """
    exam, candidate_id = read.exam, work.identity.user_id
    if read.attempt is not None:
        return read.attempt.deadline - read.attempt.started_at
    minutes = (
        select(func.coalesce(func.sum(Allowance.extra_minutes), 0))
        .where(Allowance.exam_id == exam.id, adding.is_for(candidate_id))
        .scalar_subquery()
    )
    percent = select(ExtraPercent.percent).where(ExtraPercent.candidate_id == candidate_id)
    given = work.db.execute(
        select(minutes.label("minutes"), func.coalesce(percent.scalar_subquery(), 0).label("share"))
    ).one()
    extra = timedelta(minutes=given.minutes)
    if exam.scheduled_date is None:
        length: timedelta = clock.extra_length(exam.countdown_minutes, extra, given.share)
        return timedelta(minutes=exam.countdown_minutes) + length
    start = max(read.now, exam.scheduled_date)
    if exam.closes_at is not None and exam.closes_at <= start:
        # Only candidates who have started before the exam closes get extra time after that.
        return timedelta()
    return max(clock.deadline(exam, start, extra, given.share) - start, timedelta())


def locked(work: Work, exam_id: int, allowance_id: int) -> Allowance:
    """Lock the exam of an allowance, and return the allowance. Until the commit, nobody can change
    or start the exam.

    Raises NotFound if the exam has no such allowance, and SeasonClosed if the exam's season is
    closed.
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
    """Delete a locked allowance.

    Raises Invalid if an attempt has got time from the allowance. For extra minutes, also raises
    Invalid if any candidate whom they are for has started the exam.
    """
    has_begun = (
        exists()
        .where(Attempt.exam_id == Allowance.exam_id, adding.is_for(Attempt.candidate_id))
        .where(Allowance.extra_minutes.is_not(None))
    )
    was_given = exists().where(GivenTime.allowance_id == Allowance.id)
    concerned = select(or_(has_begun, was_given)).select_from(Allowance)
    if work.db.scalar(concerned.where(Allowance.id == allowance.id)):
        raise Invalid(
            Message(
                "This extra time can't be withdrawn, because a candidate who gets it has already"
                " started the exam."
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


def rename_schools(work: Work, keys: Collection[str], name: str) -> int:
    """Give a school its new name in the allowances for it, and return their number. `keys` are the
    keys of its old names (`name_key`)."""
    renamed = work.db.scalars(
        update(Allowance)
        .where(Allowance.school_key.in_(keys))
        .values(school=name, school_key=name_key(name))
        .returning(Allowance.id),
        execution_options={"synchronize_session": False},
    )
    return len(renamed.all())


def _reason_to_reject(
    work: Work, exam: Exam, allowance: Allowance, given: Collection[UUID]
) -> str | None:
    """The reason to reject an allowance by which no running attempt got time, or None to accept it.

    The allowance is accepted if nobody was taking the exam. It is also accepted if it gives extra
    minutes to a school or to all candidates, and candidates can still start the exam. `given` are
    the candidates who got time, but too little to continue.
    """
    can_start = exam.sealed_at is None and status_of(exam, work.now) != "concluded"
    had_submitted = func.coalesce(
        (Submission.handed_in_by != "service") & (Submission.submitted_at <= Allowance.lost_from),
        False,
    )
    concerned = (
        select(func.count(), func.count().filter(Submission.handed_in_by != "service"))
        .select_from(Attempt)
        .join(Exam, Exam.id == Attempt.exam_id)
        .join(Allowance, Allowance.exam_id == Attempt.exam_id)
        .outerjoin(Submission, is_same_attempt(Submission, Attempt))
        .where(Allowance.id == allowance.id, adding.is_for(Attempt.candidate_id))
        .where(or_(Allowance.extra_minutes.is_not(None), adding.was_sitting() & ~had_submitted))
    )
    were_sitting, have_submitted = work.db.execute(concerned).one()
    is_for_later = allowance.extra_minutes is not None and allowance.candidate_id is None
    if not were_sitting or (can_start and is_for_later):
        return None
    if exam.sealed_at is not None:
        return Message("Nobody can submit this exam any longer, so no time can be added.")
    if have_submitted == were_sitting:
        return Message(
            "All candidates concerned have already submitted their answers, so no time was added."
            " To let a candidate go on, take the submission back."
        )
    if given:
        return Message(
            "Even with this time, all candidates concerned are past their deadlines. Give more"
            " time. If the exam was ended early for everyone, extra time can't reopen it."
        )
    return Message("The candidates concerned have already got this time back.")
