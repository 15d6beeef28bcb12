from typing import Any

import colander

from competition.core.messages import Message
from competition.core.schemas import Schema, Type, node
from competition.plugins.sittings.services import answers


class Answers(Type):
    """A list of at least one answer, so that an empty list sent by mistake is not a submission."""

    schema = {**answers.LIST, "minItems": 1}  # noqa: RUF012  # a constant

    def read(self, node: colander.SchemaNode, value: Any) -> list[tuple[int, str]]:
        if value == []:
            raise colander.Invalid(
                node, Message("This field has to be a list with at least one answer.")
            )
        return answers.read(value)


class AnswerSheet(Schema):
    answers = node(Answers())
