"""Say formulas in words, for screen readers.

The maintained programs for this, speech-rule-engine and MathCAT, need Node.js or a Rust toolchain,
so this module is our own. The words follow the MathML, not the TeX. If a part could end at several
places, its end is said too, such as "end root", so that different formulas have different words.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, takewhile
from xml.etree.ElementTree import Element

from competition.core.messages import Language
from competition.plugins.questions.mathematics import bars
from competition.plugins.questions.mathematics.english import ENGLISH
from competition.plugins.questions.mathematics.french import FRENCH
from competition.plugins.questions.mathematics.tree import (
    PAIRS,
    SCRIPTS,
    base_of,
    flat,
    is_fenced,
    is_leaf,
    is_letter,
    is_simple,
    is_tight,
    lone,
    name_of,
    sign_of,
    text_of,
)
from competition.plugins.questions.mathematics.vocabulary import LARGE, Vocabulary, symbol

_NOTHING = Element("mrow")
_PRODUCTS = frozenset("⋅·×")
_LIMITS = frozenset({"lim", "lim sup", "lim inf"})
_RANGES = frozenset({"max", "min", "sup", "inf", "argmax", "argmin"})
# Functions whose names are also units or adjectives, as in "15 min", and others that are read as
# they are written if they are an index, as in "v sub lim".
_UNITS = frozenset({"min", "max", "sec", "deg"})
_LABELS = _UNITS | {"sup", "inf", "lim", "exp", "dim", "det", "tan", "arg", "mod"}
_FUNCTIONS = frozenset("fghPQEφϕστμ")
# Names before brackets in which a bar is read as "given". They may have any style.
_PROBABILITIES = frozenset({"P", "Pr", "p", "E", "Var", "Cov"})
# Signs at which the condition of a quantifier begins or ends.
_ENDS = frozenset(",;:∶∣|⇒⟹⇔⟺")
_RELATIONS = frozenset("=≠<>≤≥⩽⩾≪≫≈∼≡≢≅∈∉⊂⊆")
# A fraction of two symbols beside one of these signs, or at the end of a row, is "a over b". Beside
# anything else its end would not be heard: "a over b c".
_AROUND_FRACTIONS = frozenset("=≠<>≤≥⩽⩾≪≫≈∼≡∝+−-±∓×⋅·,;([{⟨⌊⌈)]}⟩⌋⌉|‖…⋯∈→⇒⇔⟹⟺") | LARGE
# The endings of ordinals, as in "the nth term".
_ORDINAL = re.compile("st|nd|rd|th|i?[èe]me|re|er|e|o")
# Marks that are said in the same words with and without a base before them, as in 20 ^\circ C.
_MARKS = frozenset("∘°′″‴")
# Marks that are said before the part that they are above, even if the part is a letter.
_WIDE = frozenset("⏞⌢⏜⏠←")
_ARROWS = frozenset("→⟶")
# The arrows above vectors.
_VECTORS = frozenset("→\u20d7")
_MAPS = frozenset("↦⟼↪↠↣")
_WHOLE = re.compile("0|[1-9][0-9]*")
_TIME = re.compile("([01]?[0-9]|2[0-4])(:[0-5][0-9]){1,2}")
_SETS = frozenset("ℕℤℚℝℂ")
# Variation selectors, which only choose the shape of the letter before them.
_SELECTORS = re.compile("[\ufe00\ufe01]")
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
        return _BEFORE_MARKS.sub(r"\1", said)

    def part(self, element: Element) -> str:
        """The words for one element of the formula."""
        special = self._special.get(element.tag)
        return self._row(list(element)) if special is None else special(element)

    def _row(self, elements: Sequence[Element], owner: str = "", arrow: str = "") -> str:
        """The words for elements that follow one another, such as the terms of a sum.

        `owner` is the name before the row, such as P before the row of brackets in P(A). `arrow`
        replaces the word for the first arrow.
        """
        words = self._words
        is_congruence = _is_congruence(elements)
        elements = flat(elements)
        if (fenced := self._fenced(elements)) is not None:
            return fenced
        said: list[str] = []
        # The open brackets, each with the name before it.
        opened: list[tuple[str, str]] = []
        meanings = bars.meanings(elements)
        is_function = False
        signs = [sign_of(each) for each in elements]
        for index, element in enumerate(elements):
            sign = signs[index]
            before = elements[index - 1] if index else _NOTHING
            after = elements[index + 1] if index + 1 < len(elements) else _NOTHING
            name = _owner(elements, index) if index else owner
            around = opened[-1] if opened else ("", "")
            is_colon = ":" in (sign, _text_in(element, "mi"))
            arrow_after = _first_arrow(elements[index:]) if is_colon else None
            # In "∃ f : A → B", the colon belongs to the function.
            is_domain = any(each in _ARROWS | _MAPS for each in signs[index + 2 : index + 3])
            quantifier = _quantifier(signs[:index]) if is_colon and not is_domain else ""
            if index in meanings:
                word = self._bar(meanings[index], elements, index, around)
            elif sign == "!" and sign_of(before) == "∃":
                word = words.exactly_one
            elif sign == "∣":
                word = self._between(elements, index, around)
            elif sign == ":" and around[0] == "{":
                word = words.such_that
            elif sign == ":" and sign_of(after) == "=":
                word = words.defined_as
            elif sign == "=" and sign_of(before) == ":":
                word = ""
            elif quantifier in {*"∃∄"}:
                word = words.such_that
            elif said and (quantifier or (is_colon and _has_table(after))):
                said[-1] += words.pause
                word = ""
            elif is_colon and arrow_after in _ARROWS:
                is_function = True
                word = words.from_domain
            elif is_colon and arrow_after in _MAPS and said:
                said[-1] += words.pause
                word = ""
            elif sign in (":", "∶") and before is not _NOTHING and after is not _NOTHING:
                word = words.ratio
            elif sign in _ARROWS and arrow:
                word, arrow = arrow, ""
            elif sign in _ARROWS and before is not _NOTHING and after is not _NOTHING:
                is_signed = sign_of(after) in {*"+−±"} and index + 2 < len(elements)
                end = elements[index + 2] if is_signed else after
                is_heard = is_function or text_of(end) == "∞" or name_of(before) in _SETS
                word = words.to if is_heard else words.arrow
            elif sign == "\u2061":
                is_of = sign_of(_first(after)) == "(" and not said[-1].endswith(f" {words.of}")
                word = words.of if is_of else ""
            elif is_product(elements, index) and is_vector(before) and is_vector(after):
                word = words.cross if sign in {*"×∧"} else words.dot
            elif _is_perpendicular(elements, index):
                word = words.operators["⊥"]
            elif sign == "/" and _is_separating(elements, index, around[0]):
                word = words.such_that
            elif sign == "/" and is_parallel(elements, index):
                word = words.operators["∥"]
            elif sign == "/" and is_parallel(elements, index - 1):
                word = ""
            elif sign == "(" and name in _FUNCTIONS:
                word = words.of_parenthesis
            elif sign == "≡" and not is_congruence:
                word = words.identical
            elif sign == "∧" and before.tag == "mn" and after.tag == "mfrac":
                word = words.logical_and
            elif _is_decimal_point(elements, index):
                word = words.point
            elif element.tag == "mfrac":
                # The words for a limit end with "of". So listeners hear where a fraction after the
                # limit begins.
                is_limit = (
                    sign_of(before) == "\u2061" and index > 1 and _is_ranged(elements[index - 2])
                )
                word = self._fraction(element, _NOTHING if is_limit else before, after)
            elif _is_repeating(elements, index):
                word = self._repeating(element)
            elif _is_unit(before, element, after):
                word = self._unit(element)
            elif _is_empty_base(element) and _ends_term(before) and not _is_marked(element):
                word = words.before.format(part=self.part(element))
            elif element.tag == "mrow":
                word = self._row(list(element), name)
                # Without a group, an index or exponent without a base would be heard as that of the
                # part before the row.
                if _is_empty_base(next(iter(flat(element)), _NOTHING)) and _ends_term(before):
                    word = words.group.format(part=word)
            else:
                word = self.part(element)
            if _is_evaluated(element) and after is not _NOTHING:
                word = f"{word} {words.end_evaluated}"
            if sign in PAIRS:
                opened.append((sign, name))
            elif sign in PAIRS.values() and opened:
                opened.pop()
            if around[0] == "{" and word == words.such_that:
                # Only the first sign separates the condition of a set. A later bar "divides".
                opened[-1] = ("", "")
            said.append(word)
        return " ".join(self._joined_numbers(elements, said))

    def _bar(
        self,
        meaning: bars.Meaning,
        elements: Sequence[Element],
        index: int,
        around: tuple[str, str],
    ) -> str:
        """The words for a vertical bar in a row. `around` has the bracket around it, and the name
        before the bracket."""
        words = self._words
        element = elements[index]
        sign = sign_of(base_of(element))
        is_norm = sign == "‖" or meaning.endswith("norm")
        if meaning == "inner":
            return ""
        if meaning.startswith("open"):
            return words.norm if is_norm else words.absolute_value
        if meaning.startswith("close"):
            end = words.end_norm if is_norm else words.end_absolute_value
            return end if is_leaf(element) else f"{end} {self._scripts(element)}"
        if meaning == "between":
            return self._between(elements, index, around)
        bar = words.operators["‖" if sign == "‖" else "|"]
        return bar if is_leaf(element) else f"{bar} {self._scripts(element)}"

    def _between(self, elements: Sequence[Element], index: int, around: tuple[str, str]) -> str:
        """The words for a bar between two terms. In doubt it is only a vertical bar."""
        words = self._words
        bracket, name = around
        if bracket == "{" or _is_condition(elements, index):
            return words.such_that
        if _plain(name) in _PROBABILITIES:
            return words.given
        is_product = (
            bracket == "⟨"
            or name
            or not all(_is_divisor(each) for each in elements[index - 1 : index + 2 : 2])
        )
        return words.operators["|" if is_product else "∣"]

    def _fenced(self, elements: Sequence[Element]) -> str | None:
        """The words for a table, a matrix, cases, a binomial coefficient or two stacked rows, if
        the elements contain nothing else. Otherwise None."""
        if len(elements) == 1 and elements[0].tag == "mtable":
            return self._table(elements[0])
        if len(elements) < 2 or elements[0].tag != "mo" or is_tight(elements[0]):
            return None
        opening, closing = sign_of(elements[0]), sign_of(elements[-1])
        inside = elements[1:-1] if elements[-1].tag == "mo" else elements[1:]
        is_pair = closing == {"|": "|", "‖": "‖", **PAIRS}.get(opening, "")
        is_cases = opening == "{" and closing == ""
        doubled = flat(inside[0]) if [each.tag for each in inside] == ["mrow"] else []
        if (opening, closing) == ("|", "|") and _are_absolute(doubled):
            words = self._words
            return f"{words.norm} {self._row(doubled[1:-1])} {words.end_norm}"
        if len(inside) == 1 and inside[0].tag == "mtable" and (is_pair or is_cases):
            return self._table(inside[0], "cases" if is_cases else opening)
        if len(inside) == 1 and _is_stack(inside[0]):
            upper, lower = (self._part(each) for each in inside[0])
            if (opening, closing) == ("(", ")"):
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
        rows = [[self._cell(cell) for cell in row] for row in table]
        width = max((len(row) for row in rows), default=0)
        # Columns of aligned equations are aligned at the sign between them.
        sides = [[cell.get("columnalign") for cell in row][:2] for row in table]
        is_aligned = any(row in (["right"], ["right", "left"]) for row in sides) or all(
            len(row) == 3 and len(row[1]) == 1 and sign_of(row[1][0]) for row in table
        )
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

    def _cell(self, cell: Element) -> str:
        """The words for a cell, as a group if it contains commas, which separate cells too."""
        said = self._row(list(cell))
        signs = [sign_of(each) for each in flat(cell)][:-1]
        is_listed = any(sign in signs for sign in ",;")
        return self._words.group.format(part=said) if is_listed else said

    def _fraction(
        self, element: Element, before: Element = _NOTHING, after: Element = _NOTHING
    ) -> str:
        """The words for a fraction between two elements of a row."""
        words = self._words
        upper, lower = map(lone, element)
        if _is_stack(element):
            said = words.stack.format(
                opening="", upper=self._part(upper), lower=self._part(lower), closing=""
            )
            return said.strip()
        if upper.tag == lower.tag == "mn":
            common = self._common_fraction(upper.text or "", lower.text or "")
            if before.tag == "mn":
                return words.mixed.format(part=common or self._over(upper, lower))
            if common is not None:
                return common
        is_alone = _is_around_fractions(before) and _is_around_fractions(after)
        if is_alone and is_simple(upper) and is_simple(lower):
            return self._over(upper, lower)
        return words.fraction.format(upper=self._row([upper]), lower=self._row([lower]))

    def _over(self, upper: Element, lower: Element) -> str:
        return self._words.over.format(upper=self._row([upper]), lower=self._row([lower]))

    def _common_fraction(self, upper: str, lower: str) -> str | None:
        is_common = _WHOLE.fullmatch(upper) and _WHOLE.fullmatch(lower)
        if not is_common or int(lower) not in self._words.fractions:
            return None
        one, several = self._words.fractions[int(lower)]
        count = int(upper)
        counts = self._words.counts
        number = counts[count] if count < len(counts) else upper
        return f"{number} {one if count == 1 else several}"

    def _root(self, element: Element) -> str:
        inside = flat(element)
        said = self._words.square_root.format(part=self._row(inside))
        is_alone = len(inside) == 1 and is_simple(inside[0])
        return said if is_alone else f"{said} {self._words.end_root}"

    def _nth_root(self, element: Element) -> str:
        inside, index = element
        words = self._words
        degree = self.part(index) if is_simple(index) else f"({self.part(index)})"
        name = words.roots.get(text_of(index), words.any_root.format(degree=degree))
        said = words.root.format(name=name, part=self.part(inside))
        return said if is_simple(inside) else f"{said} {words.end_root}"

    def _scripted(self, element: Element) -> str:
        """The words for a base with an index or an exponent on its right, or both."""
        words = self._words
        base = lone(element[0])
        name = _text_in(base, "mi")
        if sign_of(base) in LARGE:
            return self._ranged(element)
        if name in words.identifiers and element.tag == "msup" and _is_minus_one(element[1]):
            return words.inverse.format(part=words.identifiers[name])
        if name in _LIMITS | _RANGES and element.tag in ("msub", "munder"):
            return self._ranged(element)
        if name == "log" and element.tag == "msub":
            return words.logarithm.format(base=self._part(element[1]))
        if _is_evaluated(element):
            inside = flat(base)[1:-1]
            is_one = len(inside) == 1 and (is_simple(inside[0]) or inside[0].tag == "mfrac")
            part = self._row(inside)
            part = part if is_one else words.group.format(part=part)
            low = words.evaluated.format(part=part, low=self.part(element[1]))
            if element.tag != "msubsup":
                return low
            return words.evaluated_between.format(part=low, high=self.part(element[2]))
        if _is_empty_base(element):
            # An index without a base belongs to the base that follows it.
            beside = {"ub": words.sub, "up": words.superscript}
            indices = zip(element.tag.removeprefix("m").split("s")[1:], element[1:], strict=True)
            return " ".join(
                words.powers[text]
                if (text := text_of(index)) in _MARKS and place == "up"
                else beside[place].format(index=self._part(index))
                for place, index in indices
            )
        if element.tag == "msup" and (signed := words.signed.get((name, text_of(element[1])))):
            return signed
        if (ending := _ordinal(element)) is not None:
            return f"{self._base(base)}{'' if base.tag == 'mn' else '-'}{ending}"
        return f"{self._base(base)} {self._scripts(element)}"

    def _repeating(self, element: Element) -> str:
        """The words for digits that repeat, with or without an index or an exponent."""
        if element.tag in SCRIPTS:
            return f"{self._repeating(lone(element[0]))} {self._scripts(element)}"
        words = self._words
        template = words.repeating if sign_of(element[1]) == "‾" else words.recurring
        return template.format(part=self.part(element[0]))

    def _unit(self, element: Element) -> str:
        """The words for a unit such as "min", with or without an exponent."""
        name = name_of(element)
        return f"{name} {self._scripts(element)}" if element.tag in SCRIPTS else name

    def _base(self, base: Element) -> str:
        """The words for the base of an index or an exponent. If the base has several parts, the
        words show where it begins or that all of it is meant."""
        words = self._words
        said = self.part(base)
        is_whole = base.tag in ("mover", "munder", "munderover", "mtable") or is_letter(base)
        if is_whole or (is_fenced(base) and not _is_binomial(base)):
            return said
        if base.tag in ("mrow", "mi") and not _is_binomial(base):
            return words.group.format(part=said)
        return words.all.format(part=said)

    def _scripts(self, element: Element) -> str:
        if element.tag == "msub":
            return self._sub(element[1])
        if element.tag == "msup":
            return self._power(element[1])
        return f"{self._sub(element[1])} {self._power(element[2])}"

    def _sub(self, index: Element) -> str:
        said = self._words.sub.format(index=self._index(index))
        return said if is_simple(index) else f"{said} {self._words.end_sub}"

    def _power(self, index: Element) -> str:
        words = self._words
        primes = list(takewhile(_prime, flat([index])))
        if primes:
            rest = Element("mrow")
            rest.extend(flat([index])[len(primes) :])
            said = [words.powers[_prime(each)] for each in primes]
            return " ".join([*said, *([self._power(rest)] if len(rest) else [])])
        text = text_of(index)
        if text in words.powers:
            return words.powers[text]
        if text in ("+", "−"):
            return words.superscript.format(index=words.operators[text])
        inside = flat(index) if index.tag == "mrow" else []
        is_minus = len(inside) == 2 and sign_of(inside[0]) == "−" and is_simple(inside[1])
        if is_simple(index) or is_minus:
            return words.power.format(index=self._index(index))
        return words.long_power.format(index=self.part(index))

    def _index(self, index: Element) -> str:
        label = _text_in(index, "mi")
        return label if label in _LABELS else self.part(index)

    def _ranged(self, element: Element) -> str:
        """The words for a large operator or a limit, with the parts below and above it."""
        words = self._words
        name, base = name_of(element[0]), self.part(lone(element[0]))
        low = element[1] if element.tag in ("msub", "munder", "msubsup", "munderover") else None
        high = element[-1] if element.tag in ("msup", "mover", "msubsup", "munderover") else None
        if low is not None and name in _LIMITS:
            near = self._row([low], arrow=words.approaches)
            return words.limit.format(name=base, low=near)
        if low is not None and high is not None:
            return words.range.format(name=base, low=self._end(low), high=self._end(high))
        if low is not None:
            return words.range_over.format(name=base, low=self.part(low))
        return words.range_to.format(name=base, high=self.part(element[-1]))

    def _end(self, element: Element) -> str:
        """The words for an end of a range, as a group if they contain the word that separates the
        two ends, such as "to"."""
        said = self.part(element)
        is_clear = f" {self._words.to} " not in f" {said} "
        return said if is_clear else self._words.group.format(part=said)

    def _stacked(self, element: Element) -> str:
        """The words for a base with a part centred above or below it, or both."""
        words = self._words
        base = lone(element[0])
        if sign_of(base) in LARGE or _text_in(base, "mi") in _LIMITS | _RANGES:
            return self._ranged(element)
        if element.tag == "munderover":
            return words.below_and_above.format(
                part=self._part(base), low=self.part(element[1]), high=self.part(element[2])
            )
        mark = sign_of(element[1])
        part = self.part(base)
        is_above = element.tag == "mover"
        known = words.above if is_above else words.below
        if mark not in known:
            other = words.with_above if is_above else words.with_below
            return other.format(part=self._part(base), mark=self.part(element[1]))
        if mark == "↔":
            template = words.line_letter if is_letter(base) else words.line_over
            return template.format(part=part)
        has_arrow = mark in _VECTORS and is_above
        if is_letter(base) and has_arrow:
            return words.vector.format(part=part)
        is_one = is_letter(base) and (base.tag != "mn" or len(base.text or "") == 1)
        if is_one and is_above and mark not in _WIDE and not is_vector(base):
            return words.accent.format(part=part, mark=known[mark])
        template = words.over_part if is_above else words.under_part
        if has_arrow:
            template = words.long_vector
        return template.format(part=part, mark=known[mark])

    def _prescripted(self, element: Element) -> str:
        """The words for a base with an index or an exponent on its left."""
        words = self._words
        tags = [each.tag for each in element]
        at = tags.index("mprescripts") if "mprescripts" in tags else len(element)
        said = [self._base(lone(element[0]))]
        for index, each in enumerate([*element[1:at], *element[at + 1 :]]):
            template = words.superscript if index % 2 else words.sub
            scripted = template.format(index=self._part(each)) if len(each) or each.text else ""
            said.insert(len(said) if index + 1 < at else len(said) - 1, scripted)
        return " ".join(filter(None, said))

    def _identifier(self, element: Element) -> str:
        text = " ".join(_SELECTORS.sub("", element.text or "").split())
        if text in self._words.identifiers:
            return self._words.identifiers[text]
        is_word = len(text) > 1 and text.isascii()
        if is_word:
            return text
        known = self._words.identifiers
        return " ".join(known.get(each) or self._words.letter(each) for each in text)

    def _operator(self, element: Element) -> str:
        text = element.text or ""
        words = self._words
        known = words.operators.get(text, words.symbols.get(text))
        return symbol(text) if known is None else known

    def _joined_numbers(self, elements: Sequence[Element], said: Sequence[str]) -> list[str]:
        """The words, with the parts of a number such as "1 , 000" or "10 : 30" joined."""
        joined: list[str] = []
        ratios = [
            index
            for index, (element, word) in enumerate(zip(elements, said, strict=True))
            if word == self._words.ratio and sign_of(element) in (":", "∶")
        ]
        colons = _colons_of_times(elements, ratios)
        for index, (element, word) in enumerate(zip(elements, said, strict=True)):
            start, mark = elements[index - 2 : index] if index > 1 else (_NOTHING, _NOTHING)
            is_number = _core(element).tag == start.tag == "mn"
            is_part = _is_narrow(mark) and joined[-1] == ","
            if is_number and (is_part or index - 1 in colons):
                joined[-2:] = [f"{joined[-2]}{sign_of(mark)}{word}"]
            else:
                joined.append(word)
        return joined

    def _part(self, element: Element) -> str:
        """The words for an element, as a group if listeners could not hear where it begins or
        ends."""
        said = self.part(element)
        is_whole = element.tag in ("munder", "mover") or is_simple(element)
        return said if is_whole else self._words.group.format(part=said)


def _colons_of_times(elements: Sequence[Element], colons: Sequence[int]) -> set[int]:
    """The positions of the colons in times of day, such as 10:30. `colons` has the positions of
    those that may separate the parts of a ratio. If one of them does, as in 2:10 = 1:5, all do."""
    chains: list[list[int]] = []
    for index in colons:
        if chains and chains[-1][-1] == index - 2:
            chains[-1].append(index)
        else:
            chains.append([index])
    is_proportion = [len(each) for each in chains] == [1, 1] and (
        [sign_of(each) for each in elements[colons[0] : colons[1] + 1]] == [":", "", "=", "", ":"]
    )
    is_time = not is_proportion and all(_is_time(elements, each) for each in chains)
    return {*colons} if is_time else set()


def _is_time(elements: Sequence[Element], colons: Sequence[int]) -> bool:
    start, end = colons[0] - 1, colons[-1] + 1
    parts = elements[start : end + 1]
    # The number goes on in the scales 1:25 000 and 1:25,000.
    following = [each for each in elements[end + 1 : end + 3] if _words(each).strip() or len(each)]
    beside = [*elements[max(start - 1, 0) : start], *following[:1]]
    is_whole = not any(each.tag == "mn" or _is_narrow(each) for each in beside)
    text = "".join(each.text or "" for each in parts)
    return is_whole and all(map(is_leaf, parts)) and bool(_TIME.fullmatch(text))


def _is_narrow(comma: Element) -> bool:
    """Whether a comma was typed as {,}. Commas in small print have no space after them either, but
    `formulas` gives them both attributes."""
    return sign_of(comma) == "," and comma.get("rspace") == "0" and not comma.get("lspace")


def _is_decimal_point(elements: Sequence[Element], index: int) -> bool:
    """Whether the element is the decimal point of a number: a comma, or a point that is an element
    of its own, before digits or digits in parentheses. A comma that separates thousands is no
    decimal point."""
    mark = elements[index]
    is_point = _text_in(mark, "mi") == "."
    after = elements[index + 1 : index + 4]
    if not after or not (is_point or _is_narrow(mark)):
        return False
    before = elements[index - 1] if index else _NOTHING
    digits = _core(after[0])
    if before.tag != "mn":
        # A number may begin with its point.
        is_first = before.tag == "mtext" or not _ends_term(before)
        return is_point and is_first and digits.tag == "mn"
    if [sign_of(each) for each in after] == ["(", "", ")"]:
        return after[1].tag == "mn"
    is_grouped = re.fullmatch("[1-9][0-9]{0,2}", before.text or "") or (
        index > 2 and len(before.text or "") == 3 and _is_narrow(elements[index - 2])
    )
    is_plain = lone(base_of(lone(after[0]))) is digits
    is_thousands = is_grouped and is_plain and len(digits.text or "") == 3
    return digits.tag == "mn" and (is_point or not is_thousands)


def _is_repeating(elements: Sequence[Element], index: int) -> bool:
    """Whether an element has digits with a bar or a dot above, after the point of a number. Other
    digits with a bar are numerals of another base, such as 1011 in base 2."""
    if not _has_repeated_digits(elements[index]):
        return False
    while index > 0 and (
        elements[index - 1].tag == "mn" or _has_repeated_digits(elements[index - 1])
    ):
        index -= 1
        if "." in (elements[index].text or ""):
            return True
    return index > 0 and _is_decimal_point(elements, index - 1)


def _has_repeated_digits(element: Element) -> bool:
    marked = lone(base_of(element))
    is_marked = marked.tag == "mover" and sign_of(marked[1]) in ("‾", "˙")
    return is_marked and lone(marked[0]).tag == "mn"


def _core(element: Element) -> Element:
    """The part at which an element begins, without an index, an exponent, or a mark above, such as
    the bar above repeated digits."""
    while (element := lone(element)).tag in SCRIPTS | {"mover"} and len(element):
        element = element[0]
    return element


def _words(element: Element) -> str:
    return element.text or ""


def is_vector(element: Element) -> bool:
    """Whether the element is a vector: a letter in bold, or something below an arrow."""
    while (element := lone(element)).tag in SCRIPTS:
        element = element[0]
    if element.tag == "mover":
        return sign_of(element[1]) in _VECTORS
    return element.tag == "mi" and _SPEAKERS["en"].part(element).startswith("bold ")


def is_parallel(elements: Sequence[Element], index: int) -> bool:
    """Whether the element is the first of two slashes that mean "is parallel to", as in (AB)//(CD).
    Between numbers they may be a division."""
    around = elements[index - 1 : index + 3]
    return (
        index > 0
        and [sign_of(each) == "/" for each in around] == [False, True, True, False]
        and all(each.tag != "mn" for each in around)
    )


def is_product(elements: Sequence[Element], index: int) -> bool:
    """Whether a sign at this position, such as a point, may be the product of two vectors."""
    element = elements[index]
    return sign_of(element) in _PRODUCTS | {"∧"} or _text_in(element, "mi") == "."


def _is_perpendicular(elements: Sequence[Element], index: int) -> bool:
    """Whether the element is \\bot between two terms. Elsewhere it is the value "false"."""
    around = [*elements[max(index - 1, 0) : index], *elements[index + 1 : index + 2]]
    return (
        _text_in(elements[index], "mi") == "⊥"
        and len(around) == 2
        and all(each.tag != "mtext" for each in around)
        and _ends_term(around[0])
        and sign_of(_first(around[1])) in {"", *PAIRS}
    )


def _first(element: Element) -> Element:
    """The first element of a row; the element itself if it is not a row."""
    return element[0] if element.tag == "mrow" and len(element) else element


def _text_in(element: Element, tag: str) -> str:
    """The text of an element with this tag, or of one that is alone in a row; otherwise empty."""
    element = lone(element)
    return " ".join((element.text or "").split()) if element.tag == tag else ""


def _all(elements: Iterable[Element]) -> Iterator[Element]:
    return chain.from_iterable(each.iter() for each in elements)


def _first_arrow(elements: Iterable[Element]) -> str | None:
    """The first arrow of a function, as in f: A → B or f: x ↦ x². None if there is none."""
    return next((sign for each in elements if (sign := sign_of(each)) in _ARROWS | _MAPS), None)


def _is_divisor(element: Element) -> bool:
    """Whether a sign "divides" may stand beside the element. Names that begin with a capital letter
    may be sets or events instead of numbers."""
    return not name_of(_core(element))[:1].isupper() and not is_vector(element)


def _are_absolute(elements: Sequence[Element]) -> bool:
    """Whether the elements are an absolute value between \\left| and \\right|."""
    return len(elements) > 2 and all(
        sign_of(each) == "|" and not is_tight(each) for each in (elements[0], elements[-1])
    )


def _has_table(element: Element) -> bool:
    """Whether the element is a table, or a bracket with a table after it, such as cases."""
    return any(each.tag == "mtable" for each in flat([element])[:1] + flat(element)[:2])


def _is_condition(elements: Sequence[Element], index: int) -> bool:
    """Whether a bar begins the condition of a quantifier, as in ∃x | x² = 2. Without a relation
    after it, as in ∀d | n, it divides."""
    before = [sign_of(each) for each in elements[:index]]
    after = takewhile(lambda sign: sign not in _ENDS, map(sign_of, elements[index + 1 :]))
    return _quantifier(before) != "" and any(sign in _RELATIONS for sign in after)


def _is_separating(elements: Sequence[Element], index: int, bracket: str) -> bool:
    """Whether a slash means "such that", as in {n ∈ A / n > 3}: in a set or after ∃, it has a
    membership or spaces before it, and a condition after it."""
    signs = [sign_of(each) for each in elements]
    before = takewhile(lambda sign: sign not in _ENDS | {bracket}, reversed(signs[:index]))
    after = takewhile(lambda each: sign_of(each) not in _ENDS | {"}"}, elements[index + 1 :])
    beside = elements[max(index - 1, 0) : index + 2]
    is_spaced = len(beside) == 3 and all(map(_is_blank, beside[::2]))
    is_set = bracket == "{" or _quantifier(signs[:index]) in {*"∃∄"}
    is_condition = any(
        sign_of(each) in _RELATIONS or (each.tag == "mtext" and not _is_blank(each))
        for each in after
    )
    nearest = next((sign for sign in before if sign in _RELATIONS), "")
    return is_set and is_condition and (is_spaced or nearest == "∈")


def _is_congruence(row: Sequence[Element]) -> bool:
    """Whether a row names a modulus: after "mod", or in brackets after a space at its end."""
    if any(_words(each).split()[:1] in (["mod"], ["modulo"]) for each in _all(row)):
        return True
    bracket = {")": "(", "]": "["}.get(sign_of(row[-1])) if row else None
    found = [index for index, each in enumerate(row) if sign_of(each) == bracket]
    if not bracket or len(found) != 1 or found[0] == 0:
        return False
    space = row[found[0] - 1]
    is_spaced = _is_blank(space) or (space.tag == "mspace" and space.get("width", "") > "0.4")
    return is_spaced and not any(sign_of(each) in _RELATIONS for each in row[found[0] :])


def _is_blank(element: Element) -> bool:
    return element.tag == "mtext" and not _words(element).strip()


def _quantifier(signs: Sequence[str]) -> str:
    """The quantifier to which these signs still belong, as those of "∃ x ∈ A"; empty if none."""
    depth = 0
    for sign in reversed(signs):
        depth += (sign in PAIRS.values()) - (sign in PAIRS)
        if depth == 0 and sign in {*"∀∃∄"}:
            return sign
        if depth < 0 or (depth == 0 and sign in _ENDS):
            break
    return ""


def _owner(elements: Sequence[Element], index: int) -> str:
    """The name before an element of a row, which may be applied to it. Where another word already
    says that it is applied, as in \\Pr(A), or that a function is applied to it, as in sin f(x), the
    name is "Pr" for a probability and empty for others, so that it is not read as "f of"."""
    before = elements[index - 1]
    if sign_of(before) == "\u2061" and index > 1:
        before = elements[index - 2]
    elif before.tag != "mtext" and (index < 2 or sign_of(elements[index - 2]) != "\u2061"):
        return name_of(before)
    name = _words(before).strip() if before.tag == "mtext" else name_of(before)
    return "Pr" if _plain(name) in _PROBABILITIES else ""


def _plain(name: str) -> str:
    """The name without its style."""
    return unicodedata.normalize("NFKC", name)


def _is_unit(before: Element, element: Element, after: Element) -> bool:
    """Whether the element is a unit such as "min", with or without an exponent, instead of the
    function of this name. A function has an argument. After a number or a slash, only brackets and
    an application are one."""
    if element.tag not in ("mi", "msup") or _text_in(base_of(element), "mi") not in _UNITS:
        return False
    following = sign_of(_first(after))
    if following == "\u2061" or following in PAIRS:
        return False
    is_measured = base_of(before).tag in ("mn", "mfrac") or sign_of(before) == "/"
    return is_measured or following != "" or after is _NOTHING or after.tag == "mtext"


def _is_stack(element: Element) -> bool:
    return element.tag == "mfrac" and element.get("linethickness") == "0"


def _is_binomial(element: Element) -> bool:
    inside = flat(element)
    return len(inside) == 3 and sign_of(inside[0]) == "(" and _is_stack(inside[1])


def _is_around_fractions(element: Element) -> bool:
    inner = element[0] if element.tag.startswith(("msu", "mund")) and len(element) else element
    return element is _NOTHING or element.tag == "mtext" or sign_of(inner) in _AROUND_FRACTIONS


def _is_ranged(element: Element) -> bool:
    """Whether the element is a limit, or a function such as the maximum, with a range below."""
    return element.tag in ("msub", "munder") and name_of(element) in _LIMITS | _RANGES


def _is_empty_base(element: Element) -> bool:
    """Whether the element has an index or an exponent but no base, as in {}_n C."""
    return element.tag in SCRIPTS and not flat(element[:1])


def _is_marked(element: Element) -> bool:
    return element.tag == "msup" and text_of(element[1]) in _MARKS


def _prime(element: Element) -> str:
    """The prime that is the element, with or without an empty base; empty if it is none."""
    mark = element[1] if _is_marked(element) and _is_empty_base(element) else element
    return text_of(mark) if text_of(mark) in {*"′″‴"} else ""


def _ends_term(element: Element) -> bool:
    return element is not _NOTHING and sign_of(base_of(element)) in ("", ")", "]", "}", "!")


def _is_evaluated(element: Element) -> bool:
    """Whether the element is a part with a bar on its right, and an index at the bar."""
    if element.tag not in ("msub", "msubsup") or element[0].tag != "mrow":
        return False
    inside = flat(element[0])
    return len(inside) > 1 and inside[0].text == "\u2063" and sign_of(inside[-1]) == "|"


def _is_minus_one(element: Element) -> bool:
    inside = flat(element) if element.tag == "mrow" else []
    return len(inside) == 2 and sign_of(inside[0]) == "−" and text_of(inside[1]) == "1"


def _ordinal(element: Element) -> str | None:
    """The ending of an ordinal such as n^{\\text{th}}; None if the element is anything else."""
    if element.tag != "msup":
        return None
    index = lone(element[1])
    text = (index.text or "").strip()
    is_ending = index.tag == "mtext" or (index.tag == "mi" and len(text) > 1)
    return text if is_ending and _ORDINAL.fullmatch(text) else None


def _lines(line: str, lines: Sequence[str], end: str) -> str:
    """The words for numbered lines, each formatted with the template `line`, and `end` after
    them."""
    said = "; ".join(line.format(index=index, line=each) for index, each in enumerate(lines, 1))
    return f"{said}; {end}"


_VOCABULARIES: dict[Language, Vocabulary] = {"en": ENGLISH, "fr": FRENCH}
_SPEAKERS = {language: _Speaker(words) for language, words in _VOCABULARIES.items()}
