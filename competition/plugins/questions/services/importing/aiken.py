"""Read questions in Aiken, a text format of Moodle (https://docs.moodle.org/en/Aiken_format)."""

import re
from collections.abc import Iterator
from typing import IO

from competition.core.imports import LINE, Line, decoded
from competition.core.messages import Message
from competition.plugins.questions.services.importing.choices import Choice, Found, line
from competition.plugins.questions.services.importing.markup import Text, formulas

OPTION = re.compile(r"([A-Za-z])[.)]\s+(.*)")
ANSWER = re.compile(r"ANSWER\s*:\s*([A-Za-z])\s*", re.IGNORECASE)


def read(stream: IO[bytes]) -> Iterator[Line]:
    """The questions of a file. A question ends with the line that names the right answer."""
    number = 0
    text: list[str] = []
    options: list[tuple[str, str]] = []
    for at, source in enumerate(decoded(stream).splitlines(), start=1):
        stripped = source.strip()
        if not stripped:
            continue
        if not text:
            number = at
        answer = ANSWER.fullmatch(stripped)
        option = OPTION.fullmatch(stripped)
        if answer is not None and (text or options):
            yield _line(number, text, options, answer[1].upper())
            text, options = [], []
        elif option is not None and text and option[1].upper() == chr(ord("A") + len(options)):
            options.append((option[1].upper(), option[2]))
        elif options:
            # This line begins the next question, and the question before has no answer.
            yield _unanswered(number, text)
            number, text, options = at, [stripped], []
        else:
            text.append(stripped)
    if text:
        yield _unanswered(number, text)


def _line(number: int, text: list[str], options: list[tuple[str, str]], answer: str) -> Line:
    choices = [
        Choice(Text(formulas(each)), 100.0 if letter == answer else 0.0) for letter, each in options
    ]
    return line(Found(number, Text("\n".join(map(formulas, text))), choices))


def _unanswered(number: int, text: list[str]) -> Line:
    message = Message("This question has no line such as “ANSWER: B” after its options.")
    return Line(number, {"text": "\n".join(text)}, errors={LINE: [message]})
