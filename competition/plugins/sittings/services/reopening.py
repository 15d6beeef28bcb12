"""Withdraw automatic submissions, so that candidates who got more time can continue."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import any_, delete, select

from competition.core.database import uuids
from competition.core.users import accounts
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.events import SubmissionsWithdrawn
from competition.plugins.sittings.models import Attempt, Submission
from competition.plugins.sittings.services import clock


def reopen(work: Work, exam_id: int, candidate_ids: Collection[UUID]) -> None:
    """Delete the automatic submissions of the given candidates, except candidates who have no time
    left.

    A submission by the candidate is final. The exam must not be sealed. The caller must have locked
    its row and its paper (`sealing.lock_papers`), so that no submission is scored in the meantime.
    """
    # Subscribers change further rows of these candidates, and so does an erasure.
    accounts.keep_from_erasure(work, candidate_ids)
    runs_again = (
        select(Attempt.exam_id)
        .join(Exam, Exam.id == Attempt.exam_id)
        .where(
            Attempt.exam_id == Submission.exam_id,
            Attempt.candidate_id == Submission.candidate_id,
            clock.running(work),
        )
        .exists()
    )
    withdrawn = work.db.scalars(
        delete(Submission)
        .where(
            Submission.exam_id == exam_id,
            Submission.candidate_id == any_(uuids(candidate_ids)),
            Submission.handed_in_by == "service",
            runs_again,
        )
        .returning(Submission.candidate_id),
        execution_options={"synchronize_session": False},
    ).all()
    if withdrawn:
        work.emit(SubmissionsWithdrawn(work, exam_id, withdrawn))
