"""Withdraw automatic submissions, so that candidates who got more time can continue."""

from sqlalchemy import any_, delete, select

from competition.core.database import uuids
from competition.core.users import accounts
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.events import AttemptsReopened, SubmissionsWithdrawn
from competition.plugins.sittings.models import Attempt, Submission
from competition.plugins.sittings.services import clock


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
        .where(
            Attempt.exam_id == Submission.exam_id,
            Attempt.candidate_id == Submission.candidate_id,
            Exam.sealed_at.is_(None),
            clock.running(work),
        )
        .exists()
    )
    is_withdrawn = (
        Submission.exam_id == exam_id,
        Submission.handed_in_by == "service",
        runs_again,
    )
    candidate_ids = work.db.scalars(select(Submission.candidate_id).where(*is_withdrawn)).all()
    if candidate_ids:
        # Subscribers change further rows of these candidates, and so does an erasure.
        there = accounts.keep_from_erasure(work, candidate_ids)
        withdrawn = work.db.scalars(
            delete(Submission)
            .where(*is_withdrawn, Submission.candidate_id == any_(uuids(there)))
            .returning(Submission.candidate_id),
            execution_options={"synchronize_session": False},
        ).all()
        if withdrawn:
            work.emit(SubmissionsWithdrawn(work, exam_id, withdrawn))
    work.emit(AttemptsReopened(work, exam_id))
