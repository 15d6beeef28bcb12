"""A candidate's answers: as they are sent, and as they are stored, a character a question in the
order of the paper."""

import re
from collections.abc import Sequence
from typing import Any

from competition.core.errors import Invalid
from competition.plugins.exams.models import LONGEST_PAPER, Paper
from competition.plugins.questions.models import OPTIONS
from competition.plugins.sittings.models import UNANSWERED

# What `read` takes, as JSON Schema says it.
LIST: dict[str, Any] = {
    "type": "array",
    "maxItems": LONGEST_PAPER,
    "items": {
        "title": "GivenAnswer",
        "type": "object",
        "properties": {
            "question": {"type": "integer", "minimum": 1, "description": "The question's id."},
            "selected_option": {
                "description": 'In any case; blank (`""` or null) when unanswered.',
                "type": ["string", "null"],
                "enum": [*OPTIONS, "", None],
                # In most languages a blank is no name.
                "x-enum-varnames": [*OPTIONS, "BLANK"],
            },
        },
        "required": ["question"],
    },
}


def read(sent: Any) -> list[tuple[int, str]]:
    """``[{question, selected_option}]`` as pairs, the option ``""`` when blank. Raises Invalid.

    By hand, since this is what thousands send in the same minute: 40 answers take 10 µs here and
    90 µs as a Colander sequence.
    """
    if not isinstance(sent, list):
        raise Invalid.field("answers", "This field has to be a list of answers.")
    if len(sent) > LONGEST_PAPER:
        raise Invalid.field("answers", f"At most {LONGEST_PAPER} answers are accepted.")
    answers = []
    errors = {}
    for index, item in enumerate(sent):
        try:
            answers.append(_answer(item))
        except _Refused as refused:
            errors[str(index)] = refused.messages
    if errors:
        raise Invalid("Some answers are not valid.", errors={"answers": errors})
    return answers


class _Refused(Exception):
    def __init__(self, field: str, message: str) -> None:
        self.messages = {field: [message]}


def _answer(item: Any) -> tuple[int, str]:
    if not isinstance(item, dict):
        raise _Refused("question", "An answer has to be an object.")
    question, option = item.get("question"), item.get("selected_option")
    if isinstance(question, str) and re.fullmatch("[0-9]{1,18}", question):
        question = int(question)
    if type(question) is not int or question < 1:
        raise _Refused("question", "This field has to be the id of a question.")
    if option is None:
        return question, ""
    letter = option.strip().upper() if isinstance(option, str) else "?"
    if letter and letter not in OPTIONS:
        raise _Refused("selected_option", "This has to be one of: A, B, C, D, or blank.")
    return question, letter


def pack(paper: Paper, answers: Sequence[tuple[int, str]], *, omitted: str = UNANSWERED) -> str:
    """`answers` are pairs of a question's id and its option, ``""`` when blank; `omitted` stands
    for what is left out. Raises Invalid for a question that is not in the paper or comes twice."""
    row = [omitted] * len(paper.answer_key)
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
