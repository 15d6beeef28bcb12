from typing import Any

import colander

from competition.core.schemas import ClosedSchema, Integer, Schema, Text, Type, node
from competition.plugins.sittings.services import answers

# The largest safe integer in JavaScript. Clients may use the time in milliseconds as the sequence.
LARGEST_SEQUENCE = 2**53 - 1


class Changes(Type):
    """A list of answers to some of the questions. It may be empty."""

    schema = answers.LIST

    def read(self, node: colander.SchemaNode, value: Any) -> list[tuple[int, str]]:
        return answers.read(value)


class DraftChanges(Schema):
    sequence = node(
        Integer(1, LARGEST_SEQUENCE),
        description="A number larger than the number of any earlier save, on any device.",
    )
    follows = node(
        Integer(0, LARGEST_SEQUENCE),
        missing=None,
        description="The `sequence` of the draft that the client knew when it made this save: that"
        " of the latest draft that it has read, or of its latest save that was applied. If the"
        " attempt was reopened after that, this save changes nothing. So a save that was made"
        " before the submission, and arrives after the reopening, undoes no submitted answer.",
    )
    answers = node(
        Changes(),
        description="The answers that have changed. An empty list changes nothing, but shows that"
        " the candidate is present.",
    )


class Reopening(ClosedSchema):
    reason = node(Text(1, 500, lines=True))
    extra_minutes = node(Integer(0, 24 * 60), missing=0)
