"""Say formulas in words, for screen readers.

The maintained programs for this, speech-rule-engine and MathCAT, need Node.js or a Rust toolchain,
so this module is our own. The words follow the MathML, not the TeX. If a part could end at several
places, its end is said too, such as "end root", so that different formulas have different words.
"""

import re
from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element

from competition.core.messages import Language
from competition.plugins.questions.mathematics.english import ENGLISH
from competition.plugins.questions.mathematics.french import FRENCH
from competition.plugins.questions.mathematics.vocabulary import LARGE, Vocabulary, symbol

_NOTHING = Element("mrow")
_PRODUCTS = frozenset("⋅·×")
_LIMITS = frozenset({"lim", "lim sup", "lim inf"})
_RANGES = frozenset({"max", "min", "sup", "inf", "argmax", "argmin"})
_FUNCTIONS = frozenset("fghPQEφϕστμ")
_PROBABILITIES = frozenset({"P", "Pr", "E", "𝔼", "ℙ"})
_PAIRS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_GAPS = re.compile(r"\s+")
_BEFORE_MARKS = re.compile(r" ([,;.](?: |$))")
_DOTS = re.compile(r"\. \. \.(?: \.)?")


def say(formula: Element, language: Language = "en") -> str:
    """The formula in words of this language."""
    return _SPEAKERS[language].say(formula)


def image(alt: str, language: Language = "en") -> str:
    """The words for an image with this alternative text."""
    return _VOCABULARIES[language].image.format(alt=alt)


class _Speaker:
    """Says formulas with the words of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary
        self._special: dict[str, Callable[[Element], str]] = {
            **{"mi": self._identifier, "mn": _words, "mo": self._operator, "mtext": _words},
            **{"mfrac": self._fraction, "msqrt": self._root, "mroot": self._nth_root},
            **dict.fromkeys(("msub", "msup", "msubsup"), self._scripted),
            **dict.fromkeys(("munder", "mover", "munderover"), self._stacked),
            **{"mmultiscripts": self._prescripted},
            "mtable": self._table,
        }

    def say(self, formula: Element) -> str:
        """The formula in words."""
        words = self._words
        said = _DOTS.sub(words.operators["…"], _GAPS.sub(" ", self._row(list(formula))).strip())
        for found, better in words.repeated.items():
            said = said.replace(found, better)
        period = words.repeating.partition("{")[0]
        said = re.sub(rf"(?<=[0-9]) \. (?={period})", f" {words.point} ", said)
        return _BEFORE_MARKS.sub(r"\1", said)

    def part(self, element: Element) -> str:
        """The words for one element of the formula."""
        special = self._special.get(element.tag)
        return self._row(list(element)) if special is None else special(element)

    def _row(self, elements: Sequence[Element]) -> str:
        """The words for elements that follow one another, such as the terms of a sum."""
        words = self._words
        elements = _visible(elements)
        if (fenced := self._fenced(elements)) is not None:
            return fenced
        said: list[str] = []
        # The open brackets, each with the name before it.
        opened: list[tuple[str, str]] = []
        bars = self._bars(elements)
        for index, element in enumerate(elements):
            sign = _sign(element)
            before = elements[index - 1] if index else _NOTHING
            after = elements[index + 1] if index + 1 < len(elements) else _NOTHING
            if index in bars:
                word = bars[index]
            elif sign == "!" and _sign(before) == "∃":
                word = words.exactly_one
            elif sign in ("∣", "|") and (opened and opened[-1][0] == "{"):
                word = words.such_that
            elif sign in ("∣", "|") and (opened and opened[-1][1] in _PROBABILITIES):
                word = words.given
            elif sign == ":" and (opened and opened[-1][0] == "{"):
                word = words.such_that
            elif sign == ":" and _sign(after) == "=":
                word = words.defined_as
            elif sign == "=" and _sign(before) == ":":
                word = ""
            elif sign == "\u2061":
                is_of = _sign(_first(after)) == "(" and not said[-1].endswith(f" {words.of}")
                word = words.of if is_of else ""
            elif sign in _PRODUCTS and _is_vector(before) and _is_vector(after):
                word = words.cross if sign == "×" else words.dot
            elif sign == "(" and _name(before) in _FUNCTIONS:
                word = words.of_parenthesis
            else:
                word = self.part(element)
            if sign in _PAIRS:
                opened.append((sign, _name(before)))
            elif sign in _PAIRS.values() and opened:
                opened.pop()
            if element.tag == "mfrac" and before.tag == "mn":
                is_mixed = all(part.tag == "mn" for part in element)
                word = (words.mixed if is_mixed else words.times).format(part=word)
            said.append(word)
        return " ".join(_joined_numbers(elements, said))

    def _bars(self, elements: Sequence[Element]) -> dict[int, str]:
        """The words for the vertical bars of a row, by their position.

        Bars enclose absolute values or norms, in pairs. Empty if the bars of the row form no pairs.
        """
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
            if _sign(elements[begin]) == "|":
                words[begin] = self._words.absolute_value
                words[end] = self._words.end_absolute_value
            else:
                words[begin], words[end] = self._words.norm, self._words.end_norm
            closing = elements[end]
            if closing is not _base(closing):
                words[end] += " " + self._scripts(closing)
        return words

    def _fenced(self, elements: Sequence[Element]) -> str | None:
        """The words for a table, a matrix, cases, a binomial coefficient or two stacked rows, if
        the elements contain nothing else. Otherwise None."""
        if len(elements) == 1 and elements[0].tag == "mtable":
            return self._table(elements[0])
        if len(elements) < 2 or elements[0].tag != "mo":
            return None
        opening, closing = _sign(elements[0]), _sign(elements[-1])
        inside = elements[1:-1] if elements[-1].tag == "mo" else elements[1:]
        if len(inside) == 1 and inside[0].tag == "mtable":
            return self._table(inside[0], opening if closing != "" or opening != "{" else "cases")
        if len(inside) == 1 and inside[0].tag == "mfrac" and inside[0].get("linethickness") == "0":
            upper, lower = (self._part(each) for each in inside[0])
            if opening == "(":
                return self._words.choose.format(upper=upper, lower=lower)
            operators = self._words.operators
            return self._words.stack.format(
                opening=operators.get(opening, ""),
                upper=upper,
                lower=lower,
                closing=operators.get(closing, ""),
            )
        return None

    def _table(self, table: Element, opening: str = "") -> str:
        words = self._words
        rows = [[self._row(list(cell)) for cell in row] for row in table]
        width = max((len(row) for row in rows), default=0)
        # Columns of aligned equations are aligned at the sign between them.
        sides = [[cell.get("columnalign") for cell in row][:2] for row in table]
        is_aligned = any(row in (["right"], ["right", "left"]) for row in sides)
        if opening == "cases":
            lines = [(" " if is_aligned else ", ").join(filter(None, row)) for row in rows]
            return _lines(words.case, lines, words.end_cases)
        if not opening and (is_aligned or width == 1):
            return _lines(words.line, [" ".join(row) for row in rows], words.end_lines)
        listed = "; ".join(
            words.row.format(index=index, cells=", ".join(cell or words.blank for cell in row))
            for index, row in enumerate(rows, 1)
        )
        return words.whole_table.format(
            rows=len(rows),
            columns=width,
            name=words.matrices.get(opening, words.table),
            listed=listed,
        )

    def _fraction(self, element: Element) -> str:
        upper, lower = element
        if upper.tag == lower.tag == "mn":
            words = self._common_fraction(upper.text or "", lower.text or "")
            if words is not None:
                return words
        if _is_simple(upper) and _is_simple(lower):
            return self._words.over.format(upper=self.part(upper), lower=self.part(lower))
        return self._words.fraction.format(upper=self.part(upper), lower=self.part(lower))

    def _common_fraction(self, upper: str, lower: str) -> str | None:
        if not (upper.isdecimal() and lower.isdecimal() and int(lower) in self._words.fractions):
            return None
        one, several = self._words.fractions[int(lower)]
        count = int(upper)
        counts = self._words.counts
        number = counts[count] if count < len(counts) else upper
        return f"{number} {one if count == 1 else several}"

    def _root(self, element: Element) -> str:
        inside = list(element)
        is_simple = len(inside) == 1 and _is_simple(inside[0])
        said = self._words.square_root.format(part=self._row(inside))
        return said if is_simple else f"{said} {self._words.end_root}"

    def _nth_root(self, element: Element) -> str:
        inside, index = element
        words = self._words
        degree = self.part(index) if _is_simple(index) else f"({self.part(index)})"
        name = words.roots.get(_text(index), words.any_root.format(degree=degree))
        said = words.root.format(name=name, part=self.part(inside))
        return said if _is_simple(inside) else f"{said} {words.end_root}"

    def _scripted(self, element: Element) -> str:
        """The words for a base with an index or an exponent on its right, or both."""
        words = self._words
        base = element[0]
        name = _name(base)
        if _sign(base) in LARGE:
            return self._ranged(element)
        identifiers = words.identifiers
        if name in identifiers and element.tag == "msup" and _text(element[1]) == "−1":
            is_inverse = name != "mod"
            return words.inverse.format(part=identifiers[name]) if is_inverse else self.part(base)
        if name in _LIMITS | _RANGES and element.tag in ("msub", "munder"):
            return self._ranged(element)
        if name == "log" and element.tag == "msub":
            return words.logarithm.format(base=self._part(element[1]))
        inside = _visible(list(base))
        if inside and _sign(inside[-1]) == "|" and inside[0].text == "\u2063":
            part = self._row(inside[1:-1])
            low = words.evaluated.format(part=part, low=self.part(element[1]))
            if element.tag != "msubsup":
                return low
            return words.evaluated_between.format(part=low, high=self.part(element[2]))
        if not inside and not base.text:
            # An index without a base belongs to the base that follows it.
            beside = {"ub": words.sub, "up": words.superscript}
            indices = zip(element.tag.removeprefix("m").split("s")[1:], element[1:], strict=True)
            return " ".join(
                words.powers.get(_text(index), beside[place].format(index=self._part(index)))
                for place, index in indices
            )
        said = self.part(base)
        if element.tag == "msup" and (name, _text(element[1])) in words.signed:
            return said.replace(identifiers[name], words.signed[name, _text(element[1])], 1)
        if base.tag in ("mfrac", "msup", "msubsup", "msqrt") and len(base):
            said = words.all.format(part=said)
        return f"{said} {self._scripts(element)}"

    def _scripts(self, element: Element) -> str:
        if element.tag == "msub":
            return self._sub(element[1])
        if element.tag == "msup":
            return self._power(element[1])
        return f"{self._sub(element[1])} {self._power(element[2])}"

    def _sub(self, index: Element) -> str:
        said = self._words.sub.format(index=self.part(index))
        return said if _is_simple(index) else f"{said} {self._words.end_sub}"

    def _power(self, index: Element) -> str:
        text = _text(index)
        words = self._words
        if text in words.powers:
            return words.powers[text]
        if text in ("+", "−"):
            return words.superscript.format(index=words.operators[text])
        if _is_simple(index):
            return words.power.format(index=self.part(index))
        if text[:1] == "−" and index.tag == "mrow" and len(index) == 2 and _is_simple(index[1]):
            return words.power.format(index=self.part(index))
        return words.long_power.format(index=self.part(index))

    def _ranged(self, element: Element) -> str:
        """The words for a large operator or a limit, with the parts below and above it."""
        words = self._words
        name, base = _name(element[0]), self.part(element[0])
        low = element[1] if element.tag in ("msub", "munder", "msubsup", "munderover") else None
        high = element[-1] if element.tag in ("msup", "mover", "msubsup", "munderover") else None
        if low is not None and name in _LIMITS:
            near = self.part(low).replace(f" {words.to} ", f" {words.approaches} ", 1)
            return words.limit.format(name=base, low=near)
        if low is not None and high is not None:
            return words.range.format(name=base, low=self.part(low), high=self.part(high))
        if low is not None:
            return words.range_over.format(name=base, low=self.part(low))
        return words.range_to.format(name=base, high=self.part(element[-1]))

    def _stacked(self, element: Element) -> str:
        """The words for a base with a part centred above or below it, or both."""
        words = self._words
        base = element[0]
        if _sign(base) in LARGE or _name(base) in _LIMITS | _RANGES:
            return self._ranged(element)
        if element.tag == "munderover":
            return words.below_and_above.format(
                part=self._part(base), low=self.part(element[1]), high=self.part(element[2])
            )
        mark = _sign(element[1])
        part = self._part(base)
        if element.tag == "munder":
            named = {"_": words.underlined, "⏟": words.brace_below}
            other = words.with_below
        else:
            named = {"⏞": words.brace_above, "⌢": words.arc_above, "⏜": words.arc_above}
            other = words.with_above
            if mark == "‾" and base.tag == "mn":
                return words.repeating.format(part=self.part(base))
            if mark == "‾":
                if _is_simple(base):
                    return words.bar.format(part=self.part(base))
                return words.bar_above.format(part=part)
            if mark == "→" and not _is_simple(base):
                return words.vector.format(part=part)
            if mark == "↔":
                return words.straight_line.format(part=part)
            if mark in words.above and _is_simple(base):
                if mark == "→":
                    return words.vector.format(part=part)
                return words.accent.format(part=part, mark=words.above[mark])
        if mark in named:
            return named[mark].format(part=part)
        if mark in words.above and element.tag == "mover":
            return words.with_accent.format(part=part, mark=words.above[mark])
        return other.format(part=part, mark=self.part(element[1]))

    def _prescripted(self, element: Element) -> str:
        return " ".join(self.part(each) for each in element if each.tag != "mprescripts")

    def _identifier(self, element: Element) -> str:
        # Some letters have a variation selector, which chooses a shape.
        text = " ".join((element.text or "").rstrip("\ufe00\ufe01").split())
        if text in self._words.identifiers:
            return self._words.identifiers[text]
        is_word = len(text) > 1 and text.isascii()
        return text if is_word else " ".join(map(self._words.letter, text))

    def _operator(self, element: Element) -> str:
        text = element.text or ""
        operators = self._words.operators
        return operators[text] if text in operators else " ".join(map(symbol, text))

    def _part(self, element: Element) -> str:
        """The words for an element, as a group if listeners could not hear where it ends."""
        said = self.part(element)
        if element.tag in ("munder", "mover"):
            return said
        plain = all(each.tag in ("mi", "mn", "mrow", "mspace") for each in element.iter())
        return said if plain or _is_simple(element) else self._words.group.format(part=said)


def _joined_numbers(elements: Sequence[Element], said: Sequence[str]) -> list[str]:
    """The words, with the three parts of a number such as "1 , 000" joined to "1,000"."""
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


def _words(element: Element) -> str:
    return element.text or ""


def _is_simple(element: Element) -> bool:
    """Whether the element is one symbol, with or without a simple index."""
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
    """Whether the element is a vector: a letter in bold, or something below an arrow."""
    return _SPEAKERS["en"].part(element).startswith(("vector ", "bold "))


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


def _lines(line: str, lines: Sequence[str], end: str) -> str:
    """Numbered lines. `line` is a template."""
    said = "; ".join(line.format(index=index, line=each) for index, each in enumerate(lines, 1))
    return f"{said}; {end}"


_VOCABULARIES: dict[Language, Vocabulary] = {"en": ENGLISH, "fr": FRENCH}
_SPEAKERS = {language: _Speaker(words) for language, words in _VOCABULARIES.items()}
