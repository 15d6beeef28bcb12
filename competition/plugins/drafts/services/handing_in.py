"""Handing in: when the time of an attempt is over, what is saved becomes the submission, once.

A draft is closed by the statement that hands it in, under its row's lock: a save that was on its
way either came before and is handed in, or comes after and is refused. Whoever holds an exam's
paper, such as to seal it or to give more time, keeps others from handing it in meanwhile.
"""

from collections.abc import Collection
from typing import TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, ScalarSelect, func, select, update

from competition.core.monitoring.metrics import gauge
from competition.core.work import Work
from competition.plugins.drafts import DraftSettings
from competition.plugins.drafts.models import Draft
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.notifications.events import Notify
from competition.plugins.sittings.models import UNANSWERED, Attempt
from competition.plugins.sittings.services import clock, submitting

LOCK = "drafts.hand_in"

T = TypeVar("T")


def hand_in_what_is_due(work: Work) -> None:
    """Hand in every draft whose time is over."""
    if not work.settings[DraftSettings].hand_in:
        return
    # Two that work on the same rows would wait for each other in a circle.
    work.lock(LOCK)
    due = select(Draft.exam_id).where(Draft.closed_at.is_(None), _is_over(work)).distinct()
    exam_ids = work.db.scalars(
        select(Paper.exam_id)
        .where(Paper.exam_id.in_(due))
        .order_by(Paper.exam_id)
        .with_for_update(read=True, key_share=True)
    ).all()
    if exam_ids:
        _hand_in(work, exam_ids)


@gauge("drafts_overdue", "Drafts whose time is over, and that the service has yet to hand in.")
def overdue(work: Work) -> int:
    """How many drafts should be handed in, and are not."""
    if not work.settings[DraftSettings].hand_in:
        return 0
    due = select(func.count()).where(Draft.closed_at.is_(None), _is_over(work))
    return work.db.scalar(due) or 0


def hand_in_before_sealing(work: Work, exam_ids: Collection[int]) -> None:
    """Hand in what is left of these exams, whose papers the sealing has locked."""
    if work.settings[DraftSettings].hand_in:
        _hand_in(work, exam_ids)


def open_again(work: Work, exam_id: int, candidate_ids: Collection[UUID]) -> None:
    """Drafts of an exam whose paper is held, of candidates who have got more time."""
    work.db.execute(
        update(Draft)
        .where(Draft.exam_id == exam_id, Draft.candidate_id.in_(candidate_ids))
        .values(closed_at=None),
        execution_options={"synchronize_session": False},
    )


def _hand_in(work: Work, exam_ids: Collection[int]) -> None:
    """Close the drafts of these exams whose time is over, hand in those with an answer, and notify
    whose they are. What a candidate has handed in stays."""
    closed = (
        update(Draft)
        .where(Draft.exam_id.in_(exam_ids), Draft.closed_at.is_(None), _is_over(work))
        .values(closed_at=work.now)
        .returning(
            Draft.exam_id,
            Draft.candidate_id,
            Draft.answers,
            _of_attempt(clock.deadlines()).label("deadline"),
        )
        .cte("closed")
    )
    answers = select(
        closed.c.exam_id, closed.c.candidate_id, closed.c.answers, closed.c.deadline
    ).where(
        func.btrim(closed.c.answers, UNANSWERED) != "",
        # It may have been sealed while handing in was switched off.
        closed.c.exam_id.in_(select(Exam.id).where(Exam.sealed_at.is_(None))),
    )
    for exam_id, candidate_ids in submitting.store_for_candidates(work, answers).items():
        title = work.db.get_one(Exam, exam_id).title
        message = f"The time for {title} was over: what you had saved has been handed in for you."
        work.emit(Notify(work, candidate_ids, "Your answers are handed in", message))


def _is_over(work: Work) -> ColumnElement[bool]:
    return ~_of_attempt(clock.running(work))


def _of_attempt(value: ColumnElement[T]) -> ScalarSelect[T]:
    """A value of the attempt that a draft is of, in a query on Draft.

    It is looked up by its key, in no join whose order could be guessed wrong: all drafts of an exam
    come within minutes, and the planner may not have heard of them.
    """
    return (
        select(value)
        .select_from(Attempt)
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(Attempt.exam_id == Draft.exam_id, Attempt.candidate_id == Draft.candidate_id)
        .correlate(Draft)
        .scalar_subquery()
    )
