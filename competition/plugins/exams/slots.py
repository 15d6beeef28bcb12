"""Fill a slot of the staff dashboard with the current and the next exams."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.dashboards.presenters import STAFF_DASHBOARD
from competition.plugins.exams.presenters.exams import (
    CurrentExam,
    UpcomingExam,
    current_exam,
    upcoming_exam,
)
from competition.plugins.exams.services import planning


@fill_slot(STAFF_DASHBOARD, "upcoming_exams")
def upcoming(work: Work, staff_ids: Collection[UUID]) -> dict[UUID, list[UpcomingExam]]:
    """The next exams. They are the same for all staff."""
    shown = [upcoming_exam(exam) for exam in planning.next_exams(work)]
    return dict.fromkeys(staff_ids, shown)


@fill_slot(STAFF_DASHBOARD, "current_exams")
def current(work: Work, staff_ids: Collection[UUID]) -> dict[UUID, list[CurrentExam]]:
    """The exams to watch now. They are the same for all staff."""
    shown = [current_exam(exam, work.now) for exam in planning.current_exams(work)]
    return dict.fromkeys(staff_ids, shown)
