"""Narrow the export of questions to an exam."""

from dataclasses import replace

from sqlalchemy import ARRAY, Integer, any_, func, literal

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import Invalid, NotFound
from competition.core.exports import Table
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.exams.services import papers, rows
from competition.plugins.exams.services.questions import in_order
from competition.plugins.questions.models import QUESTIONS


def of_exam(work: Work, table: Table, exam_id: int) -> Table:
    """Narrow the table of questions to those of an exam, in the order of its paper.

    Raises an error of access, such as PermissionDenied, for callers below admin, who can't read
    exams, and Invalid if there is no such exam.
    """
    refusal = staff(StaffRole.ADMIN).refusal(work.identity)
    if refusal is not None:
        raise refusal
    try:
        rows.get(work, exam_id)
    except NotFound:
        raise Invalid.field(
            "exam", Message("There is no exam with this id. Check the id.")
        ) from None
    asked = literal(in_order(work, exam_id, papers.frozen(work, exam_id)), ARRAY(Integer))
    return replace(
        table,
        rows=table.rows.where(QUESTIONS.c.id == any_(asked)),
        order=[func.array_position(asked, QUESTIONS.c.id)],
        subject=f"exam {exam_id}",
    )
