"""Say formulas in English words, for screen readers.

No library that pip installs does this, so this module walks the MathML of `formulas`. What is
longer than a number or a letter gets an end, as in "the fraction a plus b over c, end fraction". So
nobody has to guess where a fraction, a root or a power stops.
"""

import re
import unicodedata
from collections.abc import Sequence
from xml.etree.ElementTree import Element

# What symbols are called. Those that are not here are called by their name in Unicode.
_SYMBOLS = {
    **{"+": "plus", "−": "minus", "±": "plus or minus", "∓": "minus or plus", "×": "times"},
    **{"÷": "divided by", "⋅": "times", "·": "times", "∗": "star", "⋆": "star", "/": "over"},
    **{"=": "equals", "≠": "is not equal to", "<": "is less than", ">": "is greater than"},
    **{"≤": "is less than or equal to", "≥": "is greater than or equal to"},
    **{"≪": "is much less than", "≫": "is much greater than", "≈": "is approximately"},
    **{"≱": "is not greater than or equal to", "≰": "is not less than or equal to"},
    **{"∼": "is similar to", "∝": "is proportional to", "≡": "is congruent to"},
    **{"≢": "is not congruent to", "≅": "is congruent to", ":": "to", "→": "goes to"},
    **{"⟶": "goes to", "↦": "maps to", "⇒": "implies", "⟹": "implies", "←": "comes from"},
    **{"⇔": "if and only if", "⟺": "if and only if", "↔": "if and only if", "∞": "infinity"},
    **{"∈": "is in", "∉": "is not in", "∋": "contains", "⊂": "is a subset of"},
    **{"⊆": "is a subset of or equal to", "⊊": "is a proper subset of"},
    **{"⊃": "is a superset of", "⊇": "is a superset of or equal to", "⊄": "is not a subset of"},
    **{"∪": "union", "∩": "intersection", "∖": "without", "\\": "without", "∅": "the empty set"},
    **{"∧": "and", "∨": "or", "¬": "not", "∀": "for all", "∃": "there exists"},
    **{"∄": "there does not exist", "∴": "therefore", "∵": "because", "∣": "vertical bar"},
    **{"∤": "does not divide", "∥": "is parallel to", "∦": "is not parallel to"},
    **{"⟂": "is perpendicular to", "⊥": "is perpendicular to", "⊢": "proves", "⊨": "models"},
    **{"∠": "angle", "∡": "measured angle", "∢": "spherical angle", "△": "triangle"},
    **{"□": "square", "⊙": "circle", "∘": "of", "∂": "partial", "∇": "nabla", "ℓ": "l"},
    **{"ℵ": "aleph", "ℜ": "the real part of", "ℑ": "the imaginary part of", "ℏ": "h bar"},
    **{"ℝ": "the real numbers", "ℕ": "the natural numbers", "ℤ": "the integers"},
    **{"ℚ": "the rational numbers", "ℂ": "the complex numbers", "𝔼": "the expected value"},
    **{"(": "open parenthesis", ")": "close parenthesis", "[": "open bracket"},
    **{"]": "close bracket", "{": "open brace", "}": "close brace", "⟨": "open angle bracket"},
    **{"⟩": "close angle bracket", "⌊": "floor of", "⌋": "end floor", "⌈": "ceiling of"},
    **{"⌉": "end ceiling", "|": "vertical bar", "‖": "double vertical bar", ",": ","},
    **{";": ";", ".": ".", "!": "factorial", "?": "question mark", "%": "percent"},
    **{"′": "prime", "″": "double prime", "‴": "triple prime", "⋯": "and so on"},
    **{"…": "and so on", "⋮": "and so on downwards", "⋱": "and so on diagonally"},
    **{"£": "pounds", "€": "euros", "$": "dollars", "#": "the number of", "⊤": "top"},
    **{"⊕": "circled plus", "⊖": "circled minus", "⊗": "circled times", "†": "dagger"},
    **{"↑": "up arrow", "↓": "down arrow", "↪": "maps into", "⇀": "harpoon", "⋄": "diamond"},
    **{"∙": "times", "⌢": "arc", "ı": "i", "ȷ": "j", "°": "degrees"},
    **{"∑": "the sum", "∏": "the product", "∐": "the coproduct", "∫": "the integral"},
    **{"∬": "the double integral", "∭": "the triple integral", "∮": "the contour integral"},
    **{"⋃": "the union", "⋂": "the intersection", "lim": "the limit", "⁡": "", "⁣": ""},
    **{"sin": "sine", "cos": "cosine", "tan": "tangent", "cot": "cotangent", "log": "log"},
    **{"sec": "secant", "csc": "cosecant", "arcsin": "arc sine", "arccos": "arc cosine"},
    **{"arctan": "arc tangent", "ln": "natural log", "gcd": "the greatest common divisor"},
    **{"lcm": "the least common multiple", "max": "the maximum", "min": "the minimum"},
    **{"mod": "modulo", "det": "the determinant of", "Pr": "the probability"},
}
# What has limits above and below.
_RANGING = {"∑", "∏", "∐", "∫", "∬", "∭", "∮", "⋃", "⋂"}
# Marks above or below an expression.
_MARKS = {
    **{"̲": "bar", "¯": "bar", "‾": "bar", "_": "bar", "→": "arrow", "⃗": "vector"},
    **{
        "ˆ": "hat",
        "^": "hat",
        "̂": "hat",
        "˜": "tilde",
        "~": "tilde",
        "˙": "dot",
        "¨": "double dot",
    },
    **{"ˇ": "check", "´": "acute", "`": "grave", "˘": "breve", "⌢": "arc", "↔": "double arrow"},
    **{"⏞": "over-brace", "⏟": "under-brace", "←": "left arrow"},
}
_POWERS = {"2": "squared", "3": "cubed", "∘": "degrees", "⊤": "transpose", "𝖳": "transpose"}
_PRIMES = {"′", "″", "‴"}
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PARTS = {
    **{"2": ("half", "halves"), "3": ("third", "thirds"), "4": ("quarter", "quarters")},
    **{"5": ("fifth", "fifths"), "6": ("sixth", "sixths"), "7": ("seventh", "sevenths")},
    **{"8": ("eighth", "eighths"), "9": ("ninth", "ninths"), "10": ("tenth", "tenths")},
}
_DECIMAL = re.compile(r"(\d)\. (\d)")
_FENCES = {"(": "matrix", "[": "matrix", "{": "matrix", "|": "determinant", "‖": "matrix"}


def say(formula: Element) -> str:
    """The formula in words."""
    words = " ".join(_row(list(formula)).split())
    words = words.replace(". . .", "and so on")
    words = words.replace(" ,", ",").replace(" ;", ";").replace(" .", ".")
    return _DECIMAL.sub(r"\1.\2", words)


def _row(children: Sequence[Element]) -> str:
    """Elements that stand next to each other."""
    said = []
    at = 0
    while at < len(children):
        found = _fenced(children, at)
        if found is not None:
            words, length = found
            said.append(words)
            at += length
            continue
        said.append(_one(children[at]))
        at += 1
    return " ".join(said)


def _fenced(children: Sequence[Element], at: int) -> tuple[str, int] | None:
    """A binomial, a matrix or cases, or something between two bars, which begins at this place,
    with the number of its elements."""
    opening = children[at]
    if opening.tag != "mo" or at + 2 >= len(children):
        return None
    inside, closing = children[at + 1], children[at + 2]
    if closing.tag != "mo":
        return None
    if inside.tag == "mfrac" and inside.get("linethickness") == "0":
        return f"{_part(inside[0])} choose {_part(inside[1])}", 3
    if inside.tag == "mtable":
        kind = _FENCES.get(opening.text or "")
        if (opening.text, closing.text) == ("{", "⁣"):
            return _table(inside, "case"), 3
        if kind is not None:
            return f"the {kind} {_table(inside, 'row')}", 3
    return None


def _one(element: Element) -> str:
    children = list(element)
    match element.tag:
        case "mi" | "mo" | "mn" | "mtext":
            return _symbol(element.text or "")
        case "mspace" | "mphantom" | "mprescripts":
            return ""
        case "mfrac":
            return _fraction(*children)
        case "msqrt":
            return _ended("the square root of", _row(children), "root", children)
        case "mroot":
            index = _plain(children[1])
            name = {"3": "cube root"}.get(index, f"root of order {_one(children[1])}")
            return _ended(f"the {name} of", _one(children[0]), "root", children[:1])
        case "msup":
            return f"{_base(children[0])} {_power(children[1])}"
        case "msub":
            return _below(children[0], children[1])
        case "msubsup":
            return _both(*children)
        case "munder" | "mover" if _plain(children[1]) in _MARKS:
            return f"{_part(children[0])} {_MARKS[_plain(children[1])]}"
        case "munder":
            return _below(children[0], children[1])
        case "mover":
            return f"{_base(children[0])} with {_one(children[1])} above"
        case "munderover":
            return _both(*children)
        case "mtable":
            return _table(element, "row")
        case "mmultiscripts":
            return " ".join(_one(child) for child in children)
        case _:
            return _row(children)


def _symbol(text: str) -> str:
    """A name for a symbol, or the letters and digits as they are."""
    text = text.replace("\u00a0", " ").replace("\u2009", " ")
    # Variation selectors choose a shape of the symbol before them.
    text = "".join(each for each in text if not 0xFE00 <= ord(each) <= 0xFE0F)
    if text in _SYMBOLS:
        return _SYMBOLS[text]
    return "".join(_character(each) for each in text) if text.strip() else ""


def _character(character: str) -> str:
    if character in _SYMBOLS:
        return f" {_SYMBOLS[character]} "
    plain = unicodedata.normalize("NFKC", character)
    name = unicodedata.name(plain, "") if len(plain) == 1 else ""
    if name.startswith("GREEK"):
        size = "capital " if "CAPITAL" in name else ""
        return f" {size}{name.split(' LETTER ')[-1].split(' ')[0].lower()} "
    if plain.isalnum() or plain.isspace() or plain in "'-":
        return plain
    return f" {name.lower() or 'symbol'} "


def _plain(element: Element) -> str:
    """The symbols of an element without the spaces between them."""
    return "".join(element.itertext()).strip()


def _is_short(element: Element) -> bool:
    """Whether an element is a number or a single symbol, which needs no end."""
    if element.tag in ("mi", "mn", "mo", "mtext"):
        return True
    inside = [child for child in element if child.tag != "mspace"]
    is_group = element.tag in ("mrow", "mstyle", "mpadded")
    return is_group and len(inside) == 1 and _is_short(inside[0])


def _part(element: Element) -> str:
    """An element as a part of a larger one."""
    said = _one(element)
    return said if _is_short(element) else f"{said},"


def _base(element: Element) -> str:
    """What a power or an index belongs to."""
    return _one(element) if element.tag != "mrow" or _is_short(element) else f"{_one(element)}, all"


def _ended(before: str, inside: str, name: str, parts: Sequence[Element]) -> str:
    is_short = len(parts) == 1 and _is_short(parts[0])
    return f"{before} {inside}" if is_short else f"{before} {inside}, end {name}"


def _fraction(above: Element, below: Element) -> str:
    numerator, denominator = _plain(above), _plain(below)
    is_number = _is_short(above) and numerator.isascii() and numerator.isdigit()
    if is_number and _is_short(below) and denominator in _PARTS:
        one, several = _PARTS[denominator]
        count = int(numerator)
        said = _SMALL[count] if count < len(_SMALL) else numerator
        return f"{said} {one if count == 1 else several}"
    if _is_short(above) and _is_short(below):
        return f"{_one(above)} over {_one(below)}"
    return f"the fraction {_one(above)} over {_one(below)}, end fraction"


def _power(exponent: Element) -> str:
    written = _plain(exponent)
    if written in _POWERS:
        return _POWERS[written]
    if written and set(written) <= _PRIMES:
        return " ".join(_SYMBOLS[each] for each in written)
    said = _one(exponent)
    return f"to the power {said}" if _is_short(exponent) else f"to the power {said}, end power"


def _below(base: Element, below: Element) -> str:
    name, said = _plain(base), _one(below)
    if name in _RANGING:
        return f"{_one(base)} over {said} of"
    if name.startswith("lim"):
        return f"{_one(base)} as {said} of"
    return f"{_one(base)} sub {said}" if _is_short(below) else f"{_one(base)} sub {said}, end sub"


def _both(base: Element, below: Element, above: Element) -> str:
    if _plain(base) in _RANGING:
        return f"{_one(base)} from {_one(below)} to {_one(above)} of"
    return f"{_below(base, below)} {_power(above)}"


def _table(table: Element, name: str) -> str:
    rows = "; ".join(f"{name} {number}: {_cells(row)}" for number, row in enumerate(table, 1))
    return f"{rows}, end"


def _cells(row: Element) -> str:
    """The cells of a row. A cell that begins with a sign, as in aligned equations, belongs to the
    one before it."""
    said = ""
    for cell in row:
        words = _row(list(cell))
        is_continued = len(cell) > 0 and cell[0].tag == "mo"
        said += (" " if is_continued else ", ") * bool(said and words) + words
    return said
