"""A candidate's answers as they are stored: a character a question, in the order of the paper."""

from collections.abc import Sequence

from competition.core.errors import Invalid
from competition.plugins.exams.models import Paper
from competition.plugins.sittings.models import UNANSWERED


def pack(paper: Paper, answers: Sequence[tuple[int, str]]) -> str:
    """`answers` are pairs of a question's id and its option, ``""`` when blank; what is left out is
    unanswered. Raises Invalid for a question that is not in the paper or comes twice."""
    row = [UNANSWERED] * len(paper.answer_key)
    seen: set[int] = set()
    errors = {}
    for index, (question_id, option) in enumerate(answers):
        position = paper.positions.get(question_id)
        if position is None:
            errors[str(index)] = {"question": ["This question is not in the paper."]}
        elif question_id in seen:
            errors[str(index)] = {"question": ["This question has been answered before."]}
        else:
            seen.add(question_id)
            row[position] = option or UNANSWERED
    if errors:
        raise Invalid("Some answers don't fit the paper.", errors={"answers": errors})
    return "".join(row)
