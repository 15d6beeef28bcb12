"""Copy an exam, so that its questions can be used in another exam."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from competition.core import audit
from competition.core.work import Work
from competition.plugins.exams.models import Exam, ExamQuestion
from competition.plugins.exams.services import papers, planning
from competition.plugins.questions.services import locked_in_bank

# The fields that a copy has from the original. The rules of scoring and showing are among them;
# whether the original was switched off is not.
COPIED = (
    "title",
    "stage",
    "round",
    "description",
    "countdown_minutes",
    "open_duration_hours",
    "ranking",
    "scores_visible",
)


def copy(work: Work, exam: Exam, changes: Mapping[str, Any]) -> tuple[Exam, list[int], list[int]]:
    """Create a copy of an exam with these changes.

    Returns the copy, the ids of its questions, and those of the original's questions that it does
    not have, because they are archived. Raises Invalid if the date is too far in the future.
    """
    asked = _questions(work, exam.id)
    in_bank = locked_in_bank(work, asked)
    fields = {
        **{name: getattr(exam, name) for name in COPIED},
        **changes,
        "is_active": True,
        "questions": [each for each in asked if each in in_bank],
    }
    copied, question_ids, _ = planning.create(work, fields)
    audit.record(work, "exam.copy", subject=f"exam {copied.id}", old={"exam": exam.id})
    return copied, question_ids, [each for each in asked if each not in in_bank]


def _questions(work: Work, exam_id: int) -> list[int]:
    """The ids of the exam's questions in their order, archived ones included."""
    paper = papers.frozen(work, exam_id)
    if paper is not None:
        return list(paper.positions)
    return list(
        work.db.scalars(
            select(ExamQuestion.question_id)
            .where(ExamQuestion.exam_id == exam_id)
            .order_by(ExamQuestion.position)
        )
    )
