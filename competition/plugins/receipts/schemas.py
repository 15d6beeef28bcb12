import re
from typing import Any

import colander

from competition.core.schemas import LARGEST_ID, LARGEST_INTEGER, Schema, Type, node
from competition.plugins.receipts.presenters import Receipt
from competition.plugins.sittings.services import answers as sheets

INTEGERS = ("exam", "questions", "answered")
TEXTS = tuple(name for name in Receipt.__annotations__ if name not in INTEGERS)
LONGEST_TEXT = 200


class SentReceipt(Type):
    """A receipt as it came: what was signed has to stay what it is, a field too many as well."""

    integer = {"type": "integer", "minimum": 0, "maximum": LARGEST_INTEGER}  # noqa: RUF012
    text = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}  # noqa: RUF012
    schema = {  # noqa: RUF012  # a constant
        "title": "SentReceipt",
        "type": "object",
        "properties": {**dict.fromkeys(INTEGERS, integer), **dict.fromkeys(TEXTS, text)},
        "required": [*INTEGERS, *TEXTS],
    }

    def read(self, node: colander.SchemaNode, value: Any) -> dict[str, str | int]:
        if not isinstance(value, dict) or not value.keys() >= {*INTEGERS, *TEXTS}:
            names = ", ".join(Receipt.__annotations__)
            raise colander.Invalid(node, f"A receipt is an object with: {names}.")
        for name, found in value.items():
            if name in INTEGERS and not _is_integer(found):
                raise colander.Invalid(node, f"This has to be a number from 0 on: {name}.")
            if name in TEXTS and not _is_text(found):
                raise colander.Invalid(node, f"This has to be a short text without blanks: {name}.")
            if not _is_text(name) or not (_is_text(found) or _is_integer(found)):
                raise colander.Invalid(node, "A receipt has short texts and integers.")
        return value


def _is_integer(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_INTEGER


def _is_text(value: Any) -> bool:
    """Of visible characters of ASCII, which all texts of a receipt have."""
    return isinstance(value, str) and re.fullmatch(f"[!-~]{{1,{LONGEST_TEXT}}}", value) is not None


class SentAnswers(Type):
    schema = sheets.LIST

    def read(self, node: colander.SchemaNode, value: Any) -> list[tuple[int, str]]:
        answers = sheets.read(value)
        if any(question > LARGEST_ID for question, _ in answers):
            raise colander.Invalid(node, "There is no question of such an id.")
        return answers


class Verification(Schema):
    # Room for a receipt and the answers to the longest paper.
    largest = 64 * 1024

    receipt = node(SentReceipt())
    answers = node(SentAnswers(), missing=None, description="As they were submitted, in any order.")
