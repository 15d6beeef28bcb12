from typing import Any

import colander

from competition.core.web.schemas import CONTROL, Schema, Type, node
from competition.plugins.receipts.presenters import Receipt
from competition.plugins.sittings.schemas import Answers

FIELDS = Receipt.__required_keys__
INTEGERS = ("exam", "questions", "answered")
# Of each text.
LONGEST = 200


class SentReceipt(Type):
    """A receipt as it came: what was signed has to stay what it is, a field too many as well."""

    schema = {  # noqa: RUF012  # a constant
        "type": "object",
        "properties": {
            name: {"type": "integer"} if name in INTEGERS else {"type": "string"}
            for name in Receipt.__annotations__
        },
        "required": sorted(FIELDS),
    }

    def read(self, node: colander.SchemaNode, value: Any) -> dict[str, str | int]:
        if not isinstance(value, dict) or not value.keys() >= FIELDS:
            raise colander.Invalid(node, f"A receipt has: {', '.join(sorted(FIELDS))}.")
        if len(value) > 2 * len(FIELDS) or not all(map(_is_simple, (*value, *value.values()))):
            raise colander.Invalid(node, "A receipt has short texts and integers.")
        return value


def _is_simple(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST and not CONTROL.search(value)
    return isinstance(value, int)


class Verification(Schema):
    receipt = node(SentReceipt())
    answers = node(Answers(), missing=None, description="As they were submitted, in any order.")
