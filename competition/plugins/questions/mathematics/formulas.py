r"""Convert formulas from TeX into MathML.

math-core parses the TeX. It also accepts definitions of commands, colours and styles. So a strict
parser reads its output again, and the formula is rebuilt from the fixed list of `elements`. A
formula whose output has anything else is rejected: leaving a part out would change its meaning.
"""

import re
import unicodedata
from html import escape
from html.entities import html5
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from math_core import LatexError, LatexToMathML

from competition.core.messages import Message
from competition.plugins.questions.mathematics import mistakes, typed
from competition.plugins.questions.mathematics.elements import MATHML
from competition.plugins.questions.mathematics.segments import Formula, Unreadable

LONGEST = 1_000
DEEPEST = 20
# How many characters of a formula an error message shows.
_SHOWN = 60

_TOO_DEEP = Message("A formula has at most ${max} levels. Write it in a simpler way.", max=DEEPEST)
_UNSUPPORTED = Message("This formula is not supported. Write it in another way.")

# Macros for commands of TeX that math-core lacks.
_MACROS = {
    "substack": r"\begin{subarray}{c}#1\end{subarray}",
    **{name: rf"\begin{{{name}}}#1\end{{{name}}}" for name in ("cases", "matrix", "pmatrix")},
    **dict.fromkeys(("mbox", "hbox", "textrm", "textnormal", "textup"), r"\text{#1}"),
    **dict.fromkeys(("sfrac", "nicefrac"), r"\tfrac{#1}{#2}"),
    **dict.fromkeys(("overarc", "wideparen", "arc"), r"\overset{\frown}{#1}"),
    **dict.fromkeys(("vv", "vect"), r"\overrightarrow{#1}"),
    **{"widetilde": r"\tilde{#1}", "ang": r"{#1}^\circ", "celsius": r"{}^\circ\mathrm{C}"},
    **{"abs": r"\left|#1\right|", "norm": r"\left\|#1\right\|"},
    **{name: rf"\left\l{name}#1\right\r{name}" for name in ("floor", "ceil")},
    **{name: rf"\operatorname{{{name}}}" for name in ("pgcd", "ppcm", "PGCD", "PPCM")},
    **{name: rf"\operatorname{{{name}}}" for name in ("lcm", "sgn", "cotan", "arccot")},
    **{"Q": r"\mathbb{Q}", "C": r"\mathbb{C}"},
    **dict.fromkeys(("mathds", "mathbbm"), r"\mathbb{#1}"),
    **dict.fromkeys(("dotsc", "dotso"), r"\ldots"),
    **dict.fromkeys(("dotsb", "dotsm", "dotsi"), r"\cdots"),
    **{"euro": "€", "permil": "‰"},
}
# Commands of plain TeX whose argument may contain \\ to separate rows.
_WITH_ROWS = re.compile(r"\\(substack|cases|p?matrix)(?![A-Za-z])")
_CONVERTER = LatexToMathML(fancy_error=False, macros=_MACROS)
_TOKEN = re.compile(r"\\([A-Za-z]+|.|$)|[{}%]", re.DOTALL)
_DEFINITIONS = re.compile(
    r"(new|renew|provide)(command|environment)|DeclareMathOperator|DeclareRobustCommand"
    r"|[gex]?def|let|futurelet|global"
)
# Commands for the style of words.
_STYLES_OF_WORDS = frozenset(("textbf", "textit", "texttt", "textsc", "textsf", "emph"))
_UNITS = frozenset(("num", "SI", "si", "qty", "unit"))
# Commands for a style that rendered questions can't have, for equation numbers or for units.
_REFUSED = frozenset(
    (
        *("color", "textcolor", "colorbox", "fcolorbox", "definecolor", "pagecolor"),
        *("hspace", "hskip", "kern", "mkern", "mskip", "mspace", "raisebox", "hline", "hdashline"),
        *("boxed", "fbox", "cancel", "bcancel", "xcancel", "sout", "uline", "phase"),
        *("textsuperscript", "textsubscript", *_STYLES_OF_WORDS, *_UNITS),
        *("label", "ref", "eqref", "tag", "notag", "nonumber"),
    )
)
# For some of the commands that can't be used, the command to write instead.
_INSTEAD = {
    **{"textbf": r"\mathbf", "textit": r"\mathit", "texttt": r"\mathtt", "textsf": r"\mathsf"},
    **dict.fromkeys(("textsc", "emph"), r"\text"),
    **{"textsuperscript": "^{…}", "textsubscript": "_{…}"},
    **dict.fromkeys(("hspace", "hskip", "kern", "mkern", "mskip", "mspace"), r"\quad"),
}
# Arrows with a text above them. They are rejected, because Chromium does not lengthen them.
_LONG_ARROWS = re.compile("x[A-Za-z]*(arrow|harpoon)[a-z]*|xmapsto|xlongequal|xtofrom")
# Environments that number their equations. With an asterisk, they don't number them.
_NUMBERED = re.compile(r"\s*\{(align|alignat|equation|eqnarray|flalign|gather|multline)\}")
# The vertical position of an environment, which math-core would show.
_POSITION = re.compile(r"\s*\{(?:array|aligned|gathered|split)\}(\s*\[[tbc]\])")
# The columns of a table.
_COLUMNS = re.compile(r"\s*\{array\}\s*(\{(?:[^{}]|\{[^{}]*\})*\})")
# Columns with lines, spaces or widths.
_NO_COLUMNS = re.compile(r"(?=.*[^lcr{}\s])[^*<>]*", re.DOTALL)
# Words in a formula.
_TEXT = re.compile(r"\\(?:text[a-z]*|[mh]box)\s*\{(?:[^{}]|\{[^{}]*\})*\}")
# The space after a row, such as \\[2pt], which math-core would take for a part of the formula.
_ROW_SPACE = re.compile(r"(\\\\)(\s*\[\s*-?[0-9.]+\s*[a-z]{2}\s*\])")
_OPENING = ("{", r"\begin", r"\left")
_CLOSING = ("}", r"\end", r"\right")
_LINE_END = re.compile(r"\r\n?")
_ENTITY = re.compile("&([A-Za-z]+);")
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})
_ERROR = re.compile(r"([0-9]+): (.*)", re.DOTALL)
# Styles that can be removed without changing the meaning of a formula, the elements that may have
# them, and the style that becomes an attribute.
_STYLES = re.compile(
    r"((padding(-top|-bottom|-left|-right)|justify-items|text-align|margin-left|width): ?[^;:]+;?)+"
)
_STYLED = frozenset({"mfrac", "mpadded", "mspace", "mtable", "mtd"})
_ALIGNED = re.compile(r"text-align: (left|right)")
# Combining characters above and below a base, which Chromium neither stretches nor centres, and the
# characters that are drawn instead.
_ACCENTS = {
    ("mover", "\u0332"): "\u203e",
    ("munder", "\u0332"): "_",
    ("mover", "\u0302"): "^",
    ("mover", "\u20d7"): "\u2192",
}
# Elements that add a level of nesting, such as a fraction in a root.
_LEVELS = frozenset(
    (
        *("mfrac", "msqrt", "mroot", "msup", "msub", "msubsup", "munder", "mover"),
        *("munderover", "mtable", "mmultiscripts"),
    )
)


def convert(formula: Formula) -> Element:
    """The formula as MathML. Raises Unreadable if the formula is not understood, too long, or
    nested too deeply."""
    tex = formula.tex
    _check(formula)
    readable, origins = typed.read(_ROW_SPACE.sub(_blank, tex))
    try:
        written = _CONVERTER.convert_with_local_state(readable, displaystyle=formula.is_display)
    except LatexError as error:
        found = _ERROR.fullmatch(str(error))
        at, reason = (int(found[1]), found[2]) if found else (0, str(error))
        at = origins[min(at, len(readable))]
        raise _unreadable(formula, at, mistakes.worded(reason)) from None
    try:
        read = ElementTree.fromstring(_ENTITY.sub(_character, written))
    except ElementTree.ParseError:
        raise _unreadable(formula, 0, _UNSUPPORTED) from None
    if read.tag != "math":
        raise _unreadable(formula, 0, _UNSUPPORTED)
    clean = _clean(formula, read, 0)
    clean.set("alttext", _LINE_END.sub("\n", tex.strip()))
    return clean


def write(element: Element) -> str:
    """The element as HTML."""
    attributes = "".join(
        f' {name}="{escape(value)}"' for name, value in sorted(element.attrib.items())
    )
    inside = escape(element.text or "", quote=False) + "".join(write(child) for child in element)
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>"


def _check(formula: Formula) -> None:
    """Check a formula before math-core converts it.

    Raises Unreadable for a formula that math-core would accept but questions can't have, and for a
    formula that is too long or nested too deeply.
    """
    tex = formula.tex
    if not tex.strip():
        raise _unreadable(
            formula, 0, Message("The formula is empty. Write it, or delete its delimiters.")
        )
    if len(tex) > LONGEST:
        longest = Message("A formula has at most ${max} characters. Split it.", max=LONGEST)
        raise _unreadable(formula, LONGEST, longest)
    for at, character in enumerate(tex):
        if unicodedata.category(character) in ("Cf", "Co", "Zl", "Zp"):
            raise _unreadable(formula, at, Message("This character can't be seen. Delete it."))
    level = environments = 0
    for token in _TOKEN.finditer(tex):
        if token[0] == "%":
            reason = Message(r"Write the percent sign as \%.")
            raise _unreadable(formula, token.start(), reason)
        if token[1] and _DEFINITIONS.fullmatch(token[1]):
            reason = Message("A formula can't define commands. Write what they stand for.")
            raise _unreadable(formula, token.start(), reason)
        if token[1] in _REFUSED or (token[1] and _LONG_ARROWS.fullmatch(token[1])):
            raise _unreadable(formula, token.start(), _refusal(tex, token))
        if token[0] == r"\begin" and (numbered := _NUMBERED.match(tex, token.end())):
            reason = Message("Equations can't be numbered: write ${name}*.", name=numbered[1])
            raise _unreadable(formula, token.start(), reason)
        if token[0] == r"\begin" and (table := _table(tex, token)):
            raise _unreadable(formula, token.start(), table)
        environments += (token[0] == r"\begin") - (token[0] == r"\end")
        has_rows = environments or _WITH_ROWS.search(tex)
        if token[0] == r"\\" and not has_rows:
            reason = Message(r"\\ needs an environment, such as aligned or cases.")
            raise _unreadable(formula, token.start(), reason)
        level += (token[0] in _OPENING) - (token[0] in _CLOSING)
        if level > DEEPEST:
            raise _unreadable(formula, token.start(), _TOO_DEEP)


def _refusal(tex: str, token: re.Match[str]) -> Message:
    """What to write instead of a command that can't be used."""
    what = token[0]
    is_in_text = any(text.start() < token.start() < text.end() for text in _TEXT.finditer(tex))
    if token[1] in _STYLES_OF_WORDS and is_in_text:
        return Message("${what} is not supported in a text: write the words alone.", what=what)
    if token[1] in _UNITS:
        return Message(
            r"${what} is not supported: write the number and the unit, such as 5\,\mathrm{km}.",
            what=what,
        )
    if instead := _INSTEAD.get(token[1]):
        return Message("${what} is not supported: write ${instead}.", what=what, instead=instead)
    return Message("${what} is not supported. Write the formula in another way.", what=what)


def _table(tex: str, begin: re.Match[str]) -> Message | None:
    """What to write instead of the position or the columns of a table, if they can't be used."""
    if position := _POSITION.match(tex, begin.end()):
        what, instead = tex[begin.start() : position.end()], tex[begin.start() : position.start(1)]
    elif (columns := _COLUMNS.match(tex, begin.end())) and _NO_COLUMNS.fullmatch(columns[1]):
        what = columns[1]
        letters = re.sub("[pmb]", "l", re.sub(r"\{[^{}]*\}", "", what[1:-1]))
        instead = f"{{{re.sub('[^lcr]', '', letters) or 'c'}}}"
    else:
        return None
    return Message("Write ${instead} instead of ${what}.", what=what, instead=instead)


def _blank(space: re.Match[str]) -> str:
    """Replace the command for the space between two rows with as many spaces as it has characters,
    so that the positions in error messages stay right."""
    return space[1] + " " * len(space[2])


def _character(entity: re.Match[str]) -> str:
    return entity[0] if entity[1] in _OF_XML else html5.get(f"{entity[1]};", entity[0])


def _clean(formula: Formula, read: Element, level: int) -> Element:
    """A copy of the element, without margins. Raises Unreadable if it has elements or attributes
    that the list does not allow."""
    allowed = MATHML.get(read.tag)
    level += read.tag in _LEVELS
    if allowed is None or read.tail:
        raise _unreadable(formula, 0, _needs(f"<{read.tag}>"))
    if level > DEEPEST:
        raise _unreadable(formula, 0, _TOO_DEEP)
    clean = Element(read.tag)
    clean.text = read.text
    for name, value in read.attrib.items():
        if name == "style" and read.tag in _STYLED and _STYLES.fullmatch(value):
            if (aligned := _ALIGNED.search(value)) is not None:
                clean.set("columnalign", aligned[1])
        elif name in allowed and allowed[name].fullmatch(value):
            clean.set(name, value)
        else:
            raise _unreadable(formula, 0, _needs(repr(name)))
    if read.tag == "mo" and read.text == ",":
        _space_comma(clean)
    clean.extend([_clean(formula, child, level) for child in read if not _is_margin(child)])
    if read.tag in ("mover", "munder") and len(clean) == 2 and clean[1].tag == "mo":
        clean[1].text = _ACCENTS.get((read.tag, clean[1].text or ""), clean[1].text)
    return clean


def _space_comma(comma: Element) -> None:
    """Set the attributes by which `speech` knows a decimal comma, which `typed` marks, from others.
    They are drawn alike: a comma has no space before it in any case."""
    if comma.attrib.pop("stretchy", None) is not None:
        comma.attrib.pop("lspace", None)
    elif comma.get("rspace") == "0":
        comma.set("lspace", "0")


def _is_margin(element: Element) -> bool:
    """Whether the element is an empty table cell that only fills the space beside equations."""
    is_empty = len(element) == 0 and not element.text
    return element.tag == "mtd" and is_empty and "width" in element.get("style", "")


def _needs(what: str) -> Message:
    return Message(
        "The formula needs ${what}, which is not supported. Write it in another way.", what=what
    )


def _unreadable(formula: Formula, at: int, reason: str) -> Unreadable:
    tex = formula.tex.strip()
    shown = tex if len(tex) <= _SHOWN else f"{tex[:_SHOWN]}…"
    return Unreadable(
        Message(
            "Formula ${number}, ${formula}, character ${character}: ${reason}",
            number=formula.number,
            formula=shown,
            character=at + 1,
            reason=reason,
        )
    )
