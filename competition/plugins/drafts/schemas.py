from typing import Any

import colander

from competition.core.schemas import Integer, Schema, Type, node
from competition.plugins.sittings.services import answers

# Of JavaScript, whose clients may count in milliseconds.
LARGEST_SEQUENCE = 2**53 - 1


class Changes(Type):
    """Answers to any of the questions, and maybe to none."""

    schema = answers.LIST

    def read(self, node: colander.SchemaNode, value: Any) -> list[tuple[int, str]]:
        return answers.read(value)


class DraftChanges(Schema):
    sequence = node(
        Integer(1, LARGEST_SEQUENCE),
        description="Larger than that of the save before, of whichever device.",
    )
    answers = node(
        Changes(),
        description="Of the questions that have changed. None is a sign of life.",
    )
