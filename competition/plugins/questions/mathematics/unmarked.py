r"""Find formulas that an author has typed without the delimiters ``\(`` and ``\)``.

A text may look like a formula without being one: a price has a dollar sign, and a name an
underscore. So the text is never changed. Only the author gets a warning.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from html.entities import codepoint2name, html5

from competition.plugins.questions.mathematics import segments
from competition.plugins.questions.mathematics.segments import Formula, Plain

_GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
# Entities of HTML for the signs of mathematics and for Greek letters, by their names and numbers.
# Others, such as &eacute; and &nbsp;, are also common outside of formulas.
_SIGNS = {
    chr(code)
    for code, name in codepoint2name.items()
    if unicodedata.category(chr(code)) in ("Sm", "No")
    or unicodedata.name(chr(code)).startswith("GREEK")
    or name in ("deg", "middot", "prime", "Prime")
}
_ENTITY = "&(?:{});".format(
    "|".join(
        (
            *(name[:-1] for name, sign in html5.items() if sign in _SIGNS and name[-1] == ";"),
            *(f"#0*{ord(sign)}|#[xX]0*(?i:{ord(sign):x})" for sign in sorted(_SIGNS)),
        )
    )
)
# What stands for a formula with delimiters, and for an image, while a text is searched. No text has
# these control characters.
_FORMULA, _IMAGE = "\x00\x01"
# A letter that may be a part of a word. Scripts that are written without spaces have no letters in
# this sense: Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean.
_LETTER = r"[^\W\d_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]"
# Letters of formulas.
_NAMES = "[A-Za-z\u0391-\u03a9\u03b1-\u03c9]"
# Functions and large operators, whose index has more than one letter or is a number.
_FUNCTION = rf"(?<!{_LETTER})(?<!_)(?:log|lim|max|min|sup|inf|sum|prod|int)(?=_[\d{{])"
# One part of a formula.
_PART = "|".join(
    (
        r"<su(?:p|b)>[^<]*</su(?:p|b)>",
        r"\\\{[^{}\n]*\\\}|\\[A-Za-z]+\*?|\\[,;:! %$]",
        _GROUP,
        _ENTITY,
        r"\d+(?:[.,]\d+)*",
        _FUNCTION,
        # A single letter; or a product of letters, before an exponent or after a sign.
        rf"(?<!{_LETTER}){_LETTER}(?!{_LETTER})|(?<!{_LETTER}){_NAMES}{{2,4}}(?=[ \t]*\^)",
        rf"(?:(?<=[\d)+\-−*/=])|(?<=\\[,;])){_NAMES}{{2,3}}(?!{_LETTER})",
        # Points, such as those of a line or a triangle, in brackets that have an index.
        r"(?<=\()[A-Z]{2,4}(?=\)[ \t]*[\^_])|(?<=[A-Z]\))_(?=[^\W_]|\{)",
        # A formula with delimiters beside an exponent or index.
        rf"{_FORMULA}(?=[ \t]*\^|_(?:[^\W_]|\{{))|(?<=[\^_]){_FORMULA}|(?<={_FORMULA})_",
        # An underscore after a letter or digit. Any other underscore is a gap to fill in.
        r"(?<=[^\W_])_|[()\[\]^+\-−*/=<>|!'±×·÷≤≥≠√°∠]",
    )
)
_RUN = re.compile(rf"(?:{_PART})(?:[ \t]*(?:{_PART}))*")
# What makes a run of parts a formula. Without it, a run may be a date, a range, or a product in
# plain text, which needs no formula.
_SIGN = re.compile(
    rf"\\[A-Za-z,;{{%$]|\d\{{,\}}\d|[\w)\]}}'|][ \t]*\^[ \t]*[\w({{+\-−\\]"
    rf"|[^\W_]_(?:[^\W_]|{_GROUP})|\)_|{_FORMULA}|<su(?:p|b)>|{_ENTITY}"
)
# As in Pandoc, there is no space inside the dollar signs, and no digit after them: "$5 or $6" are
# prices. So are dollar signs around words, unless the words are part of TeX, and before the name of
# a currency.
_DOLLARS = re.compile(
    r"\$\$(?P<display>[^$\0]+)\$\$"
    r"|(?<![\w$\\])\$(?P<inline>[^\s$\0](?:(?:[^$\n\0]|\n(?![ \t]*\n))*[^\s$\0])?)"
    r"\$(?![\d$]|[A-Z]{3})"
)
# Three letters of a word. Capitals alone are points, such as those of a triangle.
_WORDS = re.compile(r"(?=[A-Z]*[^\W\d_A-Z])[^\W\d_]{3}|[A-Z]{7}")
# What a formula that goes on in the next line has.
_IN_LINES = re.compile(r"[\\^_=+<>]")
_SCRIPT = re.compile(r"<su(?P<kind>p|b)>(?P<inside>[^<]*)</su(?:p|b)>")
# An exponent in brackets, or a number. It gets braces if it is longer than one character, because
# TeX raises only the first character without them.
_RAISED = re.compile(r"\^[ \t]*(?:\((?P<inside>[^()]*)\)|(?P<number>[+\-−]?\d+(?:[.,]\d+)*))")
# The name of a function without its backslash.
_BARE = re.compile(rf"(?<!\\){_FUNCTION}")
# A word of one letter before the formula.
_WORD = re.compile(r"[aAIyà]\s+(?=[^\W_])")


@dataclass(frozen=True)
class Unmarked:
    """`source` is the part of the text as it was typed, and `formula` the formula that was probably
    meant."""

    source: str
    formula: Formula


def find(text: str) -> Iterator[Unmarked]:
    """The formulas in a text that have no delimiters. Stops where `segments.readable` stops."""
    plain = ""
    marked: list[Formula] = []
    for segment in segments.readable(text):
        if isinstance(segment, Plain):
            plain += segment.text
        elif isinstance(segment, Formula):
            plain += _FORMULA
            marked.append(segment)
        else:
            plain += _IMAGE
    at = 0
    for found in _DOLLARS.finditer(plain):
        tex = found["display"] or found["inline"]
        is_prose = "\\" not in tex and _WORDS.search(tex)
        if is_prose or (found["inline"] and "\n" in tex and not _IN_LINES.search(tex)):
            continue
        yield from _runs(plain, at, found.start(), marked)
        yield Unmarked(found[0], Formula(tex.strip(), found["display"] is not None, 1))
        at = found.end()
    yield from _runs(plain, at, len(plain), marked)


def _runs(text: str, begin: int, end: int, marked: list[Formula]) -> Iterator[Unmarked]:
    """The formulas between two positions of a text. `marked` are the formulas with delimiters."""
    for run in _RUN.finditer(text, begin, end):
        if _SIGN.search(run[0]) is None:
            continue
        source = _trimmed(run[0])
        tex = _RAISED.sub(_raised, _SCRIPT.sub(_script, source))
        tex = _BARE.sub(r"\\\g<0>", tex)
        tex = re.sub(rf"(?<=[\^_]){_FORMULA}", f"{{{_FORMULA}}}", tex)
        first = text.count(_FORMULA, 0, run.start())
        for formula in marked[first : first + run[0].count(_FORMULA)]:
            source = source.replace(_FORMULA, formula.source, 1)
            tex = tex.replace(_FORMULA, formula.tex.strip(), 1)
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
