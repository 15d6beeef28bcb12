"""Let staff follow an exam on a WebSocket."""

from collections.abc import Mapping
from typing import Any

from competition.core.auth.access import StaffRole, staff
from competition.core.push.sockets import following
from competition.core.work import Work
from competition.plugins.exams.services import rows
from competition.plugins.invigilation import presenters, schemas
from competition.plugins.invigilation.services import watching

MODERATOR = staff(StaffRole.MODERATOR)


def admit(work: Work, data: Mapping[str, Any]) -> int:
    """Follow the counts of an exam. Staff only.

    Raises an error if the caller has no access, and NotFound if there is no such exam.
    """
    if refusal := MODERATOR.refusal(work.identity):
        raise refusal
    return rows.get(work, data["exam"]).id


@following("follow_exam", admit=admit, data=schemas.FollowedExam)
def activity(work: Work, exam_id: int) -> presenters.ExamActivity:
    """The current counts of an exam. Raises NotFound if the exam was deleted in the meantime."""
    return presenters.exam_activity(exam_id, watching.counts(work, rows.get(work, exam_id)))
