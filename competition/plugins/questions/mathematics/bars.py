r"""Find what the vertical bars of a row mean: the ends of absolute values and norms, or a sign
between two terms.

A typed bar does not show whether it opens or closes. So all ways to read the bars between the same
brackets are tried. If exactly one way is possible, the bars have its meanings. Otherwise their
meanings are unknown, and each of them is only a vertical bar. The bar of \mid separates two terms.
Where it can't, as in \mid x\mid, it is like a typed one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element

from competition.plugins.questions.mathematics.tree import (
    PAIRS,
    SCRIPTS,
    base_of,
    is_tight,
    sign_of,
)
from competition.plugins.questions.mathematics.vocabulary import LARGE

# Two bars beside each other may be the end of a norm. Then the inner one is silent.
Meaning = Literal["open", "close", "between", "unknown", "open norm", "close norm", "inner"]

# The largest number of bars in a group. With more bars, there are too many ways to pair them, so
# the service tries none.
_MOST = 12
_BARS = ("|", "‖")
_MID = "∣"
_DOTS = frozenset("…⋯")
# An absolute value contains none of these signs outside of brackets.
_BARRIERS = frozenset("=≠<>≤≥⩽⩾≪≫≈∼≡≢≅∈∉⊂⊆,;:→⇒⟹⇔⟺∧∨↔↦∣")
_PREFIXES = frozenset("+−-±∓¬∀∃") | LARGE
_POSTFIXES = frozenset("!′″‴") | {*PAIRS.values()}


@dataclass(frozen=True)
class _Bar:
    index: int
    kind: str
    # The brackets around the bar, by the positions at which they begin.
    group: tuple[int, ...]
    # How many signs of `_BARRIERS`, or texts, come before the bar in these brackets. Two bars can
    # only be the ends of an absolute value if this number is the same.
    segment: int
    has_scripts: bool
    # Whether a term comes before the bar; None if another bar comes before it.
    follows_term: bool | None
    precedes: Literal["bar", "term", "prefix", "nothing"]


def meanings(elements: Sequence[Element]) -> Mapping[int, Meaning]:
    """The meanings of the vertical bars in a row of a formula, by the positions of the bars."""
    if len(elements) > 2 and all(_is_structure(elements[at]) for at in (0, -1)):
        # \left| and \right| enclose the row.
        inside = meanings(elements[1:-1])
        ends: dict[int, Meaning] = {0: "open", len(elements) - 1: "close"}
        return {index + 1: meaning for index, meaning in inside.items()} | ends
    bars = _bars(elements)
    found: dict[int, Meaning] = {}
    for group in {bar.group for bar in bars}:
        of_group = [bar for bar in bars if bar.group == group]
        readings: list[list[Meaning]] = []
        if len(of_group) <= _MOST:
            _read(of_group, [], [], readings)
        chosen: list[Meaning] = ["unknown"] * len(of_group)
        if len(readings) == 1:
            chosen = readings[0]
        found |= _with_norms({bar.index: each for bar, each in zip(of_group, chosen, strict=True)})
    return found


def _with_norms(found: dict[int, Meaning]) -> dict[int, Meaning]:
    """The meanings of the bars of a group, with norms for pairs of bars such as ||x||."""
    opened: list[int] = []
    closed: dict[int, int] = {}
    for index, meaning in found.items():
        if meaning == "open":
            opened.append(index)
        elif meaning == "close":
            closed[opened.pop()] = index
    norms: dict[int, Meaning] = {}
    for start, end in sorted(closed.items()):
        if start not in norms and closed.get(start + 1) == end - 1:
            norms |= {start: "open norm", start + 1: "inner", end - 1: "inner", end: "close norm"}
    return found | norms


def _is_structure(element: Element) -> bool:
    return sign_of(element) in _BARS and element.get("form") is None and not is_tight(element)


def _bars(elements: Sequence[Element]) -> list[_Bar]:
    found = []
    signs = [sign_of(base_of(each)) for each in elements]
    groups = _groups(signs)
    typed = {
        groups[index]
        for index, sign in enumerate(signs)
        if sign == _MID and not _is_between(elements[index], signs, index)
    }
    signs = [
        "|" if sign == _MID and group in typed else sign
        for sign, group in zip(signs, groups, strict=True)
    ]
    segments = [0]
    for index, (element, sign) in enumerate(zip(elements, signs, strict=True)):
        if sign in _BARS:
            base = base_of(element)
            found.append(
                _Bar(
                    index,
                    f"{sign}{base.get('form', '')}",
                    groups[index],
                    segments[-1],
                    base is not element,
                    _ends_term(elements[index - 1], signs[index - 1]) if index else False,
                    _begins(elements[index + 1], signs[index + 1])
                    if index + 1 < len(elements)
                    else "nothing",
                )
            )
        elif sign in PAIRS:
            segments.append(0)
        elif sign in PAIRS.values() and len(segments) > 1:
            segments.pop()
        elif sign in _BARRIERS or element.tag == "mtext":
            segments[-1] += 1
    return found


def _groups(signs: Sequence[str]) -> list[tuple[int, ...]]:
    """The positions of the brackets that are open at each of the signs."""
    groups = []
    opened: list[int] = []
    for index, sign in enumerate(signs):
        groups.append(tuple(opened))
        if sign in PAIRS:
            opened.append(index)
        elif sign in PAIRS.values() and opened:
            opened.pop()
    return groups


def _is_between(element: Element, signs: Sequence[str], index: int) -> bool:
    r"""Whether the bar of \mid may separate two terms or texts."""
    if element.tag in SCRIPTS or not 0 < index < len(signs) - 1:
        return False
    either = {"", *_BARS} | _DOTS
    before, after = signs[index - 1], signs[index + 1]
    return before in either | _POSTFIXES and after in either | _PREFIXES | {*PAIRS}


def _ends_term(element: Element, sign: str) -> bool | None:
    if sign in _BARS:
        return None
    return element.tag != "mtext" and (sign in _POSTFIXES or sign == "")


def _begins(element: Element, sign: str) -> Literal["bar", "term", "prefix", "nothing"]:
    if sign in _BARS:
        return "bar"
    if sign in _PREFIXES:
        return "prefix"
    return "term" if element.tag != "mtext" and (sign in PAIRS or sign == "") else "nothing"


def _read(
    bars: Sequence[_Bar], opened: list[_Bar], read: list[Meaning], readings: list[list[Meaning]]
) -> None:
    """Add the possible readings of all bars to `readings`, at most two: with two, the bars are
    ambiguous. `read` has the meanings of the first bars, and `opened` the bars among them that open
    a pair and are not closed yet."""
    if len(read) == len(bars):
        readings += [] if opened or len(readings) > 1 else [read]
        return
    bar = bars[len(read)]
    follows_term = bar.follows_term
    if follows_term is None:
        follows_term = read[-1] == "close"
    is_plain = not bar.has_scripts
    form = bar.kind[1:]
    if form != "postfix" and is_plain and bar.precedes != "nothing":
        _read(bars, [*opened, bar], [*read, "open"], readings)
    if follows_term and form != "prefix" and opened:
        begun = opened[-1]
        is_pair = begun.kind[0] == bar.kind[0] and begun.segment == bar.segment
        if is_pair and begun.kind[1:] == form.replace("postfix", "prefix"):
            _read(bars, opened[:-1], [*read, "close"], readings)
    is_between = bar.kind == "|" and is_plain and bar.precedes in ("bar", "term")
    if is_between and follows_term and not opened:
        _read(bars, opened, [*read, "between"], readings)
