"""Say formulas in English words, for screen readers.

The well-kept programs for this, speech-rule-engine and MathCAT, need node or a Rust toolchain. The
words follow the MathML, not the TeX. Where a part could end at several places it is closed in
words, such as "end root", so that two formulas that differ are not said alike.
"""

import re
from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element

from competition.plugins.questions.mathematics.words import (
    ABOVE,
    COUNTS,
    FRACTIONS,
    IDENTIFIERS,
    LARGE,
    OPERATORS,
    letter,
    symbol,
)

_NOTHING = Element("mrow")
_BESIDE = {"ub": "sub", "up": "superscript"}
_PRODUCTS = {"⋅": "dot", "·": "dot", "×": "cross"}
_LIMITS = frozenset({"lim", "lim sup", "lim inf"})
_RANGES = frozenset({"max", "min", "sup", "inf", "argmax", "argmin"})
_FUNCTIONS = frozenset("fghPQEφϕστμ")
_PROBABILITIES = frozenset({"P", "Pr", "E", "𝔼", "ℙ"})
_POWERS = {
    **{"2": "squared", "3": "cubed", "∘": "degrees", "°": "degrees", "⊤": "transpose"},
    **{"′": "prime", "″": "double prime", "‴": "triple prime", "∗": "star", "†": "dagger"},
}
_PAIRS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_MATRICES = {"(": "matrix", "[": "matrix", "{": "matrix", "|": "determinant", "‖": "matrix norm"}
_GAPS = re.compile(r"\s+")
_BEFORE_MARKS = re.compile(r" ([,;.](?: |$))")
_DECIMAL = re.compile(r"(?<=[0-9]) \. (?=repeating)")
_DOTS = re.compile(r"\. \. \.(?: \.)?|times times times")
_TWICE = {"factorial factorial": "double factorial"}


def say(formula: Element) -> str:
    """The formula in words."""
    said = _DOTS.sub("dot dot dot", _GAPS.sub(" ", _row(list(formula))).strip())
    for found, better in _TWICE.items():
        said = said.replace(found, better)
    return _BEFORE_MARKS.sub(r"\1", _DECIMAL.sub(" point ", said))


def _say(element: Element) -> str:
    """One element in words."""
    special = _SPECIAL.get(element.tag)
    return _row(list(element)) if special is None else special(element)


def _row(elements: Sequence[Element]) -> str:
    """Elements one after another, such as the terms of a sum."""
    elements = _visible(elements)
    if (fenced := _fenced(elements)) is not None:
        return fenced
    said: list[str] = []
    # The brackets that are open, each with what stands before it.
    opened: list[tuple[str, str]] = []
    bars = _bars(elements)
    for index, element in enumerate(elements):
        sign = _sign(element)
        before = elements[index - 1] if index else _NOTHING
        after = elements[index + 1] if index + 1 < len(elements) else _NOTHING
        if index in bars:
            word = bars[index]
        elif sign == "!" and _sign(before) == "∃":
            word = "exactly one"
        elif sign in ("∣", "|") and (opened and opened[-1][0] == "{"):
            word = "such that"
        elif sign in ("∣", "|") and (opened and opened[-1][1] in _PROBABILITIES):
            word = "given"
        elif sign == ":" and (opened and opened[-1][0] == "{"):
            word = "such that"
        elif sign == ":" and _sign(after) == "=":
            word = "is defined as"
        elif sign == "=" and _sign(before) == ":":
            word = ""
        elif sign == "\u2061":
            is_of = _sign(_first(after)) == "(" and not said[-1].endswith(" of")
            word = "of" if is_of else ""
        elif sign in _PRODUCTS and _is_vector(before) and _is_vector(after):
            word = _PRODUCTS[sign]
        elif sign == "(" and _name(before) in _FUNCTIONS:
            word = "of open parenthesis"
        else:
            word = _say(element)
        if sign in _PAIRS:
            opened.append((sign, _name(before)))
        elif sign in _PAIRS.values() and opened:
            opened.pop()
        if element.tag == "mfrac" and before.tag == "mn":
            is_mixed = all(part.tag == "mn" for part in element)
            word = f"and {word}" if is_mixed else f"times {word}"
        said.append(word)
    return " ".join(_joined_numbers(elements, said))


def _joined_numbers(elements: Sequence[Element], said: Sequence[str]) -> list[str]:
    """Write "1 , 000" as one number: TeX has it in three parts."""
    joined: list[str] = []
    for index, (element, word) in enumerate(zip(elements, said, strict=True)):
        text = element.text or ""
        is_part = (
            index > 1
            and element.tag == "mn"
            and len(text) == 3
            and _sign(elements[index - 1]) == ","
            and elements[index - 1].get("rspace") == "0"
            and elements[index - 2].tag == "mn"
        )
        if is_part:
            joined[-2:] = [f"{joined[-2]},{word}"]
        else:
            joined.append(word)
    return joined


def _bars(elements: Sequence[Element]) -> dict[int, str]:
    """What single vertical bars of a row mean, by their position. Bars that can be paired in order
    enclose absolute values."""
    found = [
        index
        for index, element in enumerate(elements)
        if _sign(element) in ("|", "‖") or _sign(_base(element)) in ("|", "‖")
    ]
    if len(found) % 2:
        return {}
    words = {}
    for begin, end in zip(found[::2], found[1::2], strict=True):
        inside = [_sign(_base(each)) for each in elements[begin + 1 : end]]
        is_balanced = inside.count("(") == inside.count(")")
        if not is_balanced or not inside or _base(elements[begin]) is not elements[begin]:
            return {}
        name = "absolute value" if _sign(elements[begin]) == "|" else "norm"
        words[begin] = f"the {name} of"
        closing = elements[end]
        words[end] = f"end {name}"
        if closing is not _base(closing):
            words[end] += " " + _scripts(closing)
    return words


def _fenced(elements: Sequence[Element]) -> str | None:
    """What stands alone between two delimiters: a matrix, cases, a binomial coefficient or an
    absolute value. None if it is none of these."""
    if len(elements) == 1 and elements[0].tag == "mtable":
        return _table(elements[0])
    if len(elements) < 2 or elements[0].tag != "mo":
        return None
    opening, closing = _sign(elements[0]), _sign(elements[-1])
    inside = elements[1:-1] if elements[-1].tag == "mo" else elements[1:]
    if len(inside) == 1 and inside[0].tag == "mtable":
        return _table(inside[0], opening if closing != "" or opening != "{" else "cases")
    if len(inside) == 1 and inside[0].tag == "mfrac" and inside[0].get("linethickness") == "0":
        upper, lower = (_part(each) for each in inside[0])
        if opening == "(":
            return f"{upper} choose {lower}"
        return f"{OPERATORS.get(opening, '')} {upper} above {lower} {OPERATORS.get(closing, '')}"
    return None


def _table(table: Element, opening: str = "") -> str:
    rows = [[_row(list(cell)) for cell in row] for row in table]
    width = max((len(row) for row in rows), default=0)
    # Columns of aligned equations are aligned at the sign between them.
    sides = [[cell.get("columnalign") for cell in row][:2] for row in table]
    is_aligned = any(row in (["right"], ["right", "left"]) for row in sides)
    if opening == "cases":
        lines = [(" " if is_aligned else ", ").join(filter(None, row)) for row in rows]
        return _lines("case", lines, "cases")
    if not opening and (is_aligned or width == 1):
        return _lines("line", [" ".join(row) for row in rows], "lines")
    name = _MATRICES.get(opening, "table")
    listed = "; ".join(
        f"row {index}: {', '.join(cell or 'blank' for cell in row)}"
        for index, row in enumerate(rows, 1)
    )
    return f"{len(rows)} by {width} {name}, {listed}; end {name}"


def _lines(name: str, lines: Sequence[str], end: str) -> str:
    said = "; ".join(f"{name} {index}: {line}" for index, line in enumerate(lines, 1))
    return f"{said}; end {end}"


def _fraction(element: Element) -> str:
    upper, lower = element
    if upper.tag == lower.tag == "mn":
        words = _common_fraction(upper.text or "", lower.text or "")
        if words is not None:
            return words
    if _is_simple(upper) and _is_simple(lower):
        return f"{_say(upper)} over {_say(lower)}"
    return f"the fraction with numerator {_say(upper)} and denominator {_say(lower)} end fraction"


def _common_fraction(upper: str, lower: str) -> str | None:
    if not (upper.isdecimal() and lower.isdecimal() and int(lower) in FRACTIONS):
        return None
    one, several = FRACTIONS[int(lower)]
    count = int(upper)
    number = COUNTS[count] if count < len(COUNTS) else upper
    return f"{number} {one if count == 1 else several}"


def _root(element: Element) -> str:
    inside = list(element)
    is_simple = len(inside) == 1 and _is_simple(inside[0])
    return f"the square root of {_row(inside)}" + ("" if is_simple else " end root")


def _nth_root(element: Element) -> str:
    inside, index = element
    names = {"2": "square", "3": "cube", "4": "fourth", "5": "fifth"}
    text = _text(index)
    name = names.get(text, f"{_say(index)}-th" if _is_simple(index) else f"({_say(index)})-th")
    return f"the {name} root of {_say(inside)}" + ("" if _is_simple(inside) else " end root")


def _scripted(element: Element) -> str:
    """A base with something below or above on its right."""
    base = element[0]
    name = _name(base)
    if _sign(base) in LARGE:
        return _ranged(element)
    if name in IDENTIFIERS and element.tag == "msup" and _text(element[1]) == "−1":
        return f"inverse {IDENTIFIERS[name]}" if name != "mod" else _say(base)
    if name in _LIMITS | _RANGES and element.tag in ("msub", "munder"):
        return _ranged(element)
    if name == "log" and element.tag == "msub":
        return f"log base {_part(element[1])} of"
    inside = _visible(list(base))
    if inside and _sign(inside[-1]) == "|" and inside[0].text == "\u2063":
        low = f"{_row(inside[1:-1])} evaluated at {_say(element[1])}"
        return low if element.tag != "msubsup" else f"{low} and at {_say(element[2])}"
    if not inside and not base.text:
        # An index without a base belongs to the base that follows it.
        indices = zip(element.tag.removeprefix("m").split("s")[1:], element[1:], strict=True)
        return " ".join(
            _POWERS.get(_text(index), f"{_BESIDE[place]} {_part(index)}")
            for place, index in indices
        )
    said = _say(base)
    if name in ("ℤ", "ℚ", "ℝ") and element.tag == "msup" and _text(element[1]) in ("+", "−"):
        sign = "positive" if _text(element[1]) == "+" else "negative"
        return said.replace("the", f"the {sign}", 1)
    if base.tag in ("mfrac", "msup", "msubsup", "msqrt") and len(base):
        said = f"{said} all"
    return f"{said} {_scripts(element)}"


def _scripts(element: Element) -> str:
    if element.tag == "msub":
        return _sub(element[1])
    if element.tag == "msup":
        return _power(element[1])
    return f"{_sub(element[1])} {_power(element[2])}"


def _sub(index: Element) -> str:
    return f"sub {_say(index)}" + ("" if _is_simple(index) else " end sub")


def _power(index: Element) -> str:
    text = _text(index)
    if text in _POWERS:
        return _POWERS[text]
    if text in ("+", "−"):
        return f"superscript {OPERATORS[text]}"
    if _is_simple(index):
        return f"to the {_say(index)}"
    if text[:1] == "−" and index.tag == "mrow" and len(index) == 2 and _is_simple(index[1]):
        return f"to the {_say(index)}"
    return f"to the power {_say(index)} end power"


def _ranged(element: Element) -> str:
    """A large operator or a limit, with what is below and above it."""
    name, base = _name(element[0]), _say(element[0])
    low = element[1] if element.tag in ("msub", "munder", "msubsup", "munderover") else None
    high = element[-1] if element.tag in ("msup", "mover", "msubsup", "munderover") else None
    if low is not None and name in _LIMITS:
        return f"{base} as {_say(low).replace(' to ', ' approaches ', 1)} of"
    if low is not None and high is not None:
        return f"{base} from {_say(low)} to {_say(high)} of"
    if low is not None:
        return f"{base} over {_say(low)} of"
    return f"{base} to {_say(element[-1])} of"


def _stacked(element: Element) -> str:
    """A base with something centred above or below it, or both."""
    base = element[0]
    if _sign(base) in LARGE or _name(base) in _LIMITS | _RANGES:
        return _ranged(element)
    if element.tag == "munderover":
        return f"{_part(base)} with {_say(element[1])} below and {_say(element[2])} above"
    mark = _sign(element[1])
    part = _part(base)
    if element.tag == "munder":
        names = {"_": "underlined", "⏟": "with a brace below"}
    else:
        names = {"⏞": "with a brace above", "⌢": "with an arc above", "⏜": "with an arc above"}
        if mark == "‾" and base.tag == "mn":
            return f"repeating {_say(base)}"
        if mark == "‾":
            return f"{_say(base)} bar" if _is_simple(base) else f"{part} with a bar above"
        if mark == "→" and not _is_simple(base):
            return f"vector {part}"
        if mark == "↔":
            return f"line {part}"
        if mark in ABOVE and _is_simple(base):
            return f"vector {part}" if mark == "→" else f"{part} {ABOVE[mark]}"
        names |= {each: f"with a {word} above" for each, word in ABOVE.items()}
    place = "below" if element.tag == "munder" else "above"
    return f"{part} {names.get(mark, f'with {_say(element[1])} {place}')}"


def _prescripted(element: Element) -> str:
    return " ".join(_say(each) for each in element if each.tag != "mprescripts")


def _identifier(element: Element) -> str:
    # Some letters have a variation selector, which chooses a shape.
    text = " ".join((element.text or "").rstrip("\ufe00\ufe01").split())
    if text in IDENTIFIERS:
        return IDENTIFIERS[text]
    is_word = len(text) > 1 and text.isascii()
    return text if is_word else " ".join(map(letter, text))


def _operator(element: Element) -> str:
    text = element.text or ""
    return OPERATORS[text] if text in OPERATORS else " ".join(map(symbol, text))


def _words(element: Element) -> str:
    return element.text or ""


def _part(element: Element) -> str:
    """An element whose end is heard, because it is one symbol or is grouped in words."""
    said = _say(element)
    if element.tag in ("munder", "mover"):
        return said
    plain = all(each.tag in ("mi", "mn", "mrow", "mspace") for each in element.iter())
    return said if plain or _is_simple(element) else f"group {said} end group"


def _is_simple(element: Element) -> bool:
    """Whether the element is one symbol, or one with a simple index."""
    inside = _visible([element])
    if len(inside) != 1:
        return False
    element = inside[0]
    if element.tag == "mrow":
        children = _visible(list(element))
        return len(children) == 1 and _is_simple(children[0])
    if element.tag == "msub":
        return all(each.tag in ("mi", "mn") for each in element)
    return element.tag in ("mi", "mn", "mo", "mtext") and not (
        element.tag == "mtext" and " " in (element.text or "").strip()
    )


def _is_vector(element: Element) -> bool:
    return _say(element).startswith(("vector ", "bold "))


def _visible(elements: Sequence[Element]) -> list[Element]:
    return [each for each in elements if each.tag not in ("mspace", "mphantom")]


def _first(element: Element) -> Element:
    """The first element of a row; the element itself if it is not a row."""
    return element[0] if element.tag == "mrow" and len(element) else element


def _sign(element: Element) -> str:
    return (element.text or "").replace("\u2063", "") if element.tag == "mo" else ""


def _base(element: Element) -> Element:
    return element[0] if element.tag in ("msup", "msub", "msubsup") and len(element) else element


def _name(element: Element) -> str:
    """The name of an identifier, without its indices; empty if it is something else."""
    while element.tag in ("msup", "msub", "msubsup", "mrow"):
        inside = _visible(list(element))
        if not inside or (element.tag == "mrow" and len(inside) > 1):
            return ""
        element = inside[0]
    return " ".join((element.text or "").split()) if element.tag == "mi" else ""


def _text(element: Element) -> str:
    return "".join(element.itertext()).strip()


_SPECIAL: dict[str, Callable[[Element], str]] = {
    **{"mi": _identifier, "mn": _words, "mo": _operator, "mtext": _words},
    **{"mfrac": _fraction, "msqrt": _root, "mroot": _nth_root},
    **dict.fromkeys(("msub", "msup", "msubsup"), _scripted),
    **dict.fromkeys(("munder", "mover", "munderover"), _stacked),
    **{"mmultiscripts": _prescripted},
    "mtable": _table,
}
