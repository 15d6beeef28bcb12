"""Convert a question of another system into a line of an import."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from competition.core.imports import LINE, Line
from competition.core.messages import Message
from competition.plugins.questions.mathematics.rendering import OPTION_FIELDS
from competition.plugins.questions.models import OPTIONS
from competition.plugins.questions.services.importing.markup import Text

# The names of the types of questions that other systems have, for the message.
TYPES: dict[str, Message] = {
    "truefalse": Message("true or false"),
    "numerical": Message("number"),
    "shortanswer": Message("short answer"),
    "essay": Message("essay"),
    "matching": Message("matching"),
    "description": Message("description"),
    "multianswer": Message("gaps to fill in"),
}


@dataclass
class Choice:
    """An option of a question. `share` is the percentage of the points that it is worth."""

    text: Text
    share: float


@dataclass
class Found:
    """A question in a file. `type` is its type, if it is not multiple choice."""

    number: int
    text: Text
    choices: Sequence[Choice] = ()
    type: str = ""
    # The contents of its images, by name.
    pictures: Mapping[str, bytes] = field(default_factory=dict)


def line(found: Found) -> Line:
    """The line of a question. Only multiple choice with four options, exactly one of them right, is
    valid. The lines of all other questions have errors."""
    errors: dict[str, list[str]] = {}
    cells = {"text": found.text.text}
    if found.type:
        errors[LINE] = [
            Message(
                "This question has the type ${type}. Only multiple choice can be imported.",
                type=TYPES.get(found.type, found.type),
            )
        ]
        return Line(found.number, _present(cells), errors=errors)
    right = [place for place, each in enumerate(found.choices) if each.share == 100]
    if len(found.choices) != len(OPTION_FIELDS):
        errors[LINE] = [
            Message("This question has ${count} options. It needs four.", count=len(found.choices))
        ]
    elif len(right) != 1 or any(0 < each.share < 100 for each in found.choices):
        errors[LINE] = [Message("This question needs exactly one right option.")]
    else:
        cells["correct_answer"] = OPTIONS[right[0]]
    texts = {"text": found.text}
    for name, each in zip(OPTION_FIELDS, found.choices, strict=False):
        cells[name] = each.text.text
        texts[name] = each.text
    alts: dict[str, str] = {}
    for name, text in texts.items():
        if text.errors:
            errors[name] = [*text.errors]
        for picture in text.pictures:
            if picture not in found.pictures:
                errors.setdefault(name, []).append(
                    Message(
                        "The image ${source} is not in the file. Export the questions with their"
                        " images.",
                        source=picture,
                    )
                )
        alts |= text.pictures
    return Line(
        found.number,
        _present(cells),
        errors=errors,
        warnings=[
            Message(
                "The image ${name} has no alternative text, so it gets its name. Please describe it"
                " for candidates who don't see it.",
                name=name,
            )
            for name, alt in alts.items()
            if not alt
        ],
        pictures={name: found.pictures[name] for name in alts if name in found.pictures},
        alts={name: alt or name for name, alt in alts.items()},
    )


def _present(cells: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in cells.items() if text}
