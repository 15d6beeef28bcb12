import re
from typing import Any, get_args

import colander

from competition.core.errors import Invalid
from competition.core.web.pagination import ListQuery, ordered_by, searched
from competition.core.web.schemas import (
    LARGEST_ID,
    Boolean,
    Choice,
    Date,
    Integer,
    Nullable,
    Number,
    Schema,
    Text,
    Timestamp,
    Type,
    array,
    node,
    partial,
)
from competition.plugins.exams.models import LONGEST_PAPER, STAGES
from competition.plugins.exams.services.planning import ORDERING
from competition.plugins.questions.models import Answer
from competition.plugins.questions.services import ORDERING as QUESTION_ORDERING

OPTIONS = get_args(Answer)
MOST_AT_ONCE = 100
A_YEAR_IN_HOURS = 366 * 24


class NewExam(Schema):
    title = node(Text(1, 255))
    stage = node(Choice(STAGES))
    round = node(Integer(1), missing=1)
    description = node(Text(0, 10_000, lines=True), missing="")
    scheduled_date = node(Nullable(Timestamp()), missing=None)
    countdown_minutes = node(Integer(1, A_YEAR_IN_HOURS * 60), missing=60)
    open_duration_hours = node(Integer(1, A_YEAR_IN_HOURS), missing=12)
    is_active = node(Boolean(), missing=True)
    questions = array(node(Integer(1, LARGEST_ID)), LONGEST_PAPER, missing=())


ExamChanges = partial(NewExam, "ExamChanges")


class WholeExam(ExamChanges):  # type: ignore[misc, valid-type]  # made by a function
    """A PUT: what is left out stays, but for what an exam can't be without."""

    title = node(Text(1, 255))
    stage = node(Choice(STAGES))


class ExamQuestionsQuery(ListQuery):
    ordering = ordered_by(QUESTION_ORDERING)
    search = searched("the text")


class ExamFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    stage = node(Choice(STAGES), missing=None, description="Only of this stage.")
    active = node(Boolean(), missing=None, description="As `is_active` has it.")
    status = node(
        Choice(("draft", "scheduled", "upcoming", "ongoing", "concluded", "cancelled")),
        missing=None,
        description="Only with this status; `upcoming` is another name of `scheduled`.",
    )
    search = searched("the title")
    date_from = node(Date(), missing=None, description="Scheduled on this day or later, in UTC.")
    date_to = node(Date(), missing=None, description="Scheduled on this day or earlier, in UTC.")


class ManualScore(Schema):
    # A malformed id is told as an unknown one is (decisions G24).
    candidate_id = node(Text(0, 100))
    score = node(Number(0, 100))


class Answers(Type):
    """``[{question, selected_option}]`` as a list of pairs, the option ``""`` when blank.

    By hand, since this is what thousands send in the same minute: 40 answers take 10 µs here and
    90 µs as a Colander sequence.
    """

    schema = {  # noqa: RUF012  # a constant
        "type": "array",
        "minItems": 1,
        "maxItems": LONGEST_PAPER,
        "items": {
            "type": "object",
            "properties": {
                "question": {"type": "integer", "minimum": 1},
                "selected_option": {
                    "description": 'In any case; blank (`""` or null) when unanswered.',
                    "enum": [*OPTIONS, "", None],
                },
            },
            "required": ["question"],
        },
    }

    def read(self, node: colander.SchemaNode, value: Any) -> list[tuple[int, str]]:
        if not isinstance(value, list) or not value:
            raise colander.Invalid(node, "This field has to be a list of at least one answer.")
        if len(value) > LONGEST_PAPER:
            raise colander.Invalid(node, f"At most {LONGEST_PAPER} answers are accepted.")
        answers = []
        errors = {}
        for index, item in enumerate(value):
            try:
                answers.append(_answer(item))
            except _Refused as refused:
                errors[str(index)] = refused.messages
        if errors:
            raise Invalid("Some answers are not valid.", errors={node.name: errors})
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
    if type(question) is not int:
        raise _Refused("question", "This field has to be the id of a question.")
    if option is None:
        return question, ""
    letter = option.strip().upper() if isinstance(option, str) else "?"
    if letter and letter not in OPTIONS:
        raise _Refused("selected_option", "This has to be one of: A, B, C, D, or blank.")
    return question, letter


class AnswerSheet(Schema):
    answers = node(Answers())


class LinkChanges(Schema):
    add_to_exams = array(node(Integer(1, LARGEST_ID)), MOST_AT_ONCE, missing=())
    remove_from_exams = array(node(Integer(1, LARGEST_ID)), MOST_AT_ONCE, missing=())


class BulkAddition(Schema):
    question_ids = array(node(Integer(1, LARGEST_ID)), LONGEST_PAPER, shortest=1)
    exam_ids = array(node(Integer(1, LARGEST_ID)), MOST_AT_ONCE, shortest=1)
