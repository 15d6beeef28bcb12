"""Write docs/formulas.md: the formulas that questions may have, and the words for each.

    python -m tools.formula_page

The formulas are those of tests/plugins/questions/formulas.txt, which the tests convert.
"""

from collections.abc import Iterator
from pathlib import Path

from competition.core.messages import Language
from competition.plugins.questions.mathematics import formulas, speech
from competition.plugins.questions.mathematics.segments import Formula
from tools.formula_search import ALIKE

REPOSITORY = Path(__file__).parents[1]
CORPUS = REPOSITORY / "tests/plugins/questions/formulas.txt"
PAGE = REPOSITORY / "docs/formulas.md"
INTRODUCTION = r"""# Formulas in questions

The text and the options of a question may have formulas in TeX: between `\(` and `\)` in a line, or
between `\[` and `\]` on a line of their own. A dollar sign is a dollar sign. A formula has at most
1,000 characters and 20 levels, such as a fraction in a root.

Within a formula, write a percent sign as `\%`, and words as `\text{if}`. `\\[4pt]` is read as `\\`.

A formula is read when the question is saved. One that can't be read is rejected with the field, the
formula, the character and the reason, so a question never has a formula that candidates can't see.
These are rejected too, because browsers do not show them as they are meant, or because they would
change the page around them:

- definitions of commands, and labels and numbers of equations: write `align*` instead of `align`
- colours, frames, crossed-out parts, and spaces of a given length, such as `\hspace{1cm}`
- lines in tables: `\hline`, and bars between the columns of an `array`
- arrows with a text above, such as `\xrightarrow{f}`
- styles of words, such as `\textbf`: write `\mathbf`
- formulas within `\text`: end it first

Replies have the question as HTML with MathML in `rendered`, and in words in `spoken`. A test
converts each formula below, and each was checked by eye in Chromium. The words beside it are those
of `spoken`. Latin letters are said as they are written, so a screen reader announces capitals as in
any other text.

The browser draws a formula from its MathML with the font of the pages. In Chromium a root is
followed by a small gap, primes are small, and a numerator has no space around its `+` and `-`.
These stay as they are: they change no meaning, and a rule for them in the style sheet would change
other formulas, too.

The paper of an exam, a candidate's own answers and the results have `spoken` in the language of
`Accept-Language`. Symbols that have no word here have their English name in Unicode, and words
within `\text` stay as they are written.

Authors may type `x²`, `xⁿ⁺ᵏ`, `x₁`, `½`, `√2`, `√(a+b)`, `x̄`, `∠ABC`, `#`, `<=`, `>=`, `<=>`, `->`
and full-width letters, digits and signs. `\mbox`, `\textrm`, `\sfrac`, `\overarc`, `\pmatrix` and
`eqnarray*` are read as `\text`, `\tfrac`, `\overset{\frown}`, `pmatrix` and aligned equations.
`\lcm`, `\PGCD`, `\sgn`, `\Q`, `\C`, `\floor{x}`, `\ceil{x}`, `\mathds{1}`, `\dotsc`, `\vect{u}`,
`\euro` and `\celsius` are known, too. A comma in braces, as in `3{,}14` and `x_{3{,}14}`, is a
decimal comma; any other comma separates: `x_{1,2}` is "x sub 1, 2".

Different formulas have different words. `python -m tools.formula_search 50000` searches random
formulas for two that have the same. Formulas are not different if they differ only in this:

- spaces, groups in braces that change nothing, and the size of brackets, fractions and limits
- upright, italic, sans-serif and typewriter letters
- `\frac{a}{b}` and `a/b` of two symbols, where both mean the same
- a bar, a colon and a slash in a set or after `\exists`, if a condition follows
- a bar and `\mid` between divisors
- `\vec u\wedge\vec v` and `\vec u\times\vec v`; `\vec u.\vec v` and `\vec u\cdot\vec v`
- `(AB)//(CD)` and `(AB)\parallel(CD)`
- `||x||` and `\|x\|`
- the brackets of a matrix
- letters within `\text` instead of letters of the formula
- a mark such as `^\circ` beside a letter, with or without an empty base
- one of these signs instead of another: ${alike}

This page is written by `python -m tools.formula_page`.
"""


def corpus() -> Iterator[tuple[str, list[str]]]:
    """The titles of the topics, each with its formulas."""
    for topic in CORPUS.read_text().split("\n# "):
        title, *lines = topic.strip("# \n").splitlines()
        yield title, [line for line in lines if line.strip()]


def words(tex: str, language: Language = "en") -> str:
    return speech.say(formulas.convert(Formula(tex, is_display=False, number=1)), language)


def page() -> str:
    alike = ", ".join(" ".join(group) for group in ALIKE)
    parts = [INTRODUCTION.replace("${alike}", alike)]
    for title, lines in corpus():
        parts.append(f"\n## {title}\n\n| formula | English | French |\n|---|---|---|\n")
        parts += [f"| {_code(tex)} | {words(tex)} | {words(tex, 'fr')} |\n" for tex in lines]
    return "".join(parts)


def _code(tex: str) -> str:
    """A formula as code for a cell of a table. Bars are escaped, because a bar would begin the next
    cell.
    """
    return "`" + tex.replace("|", r"\|") + "`"


def main() -> None:
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
