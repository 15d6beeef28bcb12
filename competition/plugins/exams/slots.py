"""Fill the slot of the staff dashboard with the exams that are open or come next."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.presenters import STAFF_DASHBOARD
from competition.plugins.exams.presenters.exams import NextExams, next_exams
from competition.plugins.exams.services import planning


@fill_slot(STAFF_DASHBOARD)
def coming(work: Work, staff_ids: Collection[UUID]) -> dict[UUID, NextExams]:
    """The exams that are open or come next. They are the same for all staff."""
    shown = next_exams(*planning.coming_exams(work))
    return dict.fromkeys(staff_ids, shown)
