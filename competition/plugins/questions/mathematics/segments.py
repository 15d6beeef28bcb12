r"""Split the text of a question into plain text, formulas and images.

A formula is TeX, inline between ``\(`` and ``\)`` or on a line of its own between ``\[`` and
``\]``. An image is ``[image:7]``, with the image's id. Everything else is plain text, including
dollar signs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from competition.core.messages import Message, joined, worded

# The beginning or end of a formula, or an image. An id has at most ten digits.
_MARK = re.compile(r"\\[()\[\]]|\[image:([0-9]{1,10})\]")
# Where a formula may end. Inside a formula, ``\\`` is the end of a row and never a part of ``\)``.
_COMMAND = re.compile(r"\\(.)", re.DOTALL)
_ENDS = {"(": ")", "[": "]"}


class Unreadable(Exception):
    """A text can't be rendered. `message` says where and why, for the author of the question."""

    def __init__(self, message: Message) -> None:
        self.message = message
        super().__init__(worded(message))


@dataclass(frozen=True)
class Plain:
    text: str


@dataclass(frozen=True)
class Formula:
    """A formula in TeX, without its delimiters. `number` counts the formulas of the text from 1."""

    tex: str
    is_display: bool
    number: int

    @property
    def source(self) -> str:
        """The formula with its delimiters, as it stands in the text."""
        return rf"\[{self.tex}\]" if self.is_display else rf"\({self.tex}\)"


@dataclass(frozen=True)
class Image:
    """A reference to an image. `start` is its first character in the text, counted from 0."""

    id: int
    start: int
    source: str


Segment = Plain | Formula | Image


def split(text: str) -> Iterator[Segment]:
    r"""The segments of the text, in order. Raises Unreadable if a formula is not closed, or if
    ``\)`` or ``\]`` has no beginning."""
    at = number = 0
    while (mark := _MARK.search(text, at)) is not None:
        if mark.start() > at:
            yield Plain(text[at : mark.start()])
        if mark[1] is not None:
            yield Image(int(mark[1]), mark.start(), mark[0])
            at = mark.end()
            continue
        opening = mark[0][1]
        if opening not in _ENDS:
            raise Unreadable(
                Message(
                    "Character ${character}, ${mark}, ends a formula that has not begun.",
                    character=mark.start() + 1,
                    mark=mark[0],
                )
            )
        number += 1
        end = _end(text, mark, number)
        yield Formula(text[mark.end() : end], opening == "[", number)
        at = end + 2
    if at < len(text):
        yield Plain(text[at:])


def readable(text: str) -> Iterator[Segment]:
    """The segments of the text, up to a mistake after which `split` can't continue."""
    try:
        yield from split(text)
    except Unreadable:
        return


def image_ids(text: str) -> set[int]:
    """The ids of the images that the text shows. Raises the errors of `split`."""
    return {segment.id for segment in split(text) if isinstance(segment, Image)}


def _end(text: str, opening: re.Match[str], number: int) -> int:
    """The index at which the formula's closing delimiter begins. Raises Unreadable if there is
    none."""
    end = _ENDS[opening[0][1]]
    start = opening.start() + 1
    for command in _COMMAND.finditer(text, opening.end()):
        if command[1] == end:
            return command.start()
        if command[1] in "()[]":
            raise Unreadable(
                Message(
                    "Formula ${number}, which begins at character ${character}, is not closed with"
                    " ${end}: there is ${mark} at character ${at}.",
                    number=number,
                    character=start,
                    end=f"\\{end}",
                    mark=command[0],
                    at=command.start() + 1,
                )
            )
    not_closed = Message(
        "Formula ${number}, which begins at character ${character}, is not closed with ${end}.",
        number=number,
        character=start,
        end=f"\\{end}",
    )
    if text[opening.start() - 1 : opening.start()] != "\\":
        raise Unreadable(not_closed)
    once = Message("Write ${mark} with one backslash.", mark=opening[0])
    raise Unreadable(joined([not_closed, once]))
