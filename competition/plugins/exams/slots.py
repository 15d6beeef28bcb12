"""Fills slots in the replies of other plugins with what exams knows."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.presenters import STAFF_DASHBOARD
from competition.plugins.exams.presenters import UpcomingExam, upcoming_exam
from competition.plugins.exams.services import planning


@fill_slot(STAFF_DASHBOARD, "upcoming_exams")
def upcoming(work: Work, staff_ids: Collection[UUID]) -> dict[UUID, list[UpcomingExam]]:
    """The next exams, which are the same for all staff."""
    shown = [upcoming_exam(exam) for exam in planning.next_exams(work)]
    return dict.fromkeys(staff_ids, shown)
