"""Copy an exam, so that its questions can be used in another exam."""

from collections.abc import Mapping
from typing import Any

from competition.core import audit, repeats
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers, planning, questions, rows
from competition.plugins.questions.services import locked_in_bank

COPY = "exam.copy"
# The fields that are copied from the original, unless the request sets them. `is_active` is not
# copied: the copy of an exam that was switched off is active.
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


def original(work: Work, exam_id: int, idempotency_key: str | None) -> Exam:
    """Guard of an endpoint: return the exam to copy. The `idempotency_key`, a header of the
    request, is not used here. Raises NotFound if there is no such exam."""
    return rows.get(work, exam_id)


def copy(
    work: Work, exam: Exam, changes: Mapping[str, Any], idempotency_key: str | None = None
) -> tuple[Exam, list[int], list[int]]:
    """Create a copy of an exam with these changes. A repeated request with the same idempotency key
    returns the copy of the first request.

    Returns the copy, the ids of its questions, and the ids of the original's questions that the
    copy does not have because they are archived. Raises Invalid if the date is too far in the
    future, IdempotencyKeyReused if the key was used for another copy, and NotFound if the copy of
    the first request was deleted.
    """
    act = f"{COPY} {exam.id}"
    made = repeats.once(work, act, idempotency_key, changes, lambda: _copy(work, exam, changes))
    copied = rows.get(work, made["id"])
    paper = papers.frozen(work, copied.id)
    return copied, questions.in_order(work, copied.id, paper), made["left_out"]


def _copy(work: Work, exam: Exam, changes: Mapping[str, Any]) -> dict[str, Any]:
    paper = papers.frozen(work, exam.id)
    asked = questions.of_draft(work, exam.id) if paper is None else [*paper.positions]
    in_bank = locked_in_bank(work, asked)
    fields = {
        **{name: getattr(exam, name) for name in COPIED},
        **changes,
        "is_active": True,
        "questions": [each for each in asked if each in in_bank],
    }
    copied, *_ = planning.create(work, fields)
    audit.record(work, COPY, subject=f"exam {copied.id}", old={"exam": exam.id})
    return {"id": copied.id, "left_out": [each for each in asked if each not in in_bank]}
