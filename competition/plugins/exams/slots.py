"""Fill a slot of the staff dashboard with the next exams."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.presenters import STAFF_DASHBOARD
from competition.plugins.exams.presenters.exams import UpcomingExam, upcoming_exam
from competition.plugins.exams.services import planning


@fill_slot(STAFF_DASHBOARD, "upcoming_exams")
def upcoming(work: Work, staff_ids: Collection[UUID]) -> dict[UUID, list[UpcomingExam]]:
    """The next exams. They are the same for all staff."""
    shown = [upcoming_exam(exam) for exam in planning.next_exams(work)]
    return dict.fromkeys(staff_ids, shown)
