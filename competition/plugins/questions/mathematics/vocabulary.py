"""The words for formulas in one language, and the names of letters and symbols."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Operators that have a range, such as the sum.
LARGE = frozenset("∑∏⋃⋂∐⋁⋀∫∬∭∮")
_STYLES = {
    **{"BOLD": "bold", "SCRIPT": "script", "FRAKTUR": "fraktur", "BLACK-LETTER": "fraktur"},
    **{"DOUBLE-STRUCK": "double-struck", "CIRCLED": "circled"},
}


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """The words of a language.

    A text with names in braces is a template: the spoken parts of the formula replace the names.
    The tables have the words for single symbols. `repeated` has the words for signs that stand
    beside each other, `signed` has the words for a set of numbers with a sign, and `roots` has the
    words for the degree of a root.
    """

    operators: Mapping[str, str]
    identifiers: Mapping[str, str]
    # Symbols that are operators for some authors, and letters or units for others.
    symbols: Mapping[str, str]
    # The names of marks above and below a base.
    above: Mapping[str, str]
    below: Mapping[str, str]
    # The singular and the plural of a fraction's denominator.
    fractions: Mapping[int, tuple[str, str]]
    counts: Sequence[str]
    powers: Mapping[str, str]
    matrices: Mapping[str, str]
    repeated: Mapping[str, str]
    signed: Mapping[tuple[str, str], str]
    roots: Mapping[str, str]
    # The names of styles and of Greek letters, by their English names.
    styles: Mapping[str, str]
    greek: Mapping[str, str]

    styled: str
    capital: str
    image: str
    point: str
    repeating: str
    recurring: str
    exactly_one: str
    such_that: str
    given: str
    defined_as: str
    of: str
    of_parenthesis: str
    dot: str
    cross: str
    identical: str
    logical_and: str
    mixed: str
    absolute_value: str
    end_absolute_value: str
    norm: str
    end_norm: str
    choose: str
    stack: str
    case: str
    end_cases: str
    line: str
    end_lines: str
    table: str
    whole_table: str
    row: str
    blank: str
    over: str
    fraction: str
    square_root: str
    root: str
    any_root: str
    before: str
    end_root: str
    inverse: str
    logarithm: str
    evaluated: str
    evaluated_between: str
    end_evaluated: str
    all: str
    sub: str
    end_sub: str
    superscript: str
    power: str
    long_power: str
    limit: str
    # The word for an arrow, and the word that replaces it in a limit.
    to: str
    approaches: str
    # The word for an arrow where "a to b" would be a ratio.
    arrow: str
    ratio: str
    from_domain: str
    # The colon after the name of a function, as in "f: x maps to x squared".
    pause: str
    range: str
    range_over: str
    range_to: str
    below_and_above: str
    vector: str
    long_vector: str
    line_letter: str
    line_over: str
    over_part: str
    under_part: str
    accent: str
    with_below: str
    with_above: str
    group: str

    def letter(self, character: str) -> str:
        """The name of a letter of any style and alphabet; the character itself if it has none."""
        name = unicodedata.name(character, "")
        name = name.removeprefix("MATHEMATICAL ")
        styles = [word for start, word in _STYLES.items() if name.startswith(start)]
        # Two styles, such as those of a bold script letter.
        styles += [word for start, word in _STYLES.items() if name.startswith(f"BOLD {start}")]
        plain = unicodedata.normalize("NFKC", character)
        name = unicodedata.name(plain, "") if len(plain) == 1 else ""
        if name.startswith("GREEK "):
            said = name.removesuffix(" SYMBOL").split()[-1].lower().replace("lamda", "lambda")
            plain = self.greek.get(said, said)
            if "CAPITAL" in name:
                plain = self.capital.format(letter=plain)
        if unicodedata.category(plain[:1] or " ")[0] in "PSM":
            return self.symbols.get(plain) or symbol(plain)
        for style in reversed(styles):
            plain = self.styled.format(style=self.styles.get(style, style), letter=plain)
        return plain


def symbol(character: str) -> str:
    """The English name that Unicode has for a symbol; the character itself if it has none."""
    return " ".join(unicodedata.name(each, each).lower() for each in character)
