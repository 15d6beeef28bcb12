"""Fill a slot in the preview of a deactivation with the exams that the candidate is taking."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.people.offered_slots import DEACTIVATION
from competition.plugins.sittings import presenters
from competition.plugins.sittings.services import taking


@fill_slot(DEACTIVATION, "running_exams")
def running_exams(
    work: Work, user_ids: Collection[UUID]
) -> dict[UUID, list[presenters.RunningExam]]:
    # One query per user is enough: the reply shows a single account.
    return {
        each: [
            presenters.RunningExam(id=exam_id, title=title, deadline=deadline)
            for exam_id, title, deadline in taking.taken_now(work, each)
        ]
        for each in user_ids
    }
