import re
from typing import Any

import colander

from competition.core.messages import Message
from competition.core.schemas import LARGEST_ID, Choice, Schema, Type, node

# The most questions that a request may name: as many as a page of the question bank can have.
MOST_QUESTIONS = 100
IDS = re.compile("[0-9]{1,10}(,[0-9]{1,10})*")


class Ids(Type):
    """Ids in a query string, separated by commas."""

    schema = {"type": "string", "pattern": f"^{IDS.pattern}$"}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> list[int]:
        if not IDS.fullmatch(str(value)):
            raise colander.Invalid(node, Message("This field must have ids, separated by commas."))
        ids = {int(each) for each in str(value).split(",")}
        if len(ids) > MOST_QUESTIONS:
            raise colander.Invalid(
                node, Message("At most ${max} questions are allowed.", max=MOST_QUESTIONS)
            )
        # No question has a larger id than LARGEST_ID, and PostgreSQL would reject such an id.
        return sorted(each for each in ids if each <= LARGEST_ID)


class AnsweredQuery(Schema):
    question_ids = node(
        Ids(),
        missing=(),
        description=f"The ids of at most {MOST_QUESTIONS} questions, separated by commas.",
    )


class AnalysisQuery(Schema):
    format = node(
        Choice(["json", "csv", "svg"]),
        missing="json",
        description="`csv` returns a table, `svg` a picture.",
    )
