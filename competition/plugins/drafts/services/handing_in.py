"""Submit drafts automatically when the time of their attempts is over.

One statement closes the drafts, locking their rows, and returns the answers to submit. So a
concurrent save is either applied before and submitted, or comes after and is rejected. Only
`open_again` opens a closed draft; a save never does. While a transaction locks an exam's paper, to
seal the exam or to move its deadlines, no other transaction submits drafts of the exam.
"""

from collections.abc import Collection
from typing import TypeVar

from sqlalchemy import ColumnElement, ScalarSelect, exists, func, select, update

from competition.core.messages import Message
from competition.core.monitoring.metrics import gauge
from competition.core.users import accounts
from competition.core.work import Work
from competition.plugins.drafts import DraftSettings
from competition.plugins.drafts.models import Draft
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.notifications.events import Notify
from competition.plugins.sittings.models import UNANSWERED, Attempt, Submission, is_same_attempt
from competition.plugins.sittings.services import clock, submitting
from competition.plugins.sittings.services.waiting import waiting_answers

LOCK = "drafts.hand_in"

T = TypeVar("T")


def hand_in_what_is_due(work: Work) -> None:
    """Submit every draft whose time is over, unless the setting `hand_in` is false."""
    if not work.settings[DraftSettings].hand_in:
        return
    # Only one process at a time may submit drafts, because two could deadlock on the same drafts.
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


@gauge("drafts_overdue", "Drafts whose time is over and that the service has not submitted yet.")
def overdue(work: Work) -> int:
    """How many drafts are due for automatic submission."""
    if not work.settings[DraftSettings].hand_in:
        return 0
    due = select(func.count()).where(Draft.closed_at.is_(None), _is_over(work))
    return work.db.scalar(due) or 0


@waiting_answers("drafts")
def has_waiting_drafts(work: Work, exam_id: int) -> bool:
    """Whether an exam that is over has drafts with answers that the service will submit."""
    if not work.settings[DraftSettings].hand_in:
        return False
    submitted = exists().where(is_same_attempt(Submission, Draft))
    waits = select(Draft.exam_id).where(
        Draft.exam_id == exam_id,
        Draft.closed_at.is_(None),
        func.btrim(Draft.answers, UNANSWERED) != "",
        ~submitted,
    )
    return work.db.scalars(select(waits.exists())).one()


def hand_in_before_sealing(work: Work, exam_ids: Collection[int]) -> None:
    """Submit the remaining drafts of these exams, whose papers the sealing has locked, unless the
    setting `hand_in` is false."""
    if work.settings[DraftSettings].hand_in:
        _hand_in(work, exam_ids)


def open_again(work: Work, exam_id: int) -> None:
    """Reopen the closed drafts of candidates who have time again and no submission. The caller must
    have locked the exam's paper."""
    has_submitted = exists().where(is_same_attempt(Submission, Draft))
    is_closed = (Draft.exam_id == exam_id, Draft.closed_at.is_not(None))
    work.db.execute(
        update(Draft).where(*is_closed, ~has_submitted, ~_is_over(work)).values(closed_at=None),
        execution_options={"synchronize_session": False},
    )


def _hand_in(work: Work, exam_ids: Collection[int]) -> None:
    """Close the drafts of these exams whose time is over, submit those that have an answer, and
    notify their candidates. Candidates who have already submitted keep their submission."""
    is_due = (Draft.exam_id.in_(exam_ids), Draft.closed_at.is_(None), _is_over(work))
    candidate_ids = work.db.scalars(select(Draft.candidate_id).where(*is_due)).all()
    # An erasure deletes the draft and the receipt. So lock the account first, as an erasure does.
    accounts.keep_from_erasure(work, candidate_ids)
    closed = (
        update(Draft)
        .where(*is_due)
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
        # The exam may have been sealed while `hand_in` was disabled.
        closed.c.exam_id.in_(select(Exam.id).where(Exam.sealed_at.is_(None))),
    )
    for exam_id, submitted in submitting.store_for_candidates(work, answers).items():
        title = work.db.get_one(Exam, exam_id).title
        message = Message(
            "The time for ${exam} is over. We have submitted the answers that you had saved.",
            exam=title,
        )
        subject = Message("Your answers have been submitted")
        work.emit(Notify(work, submitted, subject, message))


def _is_over(work: Work) -> ColumnElement[bool]:
    """SQL condition: whether the time of a draft's attempt is over."""
    return ~_of_attempt(clock.running(work))


def _of_attempt(value: ColumnElement[T]) -> ScalarSelect[T]:
    """SQL expression for a value of a draft's attempt, in a query on Draft.

    It is a subquery by primary key rather than a join: all drafts of an exam are inserted within
    minutes, so the planner's statistics are outdated and it might choose a bad join order.
    """
    return (
        select(value)
        .select_from(Attempt)
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(is_same_attempt(Attempt, Draft))
        .correlate(Draft)
        .scalar_subquery()
    )
