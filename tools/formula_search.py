"""Search random formulas for two that differ but have the same words.

    python -m tools.formula_search 50000

Two formulas differ if their MathML differs, apart from spacing, grouping and the signs in `ALIKE`.
"""

import argparse
import random
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element

from competition.core.messages import Language
from competition.plugins.questions.mathematics import formulas, speech
from competition.plugins.questions.mathematics.segments import Formula, Unreadable
from competition.plugins.questions.mathematics.tree import (
    SCRIPTS,
    flat,
    is_fenced,
    is_simple,
    lone,
    sign_of,
)

# Signs that sound alike: each sounds like the first of its group. docs/formulas.md lists them.
ALIKE = (
    *("φϕ", "εϵ", "θϑ", "πϖ", "ρϱ", "σς", "κϰ", "∅⌀", "iı", "jȷ", "lℓ", "□◻", "°∘"),
    *("×⋅·", "∗*", "−-", "≤⩽", "≥⩾", "→⟶", "⇒⟹", "⇐⟸", "⇔⟺↔", "⟂⊥", "|∣:∶", "…⋯"),
    *("ˆ^\u0302", "¯‾ˉ", "˜~\u0303", "→\u20d7", "⌢⏜"),
)
# The bars of a norm sound like two bars beside each other.
_FIRST = {sign: group[0] for group in ALIKE for sign in group} | {"‖": "| |"}
# Brackets of matrices.
_MATRIX = frozenset("([{)]}")

# Few letters, so that many formulas have the same ones.
LETTERS: list[str] = [*"aaaabbbbnnx2223f", "A", "B", "12", r"\mathbf{a}"]
BETWEEN = [
    *("+", "-", r"\times ", "=", "<", r"\le ", ",", "", "", "", r"\to ", ":", r"\cdot ", "/"),
    *(r"\mid ", "|", r"\in ", r"\cup ", r"\equiv ", r"\cong ", r"\div ", r"\Rightarrow ", "!"),
    *(r"\star ", r"\circ ", r"\land ", r"\lor ", ";", r"\parallel ", r"\mapsto ", r"\pm "),
]
TEMPLATES = [
    *("{#}^{#}", "{#}_{#}", "#^{#}", "#_{#}", "#_{#}^{#}", r"\frac{#}{#}", r"\sqrt{#}"),
    *(r"\sqrt[#]{#}", r"\binom{#}{#}", "(#)", r"\left(#\right)", "[#]", r"\{#\}", "|#|"),
    *(r"\left|#\right|", r"\|#\|", r"\overline{#}", r"\hat{#}", r"\widehat{#}", r"\bar{#}"),
    *(r"\underline{#}", r"\vec{#}", r"\overrightarrow{#}", r"\overset{#}{#}", r"\tilde{#}"),
    *(r"\underset{#}{#}", r"\overset{\frown}{#}", r"\underbrace{#}_{#}", r"\overbrace{#}^{#}"),
    *(r"\sum_{#}^{#}#", r"\sum_{#}#", r"\int_{#}^{#}#", r"\prod_{#}#", r"\lim_{x\to #}#"),
    *(r"\sin #", r"\sin^{#} #", r"\log_{#} #", r"\ln(#)", "f(#)", "P(#)", "#!", "#'"),
    *(r"\lfloor #\rfloor", r"\left.#\right|_{#}", r"\max_{#}#", r"\overleftrightarrow{#}"),
    *(r"\begin{pmatrix}#&#\\#&#\end{pmatrix}", r"\begin{cases}#&#\\#&#\end{cases}"),
    *(r"{}^{#}_{#}#", r"\dot{#}", r"#^\circ", r"\ddot{#}", r"#^{-#}", r"#^{-1}", r"#\%"),
    *(r"\begin{aligned}#&=#\\#&=#\end{aligned}", r"\lVert #\rVert", r"0.\overline{#}"),
    *(r"#^{*}", r"#^2", r"#^3", r"{# \atop #}", r"\langle #\rangle", r"#\bmod #", r"\exp #"),
]
# Parts of formulas without braces.
TYPED = [
    *("a", "b", "2", "n", "+", "-", "|", "|", "(", ")", "^2", "_n", "'", "!", ",", "=", "/", ":"),
    *(r"\frac12", r"\frac ab", r"\sqrt2", r"\sqrt a", r"\bar a", r"\hat b", "{,}", "^n", "_2"),
    *(r"\sin ", r"\log ", r"\sum_a", r"\lim_a ", "^{-1}", r"\vec a", r"\to ", "12", r"\|", r"\{"),
    *(r"\}", ";", r"\binom ab", r"\mid ", r"^\circ ", "f", "P", r"\text{ if }", r"\cdot "),
]
# How a formula becomes one that looks similar, as patterns and what replaces them.
MOVES = [
    *((r"([a-z0-9])((?:\\[a-z]+\b)?\{+)", r"\2\1"), (r"(\\[a-z]+\{+)([a-z0-9])", r"\2\1")),
    *((r"(\}+)([a-z0-9])", r"\2\1"), (r"([a-z0-9])(\}+)", r"\2\1"), (r"\|([a-z0-9])", r"\1|")),
    *((r"([a-z0-9])\|", r"|\1"), (r"([_^])(\{)([a-z0-9])", r"\3\1\2"), (r"(\}+)(!|')", r"\2\1")),
    *((r"([a-z0-9])(\}*)$", rf"{{{wrap}{{\1}}}}\2") for wrap in (r"\\sqrt", r"\\hat")),
    *((r"(?<=\{)([a-z0-9])(?=\})", rf"{wrap}{{\1}}") for wrap in (r"\\sqrt", r"\\overline")),
    *((r"(\}+)(\^\{?[a-z0-9]\}?)", r"\2\1"), (r"(\^\{?[a-z0-9]\}?)(\}+)", r"\2\1")),
    *((r"(\}+)(\+[a-z0-9])", r"\2\1"), (r"(\+[a-z0-9])(\}+)", r"\2\1"), (r"\^", "_")),
]


def formula(chance: random.Random, depth: int = 2) -> str:
    """A random formula in TeX."""
    if depth == 0 or chance.random() < 0.3:
        return chance.choice(LETTERS)
    if chance.random() < 0.2:
        return "".join(chance.choices(TYPED, k=chance.randint(2, 6)))
    if chance.random() < 0.35:
        first, second = formula(chance, depth - 1), formula(chance, depth - 1)
        return f"{first}{chance.choice(BETWEEN)}{second}"
    start, *rest = chance.choice(TEMPLATES).split("#")
    return start + "".join(f"{{{formula(chance, depth - 1)}}}{end}" for end in rest)


def neighbour(chance: random.Random, tex: str) -> str:
    """A formula in which a part begins or ends elsewhere, or a letter is in a part of its own. Two
    formulas that are independent of each other are seldom as alike as these."""
    pattern, replaced = chance.choice(MOVES)
    found = list(re.finditer(pattern, tex))
    if not found:
        return tex
    at = chance.choice(found)
    return tex[: at.start()] + at.expand(replaced) + tex[at.end() :]


def read(tex: str) -> Element | None:
    """The formula as MathML, or None if TeX does not allow it."""
    try:
        return formulas.convert(Formula(tex, is_display=False, number=1))
    except Unreadable:
        return None


def shape(element: Element) -> str:
    """A text that two formulas share only if they do not differ."""
    element = lone(element)
    tag, text = element.tag, (element.text or "").strip()
    if tag == "mtext":
        return " ".join(text.split())
    if tag in ("mi", "mn", "mo"):
        plain = unicodedata.normalize("NFKC", text) if _is_light(text) else text
        plain = "".join(_FIRST.get(each, each) for each in plain)
        return "".join(each for each in plain if each not in "\u2061\u2062\u2063\u2064")
    if tag in ("mrow", "math", "mtd", "msqrt"):
        inside = _spliced(element)
        if len(inside) == 3 and inside[1].tag == "mtable" and sign_of(inside[0]) in _MATRIX:
            return f"matrix {shape(inside[1])}"
        said = " ".join(filter(None, (_shape_at(inside, at) for at in range(len(inside)))))
        return f"{tag}({said})" if tag in ("mtd", "msqrt") else said
    if tag == "mfrac" and not element.get("linethickness"):
        upper, lower = map(shape, element)
        # A fraction of two symbols sounds like a slash, where both mean the same.
        is_short = all(map(is_simple, element))
        return f"{upper} / {lower}" if is_short else f"mfrac({upper}, {lower})"
    inside = [lone(each) for each in element]
    if tag in SCRIPTS and is_fenced(inside[0]):
        # An index or exponent of a closing bracket belongs to the whole part in brackets.
        *part, end = _spliced(inside[0])
        return " ".join([*map(shape, part), _scripted(tag, [end, *inside[1:]])])
    if tag in SCRIPTS and sign_of(inside[0]) == "‖":
        return _scripted(tag, inside)
    if tag == "msup" and not flat(inside[:1]) and shape(inside[1]) in {*"′″‴"}:
        return shape(inside[1])
    if tag in SCRIPTS and not flat(inside[:1]) and tag == "msup":
        return f"{tag}( , {shape(inside[1])})"
    # Limits beside an operator and below it are alike.
    name = {"munder": "msub", "munderover": "msubsup"}.get(tag, tag)
    is_large = tag in ("munder", "munderover") and inside[0].get("accentunder") is None
    return f"{name if is_large else tag}({', '.join(map(shape, inside))})"


def _scripted(tag: str, parts: Sequence[Element]) -> str:
    """The shape of a closing bracket with an index or exponent, which is that of its last bar."""
    before, _, end = shape(parts[0]).rpartition(" ")
    return f"{before} {tag}({', '.join([end, *map(shape, parts[1:])])})".strip()


def _spliced(element: Element) -> list[Element]:
    found: list[Element] = []
    for each in map(lone, element):
        if each.tag in ("mspace", "mphantom"):
            continue
        found += _spliced(each) if each.tag in ("mrow", "mpadded", "mstyle") else [each]
    return found


def _shape_at(elements: Sequence[Element], at: int) -> str:
    """The shape of an element of a row. Signs that depend on those beside them are like others:
    a wedge between vectors is like the vector product, a point is like the scalar product, and two
    slashes may mean "parallel"."""
    around = elements[at - 1 : at + 2] if at else ()
    if len(around) == 3 and speech.is_product(elements, at):
        return "×" if all(map(speech.is_vector, around[::2])) else shape(elements[at])
    if speech.is_parallel(elements, at):
        return "∥"
    return "" if speech.is_parallel(elements, at - 1) else shape(elements[at])


def _is_light(text: str) -> bool:
    """Whether letters are upright, sans-serif or of a typewriter, which sounds like any others."""
    names = unicodedata.name(text[:1], "")
    return any(style in names for style in ("SANS-SERIF", "MONOSPACE", "MATHEMATICAL ITALIC"))


def same_words(
    found: Iterable[tuple[str, Element]], language: Language
) -> list[tuple[str, str, str]]:
    """Pairs of these formulas that differ but have the same words, with the words."""
    known: dict[str, tuple[str, str]] = {}
    pairs = []
    for tex, element in found:
        words = speech.say(element, language)
        of_tex = shape(element)
        other, of_other = known.setdefault(words, (tex, of_tex))
        if of_tex != of_other:
            pairs.append((other, tex, words))
    return pairs


def many(count: int, seed: int) -> Iterator[tuple[str, Element]]:
    """Random formulas that TeX allows, none of them twice, each in TeX and as MathML."""
    chance = random.Random(seed)
    seen: set[str] = set()
    tex = ""
    while len(seen) < count:
        is_new = not tex or chance.random() < 0.3
        tex = formula(chance) if is_new else neighbour(chance, tex)
        if tex not in seen and len(tex) <= formulas.LONGEST and (element := read(tex)) is not None:
            seen.add(tex)
            yield tex, element


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    languages: tuple[Language, ...] = ("en", "fr")
    found = [
        (language, *each)
        for language in languages
        for each in same_words(many(asked.count, asked.seed), language)
    ]
    for language, first, second, words in found:
        print(f"{language}: {first}   and   {second}\n    {words}")
    raise SystemExit(f"{len(found)} pairs have the same words." if found else None)


if __name__ == "__main__":
    main()
