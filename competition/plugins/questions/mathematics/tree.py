"""Read the parts of a formula in MathML: its symbols, names and brackets."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element

PAIRS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
SCRIPTS = frozenset({"msub", "msup", "msubsup"})
ROWS = frozenset({"mrow", "mpadded", "mstyle"})
LEAVES = frozenset({"mi", "mn", "mo", "mtext"})


def visible(elements: Iterable[Element]) -> list[Element]:
    return [each for each in elements if each.tag not in ("mspace", "mphantom")]


def flat(elements: Iterable[Element]) -> list[Element]:
    """The visible elements of a row. The elements of a group of TeX, which only braces enclose,
    replace the group. Rows with brackets or bars stay."""
    found = []
    for each in visible(elements):
        signs = "".join(map(sign_of, each)) if each.tag in ROWS else "|"
        is_kept = any(sign in signs for sign in "|‖([{⟨⌊⌈") or is_hidden(each)
        found += [each] if is_kept else flat(each)
    return found


def is_hidden(row: Element) -> bool:
    """Whether a row begins or ends with a bracket that is not shown."""
    return any(each.tag == "mo" and each.text == "\u2063" for each in row)


def lone(element: Element) -> Element:
    """The only visible element inside a row and the rows that it contains. The element itself if it
    is no row, or if it has several visible elements."""
    while element.tag in ROWS and len(inside := visible(element)) == 1:
        element = inside[0]
    return element


def is_leaf(element: Element) -> bool:
    return element.tag in LEAVES


def is_letter(element: Element) -> bool:
    """Whether the element is a single letter, number or sign, or one word."""
    element = lone(element)
    text = (element.text or "").rstrip("\ufe00\ufe01").strip()
    return is_leaf(element) and (
        len(text) <= 1 or element.tag == "mn" or (text.isascii() and not set(text) & {*" \n\t"})
    )


def is_simple(element: Element) -> bool:
    """Whether the element is one symbol, with or without an index that is one symbol."""
    element = lone(element)
    return is_letter(element) or (
        element.tag == "msub" and all(map(is_leaf, element)) and all(map(is_letter, element))
    )


def is_fenced(row: Element) -> bool:
    """Whether a row begins with a bracket or a bar whose counterpart ends the row."""
    inside = visible(row)
    if row.tag != "mrow" or len(inside) < 2 or any(each.tag != "mo" for each in inside[::-1][:1]):
        return False
    first, last = inside[0], inside[-1]
    if first.tag != "mo":
        return False
    if is_hidden(row) or sign_of(first) in ("|", "‖"):
        return len(inside) > 2 and (is_hidden(row) or sign_of(last) == sign_of(first))
    depth = 0
    for index, each in enumerate(inside):
        sign = sign_of(each)
        depth += (sign in PAIRS) - (sign in PAIRS.values())
        if depth == 0 and index + 1 < len(inside):
            return False
    return sign_of(first) in PAIRS


def base_of(element: Element) -> Element:
    """The base of an element with an index or an exponent; otherwise the element itself."""
    return element[0] if element.tag in SCRIPTS and len(element) else element


def is_tight(bar: Element) -> bool:
    """Whether a bar was typed without \\left and \\right. math-core removes the space beside it."""
    return bar.get("lspace") == "0"


def sign_of(element: Element) -> str:
    return (element.text or "").replace("\u2063", "") if element.tag == "mo" else ""


def name_of(element: Element) -> str:
    """The name of an identifier, without its indices; empty if the element is something else."""
    while (element := lone(element)).tag in SCRIPTS:
        element = element[0]
    return " ".join((element.text or "").split()) if element.tag == "mi" else ""


def text_of(element: Element) -> str:
    """The text of a single number, letter or sign; empty if the element is anything else."""
    element = lone(element)
    return (element.text or "").strip() if element.tag in ("mi", "mn", "mo") else ""
