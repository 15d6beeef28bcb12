"""Turn the changes of a regrade into corrections of the exam's answer key, and check them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.exams.services import papers
from competition.plugins.questions.models import OPTIONS
from competition.plugins.scores.services import keys
from competition.plugins.sittings.models import UNANSWERED

Change = Mapping[str, Any]
# The accepted answers by the id of the question, in the form of `scores.models.Correction`.
Corrections = dict[int, str]
REPEATED = Message(
    "An earlier item already changes this question. Send one item per question.", "repeated"
)


def corrections(changes: Iterable[Change]) -> Corrections:
    """The corrections that these changes make. For each question, the last change counts."""
    return {change["question"]: _accepted(change) for change in changes}


def check(work: Work, exam_id: int, changes: Sequence[Change], corrected: Corrections) -> None:
    """Check that the changes fit the exam's paper. `corrected` are all corrections of the exam,
    including those of `changes`.

    Raises Invalid if a question is not in the paper or is changed twice, or if no question would
    count any longer.
    """
    paper = papers.frozen(work, exam_id)
    errors = {}
    seen: set[int] = set()
    for index, change in enumerate(changes):
        if paper is None or change["question"] not in paper.positions:
            errors[str(index)] = {"question": [papers.NOT_IN_PAPER]}
        elif change["question"] in seen:
            errors[str(index)] = {"question": [REPEATED]}
        seen.add(change["question"])
    if errors or paper is None:
        raise Invalid(
            Message("Some changes don't fit the paper. Correct the changes that `errors` names."),
            errors={"changes": errors},
        )
    if not any(keys.with_corrections(paper, corrected)):
        raise Invalid.field("changes", Message("At least one question has to count."))


def _accepted(change: Change) -> str:
    if change.get("void"):
        return ""
    if change.get("credit_all"):
        return "".join(OPTIONS) + UNANSWERED
    return "".join(sorted({*change["accept"]}))
