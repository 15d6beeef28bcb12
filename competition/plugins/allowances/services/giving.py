"""Allowances of an exam: given, listed, taken back before anybody has started.

Giving holds the exam's row and its starts (`sealing.hold_starts`). So whoever starts is either seen
by it, or sees it; and nobody is handed in, scored or sealed by a deadline that is just moving.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Integer,
    and_,
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

from competition.core import audit
from competition.core.errors import Invalid, NotFound
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work
from competition.plugins.allowances.models import Allowance
from competition.plugins.allowances.services import clocks
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import rows
from competition.plugins.sittings.models import Attempt, ExtraTime, Submission
from competition.plugins.sittings.services import clock, reopening, sealing

GIVE, TAKE_BACK = "allowance.give", "allowance.delete"
ORDERING = {"id": Allowance.id, "created_at": Allowance.created_at}


def page_of_allowances(work: Work, exam_id: int, query: Query) -> Page[Allowance]:
    return paginate(
        work,
        select(Allowance)
        .where(Allowance.exam_id == exam_id)
        .where(*contains_every_word(query["search"], Allowance.reason))
        .options(joinedload(Allowance.created_by)),
        query,
        key=Allowance.id,
        created=Allowance.created_at,
        ordering=ORDERING,
    )


def of_candidate(work: Work, candidate_id: UUID) -> Sequence[Allowance]:
    """Those that are for this candidate alone, and those that gave them time; the latest first."""
    was_given = exists().where(
        ExtraTime.candidate_id == candidate_id, ExtraTime.source == clocks.source(Allowance.id)
    )
    return work.db.scalars(
        select(Allowance)
        .where(or_(Allowance.candidate_id == candidate_id, was_given))
        .order_by(Allowance.id.desc())
    ).all()


def give(work: Work, exam: Exam, given: Mapping[str, Any]) -> Allowance:
    """Give time in a locked exam, and tell everybody concerned who is sitting. What is sealed stays
    as it is. Raises Invalid for a candidate that is not there."""
    candidate_id, lost = given["candidate_id"], given["lost"] or {}
    if candidate_id is not None and work.db.get(Candidate, candidate_id) is None:
        raise Invalid.field("candidate_id", "There is no such candidate.")
    sealing.hold_starts(work, [exam.id])
    allowance = Allowance(
        exam_id=exam.id,
        candidate_id=candidate_id,
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
    audit.record(work, GIVE, target=candidate_id, subject=f"exam {exam.id}", new=dict(given))
    work.db.flush()
    if candidate_ids:
        clocks.push(work, exam.id, allowance.id)
    return allowance


def give_to_starter(work: Work, exam_id: int, candidate_id: UUID) -> None:
    """Add the time of earlier allowances to an attempt that has just begun."""
    chosen = and_(Allowance.exam_id == exam_id, Attempt.candidate_id == candidate_id)
    _add(work, chosen)


def locked(work: Work, exam_id: int, allowance_id: int) -> Allowance:
    """The allowance, in an exam that nobody changes or starts until the commit. Raises NotFound."""
    rows.locked(work, exam_id)
    sealing.hold_starts(work, [exam_id])
    found = work.db.get(Allowance, allowance_id)
    if found is None or found.exam_id != exam_id:
        raise NotFound
    return found


def take_back(work: Work, allowance: Allowance) -> None:
    """Delete a locked allowance. Raises Invalid once an attempt that it is for has begun."""
    has_begun = (
        exists()
        .where(Attempt.exam_id == Allowance.exam_id, _is_for(Attempt.candidate_id))
        .where(Allowance.extra_minutes.is_not(None))
    )
    was_given = exists().where(ExtraTime.source == clocks.source(Allowance.id))
    concerned = select(or_(has_begun, was_given)).select_from(Allowance)
    if work.db.scalar(concerned.where(Allowance.id == allowance.id)):
        raise Invalid("Somebody whom it concerns has started: time is never taken back.")
    audit.record(
        work,
        TAKE_BACK,
        target=allowance.candidate_id,
        subject=f"exam {allowance.exam_id}",
        old={"id": allowance.id, "reason": allowance.reason},
    )
    work.db.delete(allowance)


def _is_for(candidate_id: Any) -> ColumnElement[bool]:
    """Whether an allowance is for a candidate, as a condition on it."""
    school = select(func.lower(Candidate.school)).where(Candidate.id == candidate_id)
    return or_(
        Allowance.candidate_id == candidate_id,
        func.lower(Allowance.school) == school.scalar_subquery(),
        and_(Allowance.candidate_id.is_(None), Allowance.school.is_(None)),
    )


def _add(work: Work, chosen: ColumnElement[bool]) -> Sequence[UUID]:
    """Insert the time that the chosen allowances give to attempts, and return the ids of the
    candidates concerned. An attempt gets time from an allowance once.

    Candidates who have submitted, whose exam is sealed, or who were not sitting it in the interval
    that was lost, get nothing.
    """
    lost = func.least(Allowance.lost_until, clock.deadlines()) - func.greatest(
        Allowance.lost_from, Attempt.started_at
    )
    lost_seconds = func.ceil(extract("epoch", lost))
    seconds = cast(func.coalesce(Allowance.extra_minutes * 60, lost_seconds), Integer)
    source = clocks.source(Allowance.id)
    added = (
        select(
            Attempt.exam_id,
            Attempt.candidate_id,
            seconds,
            source,
            literal(work.now, DateTime(timezone=True)),
        )
        .join(Exam, Exam.id == Attempt.exam_id)
        .join(Allowance, Allowance.exam_id == Attempt.exam_id)
        .outerjoin(
            Submission,
            (Submission.exam_id == Attempt.exam_id)
            & (Submission.candidate_id == Attempt.candidate_id),
        )
        .where(chosen, _is_for(Attempt.candidate_id), seconds > 0, Exam.sealed_at.is_(None))
        .where(func.coalesce(Submission.handed_in_by, "service") == "service")
    )
    columns = ["exam_id", "candidate_id", "seconds", "source", "created_at"]
    return work.db.scalars(
        insert(ExtraTime)
        .from_select(columns, added)
        .on_conflict_do_nothing()
        .returning(ExtraTime.candidate_id)
    ).all()


def _count_running(work: Work, allowance: Allowance) -> int:
    """The attempts that it gave time to and that can still be handed in."""
    running = (
        select(func.count())
        .select_from(ExtraTime)
        .join(
            Attempt,
            (Attempt.exam_id == ExtraTime.exam_id)
            & (Attempt.candidate_id == ExtraTime.candidate_id),
        )
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(ExtraTime.source == clocks.source(literal(allowance.id)), clock.running(work))
        .where(
            ~exists().where(
                Submission.exam_id == Attempt.exam_id,
                Submission.candidate_id == Attempt.candidate_id,
            )
        )
    )
    return work.db.scalar(running) or 0
