"""What a change of a question means for the key of its exam."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from competition.core.errors import Invalid
from competition.core.work import Work
from competition.plugins.exams.services import papers
from competition.plugins.questions.models import OPTIONS
from competition.plugins.scores.services import keys
from competition.plugins.sittings.models import UNANSWERED

Change = Mapping[str, Any]
# What counts as right, by the question: see `scores.models.Correction`.
Corrections = dict[int, str]


def corrections(changes: Iterable[Change]) -> Corrections:
    """What these changes come to, one after the other: the later one of a question counts."""
    return {change["question"]: _accepted(change) for change in changes}


def check(work: Work, exam_id: int, changes: Sequence[Change], corrected: Corrections) -> None:
    """`corrected` is what there would be with them. Raises Invalid for a question that is not in
    the paper or comes twice, and when no question would count any more."""
    paper = papers.frozen(work, exam_id)
    errors = {}
    seen: set[int] = set()
    for index, change in enumerate(changes):
        if paper is None or change["question"] not in paper.positions:
            errors[str(index)] = {"question": ["This question is not in the paper."]}
        elif change["question"] in seen:
            errors[str(index)] = {"question": ["This question is changed before."]}
        seen.add(change["question"])
    if errors or paper is None:
        raise Invalid("Some changes don't fit the paper.", errors={"changes": errors})
    if not any(keys.with_corrections(paper, corrected)):
        raise Invalid.field("changes", "No question would be left that counts.")


def _accepted(change: Change) -> str:
    if change.get("void"):
        return ""
    if change.get("credit_all"):
        return "".join(OPTIONS) + UNANSWERED
    return "".join(sorted({*change["accept"]}))
