r"""Find formulas that an author has typed without the delimiters ``\(`` and ``\)``.

A text may look like a formula without being one: a price has a dollar sign, and a name an
underscore. So the text is never changed. Only the author gets a warning.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from html.entities import codepoint2name

from competition.plugins.questions.mathematics import segments
from competition.plugins.questions.mathematics.segments import Formula, Plain, Unreadable

_GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
# Entities of HTML for the signs of mathematics and for Greek letters, by their names and numbers.
# Others, such as &eacute; and &nbsp;, are also common outside of formulas.
_ENTITY = "&(?:{});".format(
    "|".join(
        f"{name}|#0*{code}|#[xX]0*{code:x}"
        for code, name in codepoint2name.items()
        if unicodedata.category(chr(code)) in ("Sm", "No")
        or unicodedata.name(chr(code)).startswith("GREEK")
        or name in ("deg", "middot", "prime", "Prime")
    )
)
# One part of a formula.
_PART = "|".join(
    (
        r"<su(?:p|b)>[^<]*</su(?:p|b)>",
        r"\\[A-Za-z]+\*?|\\[,;:! ]",
        _GROUP,
        _ENTITY,
        r"\d+(?:[.,]\d+)*",
        # A single letter; or a product of letters, before an exponent or after a sign.
        r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])|(?<![^\W\d_])[A-Za-z]{2,3}(?=[ \t]*\^)",
        r"(?<=[\d)+\-−*/=])[A-Za-z]{2,3}(?![^\W\d_])",
        # An underscore after a letter or digit. Any other underscore is a gap to fill in.
        r"(?<=[^\W_])_|[()\[\]^+\-−*/=<>|!'±×·÷≤≥≠√°∠]",
    )
)
_RUN = re.compile(rf"(?:{_PART})(?:[ \t]*(?:{_PART}))*")
# What makes a run of parts a formula. Without it, a run may be a date, a range, or a product in
# plain text, which needs no formula.
_SIGN = re.compile(
    rf"\\[A-Za-z]|[\w)\]}}'|][ \t]*\^[ \t]*[\w({{+\-−\\]|[^\W_]_(?:[^\W_]|{_GROUP})|<su(?:p|b)>"
    rf"|{_ENTITY}"
)
# As in Pandoc, there is no space inside the dollar signs, and no digit after them: "$5 or $6" are
# prices. So are dollar signs around words, unless the words are part of TeX.
_DOLLARS = re.compile(
    r"\$\$(?P<display>[^$]+)\$\$|(?<![\w$])\$(?P<inline>[^\s$](?:[^$\n]*[^\s$])?)\$(?![\d$])"
)
_WORDS = re.compile(r"[^\W\d_]{3}")
_SCRIPT = re.compile(r"<su(?P<kind>p|b)>(?P<inside>[^<]*)</su(?:p|b)>")
# An exponent in brackets, or a number. It gets braces if it is longer than one character, because
# TeX raises only the first character without them.
_RAISED = re.compile(r"\^[ \t]*(?:\((?P<inside>[^()]*)\)|(?P<number>[+\-−]?\d+(?:[.,]\d+)*))")
# A word of one letter before the formula.
_WORD = re.compile(r"[aAIyà]\s+(?=[^\W_])")


@dataclass(frozen=True)
class Unmarked:
    """`source` is the part of the text as it was typed, and `formula` the formula that was probably
    meant."""

    source: str
    formula: Formula


def find(text: str) -> Iterator[Unmarked]:
    """The formulas in a text that have no delimiters. Stops at a mistake after which
    `segments.split` can't continue."""
    try:
        for segment in segments.split(text):
            if isinstance(segment, Plain):
                yield from _in_plain(segment.text)
    except Unreadable:
        return


def _in_plain(text: str) -> Iterator[Unmarked]:
    at = 0
    for found in _DOLLARS.finditer(text):
        tex = found["display"] or found["inline"]
        if "\\" not in tex and _WORDS.search(tex):
            continue
        yield from _runs(text[at : found.start()])
        yield Unmarked(found[0], Formula(tex.strip(), found["display"] is not None, 1))
        at = found.end()
    yield from _runs(text[at:])


def _runs(text: str) -> Iterator[Unmarked]:
    for run in _RUN.finditer(text):
        if _SIGN.search(run[0]) is None:
            continue
        source = _trimmed(run[0])
        tex = _RAISED.sub(_raised, _SCRIPT.sub(_script, source))
        yield Unmarked(source, Formula(unescape(tex), False, 1))


def _trimmed(run: str) -> str:
    """The part of a text that looks like a formula, without the words, spaces, signs and unpaired
    brackets at its ends that belong to the sentence around it."""
    if word := _WORD.match(run):
        run = run[word.end() :]
    run = run.lstrip("!'/*=>)] ").rstrip("!'/*=+-−< ")
    while run.endswith(")") and run.count(")") > run.count("("):
        run = run[:-1]
    while run.startswith("(") and run.count("(") > run.count(")"):
        run = run[1:]
    return run


def _script(found: re.Match[str]) -> str:
    return f"{'^' if found['kind'] == 'p' else '_'}{{{found['inside']}}}"


def _raised(found: re.Match[str]) -> str:
    inside = found["number"] if found["inside"] is None else found["inside"]
    return f"^{inside}" if len(inside) == 1 else f"^{{{inside}}}"
