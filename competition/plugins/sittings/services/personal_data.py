"""What a candidate's exams keep about them: exported; and whether one still runs."""

from typing import Any

from sqlalchemy import and_, or_, select

from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.models import Attempt, Submission
from competition.plugins.sittings.services import clock


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The exams that were begun, the first one first; `answers` has a character a question, in the
    paper's order."""
    rows = work.db.execute(
        select(
            Attempt.exam_id,
            Exam.title,
            Attempt.started_at,
            Submission.submitted_at,
            Submission.handed_in_by,
            Submission.answers,
        )
        .join(Exam, Exam.id == Attempt.exam_id)
        .outerjoin(
            Submission,
            and_(
                Submission.exam_id == Attempt.exam_id,
                Submission.candidate_id == Attempt.candidate_id,
            ),
        )
        .where(Attempt.candidate_id == user.id)
        .order_by(Attempt.started_at, Attempt.exam_id)
    )
    return [dict(row._mapping) for row in rows]


def erase(work: Work, user: User) -> None:
    """Answers stay, as what they are worth does: letters, of an account without a person."""


def in_use(work: Work, user: User) -> str | None:
    """An exam that was begun is open, or its time is not over."""
    title = work.db.scalar(
        select(Exam.title)
        .join(Attempt, Attempt.exam_id == Exam.id)
        .where(
            Attempt.candidate_id == user.id,
            Exam.deleted_at.is_(None),
            or_(Exam.has_status("ongoing", work.now), clock.running(work)),
        )
        .limit(1)
    )
    return None if title is None else f"The exam {title} is still running."
