"""Withdraw submissions, so that candidates can continue: automatic submissions of candidates who
got more time, and candidates' own submissions that staff take back."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import any_, delete, select

from competition.core.database import uuids
from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.users import accounts
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.events import (
    AttemptsReopened,
    ClockChanged,
    SubmissionsWithdrawing,
    SubmissionsWithdrawn,
)
from competition.plugins.sittings.models import Attempt, ExtraTime, Submission, is_same_attempt
from competition.plugins.sittings.services import clock, sealing, submitting, waiting


def reopen(work: Work, exam_id: int) -> None:
    """Delete the automatic submissions of all candidates who have time left in the exam.

    Call this after every change that may move a deadline. A submission by the candidate is final,
    and that of an erased account stays. In a sealed exam, nothing is deleted. The caller must have
    locked the exam's row and its paper (`sealing.lock_papers`), so that no submission is scored in
    the meantime.
    """
    runs_again = (
        select(Attempt.exam_id)
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(is_same_attempt(Attempt, Submission), Exam.sealed_at.is_(None), clock.running(work))
        .exists()
    )
    is_withdrawn = (
        Submission.exam_id == exam_id,
        Submission.handed_in_by == "service",
        runs_again,
    )
    candidate_ids = work.db.scalars(select(Submission.candidate_id).where(*is_withdrawn)).all()
    if candidate_ids:
        # Keep the accounts from being erased. An erasure changes the same rows of these candidates
        # as the subscribers, but in another order, so the two could deadlock.
        there = accounts.keep_from_erasure(work, candidate_ids)
        work.emit(SubmissionsWithdrawing(work, exam_id, there))
        withdrawn = work.db.scalars(
            delete(Submission)
            .where(*is_withdrawn, Submission.candidate_id == any_(uuids(there)))
            .returning(Submission.candidate_id),
            execution_options={"synchronize_session": False},
        ).all()
        if withdrawn:
            work.emit(SubmissionsWithdrawn(work, exam_id, withdrawn))
    work.emit(AttemptsReopened(work, exam_id))


def own_submission(work: Work, exam: Exam, candidate_id: UUID) -> Submission:
    """The submission that staff may take back, of a candidate who submitted it themselves.

    The exam's row must be locked. This locks the exam's paper and keeps the account from being
    erased. Raises Invalid if there is no such submission, or if nobody can submit the exam any
    longer.
    """
    sealing.lock_papers(work, [exam.id])
    if waiting.is_over_for_good(work, exam):
        raise Invalid(Message("Nobody can submit this exam any longer, so it can't be continued."))
    accounts.keep_one(work, candidate_id)
    submission = work.db.get(Submission, (exam.id, candidate_id), populate_existing=True)
    if submission is None or submission.handed_in_by != "candidate":
        raise Invalid(
            Message("Only the candidate's own submission can be taken back, and there is none.")
        )
    return submission


def take_back(
    work: Work, exam: Exam, submission: Submission, extra: timedelta
) -> tuple[datetime, timedelta]:
    """Delete a candidate's own submission, so that the candidate can continue with `extra` time.

    Returns the deadline of the attempt, and the time between the submission and now. Raises Invalid
    if the candidate's time is over even with `extra`, or if a subscriber rejects the withdrawal.
    """
    exam_id, candidate_id = exam.id, submission.candidate_id
    work.emit(SubmissionsWithdrawing(work, exam_id, [candidate_id], is_own=True))
    if extra:
        work.db.add(
            ExtraTime(
                exam_id=exam_id,
                candidate_id=candidate_id,
                seconds=int(extra.total_seconds()),
                created_at=work.now,
            )
        )
        work.db.flush()
    stood = work.now - submission.submitted_at
    attempt = work.db.get_one(Attempt, (exam_id, candidate_id))
    attempt.withdrawn = attempt.withdrawn | submitting.withdrawn(submission)
    work.db.delete(submission)
    work.db.flush()
    work.emit(SubmissionsWithdrawn(work, exam_id, [candidate_id], is_own=True))
    deadline = work.db.scalars(
        select(clock.deadlines())
        .select_from(Attempt)
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(Attempt.exam_id == exam_id, Attempt.candidate_id == candidate_id)
    ).one()
    if deadline <= work.now:
        message = Message(
            "The candidate's time is over. Add enough minutes that some time is left.", "reopen"
        )
        raise Invalid.field("extra_minutes", message)
    work.emit(AttemptsReopened(work, exam_id))
    work.emit(ClockChanged(work, exam_id, candidate_id))
    return deadline, stood
