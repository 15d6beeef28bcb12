import re
from typing import Any

import colander

from competition.core.messages import Message
from competition.core.schemas import LARGEST_ID, LARGEST_INTEGER, Schema, Type, node
from competition.plugins.receipts.presenters import Receipt
from competition.plugins.sittings.services import answers as sheets

INTEGERS = ("exam", "questions", "answered")
STRINGS = tuple(name for name in Receipt.__annotations__ if name not in INTEGERS)
LONGEST_STRING = 200


class SentReceipt(Type):
    """A receipt in a request. Its fields are checked but not changed, and unknown fields stay,
    because the signature covers all fields."""

    integer = {"type": "integer", "minimum": 0, "maximum": LARGEST_INTEGER}  # noqa: RUF012
    text = {"type": "string", "minLength": 1, "maxLength": LONGEST_STRING}  # noqa: RUF012
    schema = {  # noqa: RUF012  # a constant
        "title": "SentReceipt",
        "type": "object",
        "properties": {**dict.fromkeys(INTEGERS, integer), **dict.fromkeys(STRINGS, text)},
        "required": [*INTEGERS, *STRINGS],
    }

    def read(self, node: colander.SchemaNode, value: Any) -> dict[str, str | int]:
        if not isinstance(value, dict) or not value.keys() >= {*INTEGERS, *STRINGS}:
            raise colander.Invalid(
                node,
                Message(
                    "A receipt has to be an object with the fields ${names}.",
                    names=[*Receipt.__annotations__],
                ),
            )
        for name, found in value.items():
            if name in INTEGERS and not _is_integer(found):
                raise colander.Invalid(
                    node, Message("${name} has to be an integer, 0 or larger.", name=name)
                )
            if name in STRINGS and not _is_string(found):
                raise colander.Invalid(
                    node,
                    Message(
                        "${name} has to be a string of 1 to ${max} characters without spaces.",
                        name=name,
                        max=LONGEST_STRING,
                    ),
                )
            if not _is_string(name) or not (_is_string(found) or _is_integer(found)):
                raise colander.Invalid(
                    node,
                    Message(
                        "All fields have to be integers, or strings of 1 to ${max} characters.",
                        max=LONGEST_STRING,
                    ),
                )
        return value


def _is_integer(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_INTEGER


def _is_string(value: Any) -> bool:
    """Whether the value is a short string of visible ASCII characters."""
    return (
        isinstance(value, str) and re.fullmatch(f"[!-~]{{1,{LONGEST_STRING}}}", value) is not None
    )


class SentAnswers(Type):
    schema = sheets.LIST

    def read(self, node: colander.SchemaNode, value: Any) -> list[tuple[int, str]]:
        answers = sheets.read(value)
        if any(question > LARGEST_ID for question, _ in answers):
            raise colander.Invalid(
                node,
                Message("The id of a question is too large. Send the receipt as it was issued."),
            )
        return answers


class Verification(Schema):
    # The size in bytes of the largest body: a receipt, and the answers to the longest paper.
    largest = 64 * 1024

    receipt = node(SentReceipt())
    answers = node(SentAnswers(), missing=None, description="The submitted answers, in any order.")
