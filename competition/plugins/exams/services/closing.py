"""Exams that are over for good, so that what they ask may be public."""

from datetime import timedelta

from sqlalchemy import exists, func, select, update

from competition.core.work import Work
from competition.plugins.exams import ExamSettings, schedule, statistics
from competition.plugins.exams.models import Attempt, Exam, Paper, Score, Submission
from competition.plugins.exams.services import scoring


def close(work: Work) -> list[Exam]:
    """Every exam with results whose window is over and which no running attempt can still hand in
    (decisions L8). What was unscored is scored; nobody starts any more."""
    over = select(Exam.id).where(
        Exam.deleted_at.is_(None),
        schedule.has_status("concluded", work.now),
        exists().where(Paper.exam_id == Exam.id) | exists().where(Score.exam_id == Exam.id),
    )
    exam_ids = set(work.db.scalars(over))
    # Waits for whoever is just starting, and keeps others from it until this is committed.
    work.db.scalars(
        select(Paper.exam_id)
        .where(Paper.exam_id.in_(exam_ids))
        .order_by(Paper.exam_id)
        .with_for_update()
    ).all()
    exam_ids -= _running(work)
    # Waits for an edit that is under way, and leaves out what that has opened again.
    exam_ids = set(
        work.db.scalars(
            update(Exam)
            .where(Exam.id.in_(exam_ids), schedule.has_status("concluded", work.now))
            .values(sealed_at=func.coalesce(Exam.sealed_at, work.now))
            .returning(Exam.id),
            execution_options={"synchronize_session": False},
        )
    )
    scoring.score_submissions(work, exam_ids)
    # Everybody looks now, and candidates may see these scores for the first time.
    statistics.refresh_standings(work)
    return list(
        work.db.scalars(
            select(Exam)
            .where(Exam.id.in_(exam_ids))
            .order_by(Exam.id)
            .execution_options(populate_existing=True)
        )
    )


def _running(work: Work) -> set[int]:
    grace = timedelta(minutes=work.settings[ExamSettings].grace_minutes)
    return set(
        work.db.scalars(
            select(Attempt.exam_id)
            .join(Exam, Exam.id == Attempt.exam_id)
            .outerjoin(
                Submission,
                (Submission.exam_id == Attempt.exam_id)
                & (Submission.candidate_id == Attempt.candidate_id),
            )
            .where(Submission.exam_id.is_(None), schedule.is_running(work.now, grace))
            .distinct()
        )
    )
