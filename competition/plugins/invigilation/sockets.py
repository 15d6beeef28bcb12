"""Staff follows an exam on a socket."""

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
    """Follow the counts of an exam, as staff who may watch it. Raises what a view would."""
    if refusal := MODERATOR.refusal(work.identity):
        raise refusal
    return rows.get(work, data["exam"]).id


@following("follow_exam", admit=admit, data=schemas.FollowedExam)
def activity(work: Work, exam_id: int) -> presenters.ExamActivity:
    """Raises NotFound for one that was deleted meanwhile."""
    return presenters.exam_activity(exam_id, watching.counts(work, rows.get(work, exam_id)))
