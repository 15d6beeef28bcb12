"""The moment after which nobody can hand in any more, so that what an exam asks may be public."""

from collections.abc import Collection

from sqlalchemy import func, select, update

from competition.core.work import Work
from competition.plugins.exams.models import Exam, Paper
from competition.plugins.sittings.events import ExamsClosing
from competition.plugins.sittings.models import Attempt, Submission
from competition.plugins.sittings.services import clock


def close(work: Work, exam_ids: Collection[int]) -> set[int]:
    """Seal those of these exams that are over and that no running attempt can still hand in
    (decisions L8); answers which. Nobody starts them any more."""
    # Waits for whoever is just starting, and keeps others from it until this is committed.
    work.db.scalars(
        select(Paper.exam_id)
        .where(Paper.exam_id.in_(exam_ids))
        .order_by(Paper.exam_id)
        .with_for_update()
    ).all()
    closing = set(exam_ids) - _running(work, exam_ids)
    work.emit(ExamsClosing(work, closing))
    # Waits for an edit that is under way, and leaves out what that has opened again.
    return set(
        work.db.scalars(
            update(Exam)
            .where(Exam.id.in_(closing), Exam.has_status("concluded", work.now))
            .values(sealed_at=func.coalesce(Exam.sealed_at, work.now))
            .returning(Exam.id),
            execution_options={"synchronize_session": False},
        )
    )


def _running(work: Work, exam_ids: Collection[int]) -> set[int]:
    """Those with an attempt that can still be handed in."""
    return set(
        work.db.scalars(
            select(Attempt.exam_id)
            .join(Exam, Exam.id == Attempt.exam_id)
            .outerjoin(
                Submission,
                (Submission.exam_id == Attempt.exam_id)
                & (Submission.candidate_id == Attempt.candidate_id),
            )
            .where(
                Attempt.exam_id.in_(exam_ids),
                Submission.exam_id.is_(None),
                clock.is_running(work),
            )
            .distinct()
        )
    )
