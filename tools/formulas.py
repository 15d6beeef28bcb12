"""Write docs/formulas.md: the formulas that questions may have, and how each is said.

The formulas are in tests/plugins/questions/formulas.txt.
"""

from collections.abc import Iterator
from pathlib import Path

from competition.plugins.questions.mathematics import formulas, speech
from competition.plugins.questions.mathematics.segments import Formula

REPOSITORY = Path(__file__).parent.parent
LIST = REPOSITORY / "tests/plugins/questions/formulas.txt"
PAGE = REPOSITORY / "docs/formulas.md"

INTRODUCTION = r"""# Formulas in questions

The text and the options of a question may have formulas in TeX: `\(x^2\)` in a line, `\[x^2\]`
on a line of its own. A dollar sign is a dollar sign. A formula has at most 1,000 characters and 20
levels. Within a formula, write a percent sign as `\%`, and words as `\text{if}`.

A formula that can't be read is rejected when the question is saved. The message names the field,
the formula and the character. These are rejected too, because browsers could not show them as they
are meant, or because they would look different from the page around them:

- definitions of commands, and labels and numbers of equations: write `align*` instead of `align`
- colours, frames, crossed-out parts, and spaces of a length of your own, such as `\hspace{1cm}`
- lines in tables: `\hline`, and `|` between the columns of an `array`
- arrows with a text above, such as `\xrightarrow{f}`
- bold and italic words: `\textbf`, `\textit`
- formulas within `\text`: close it first

`\\[4pt]` is read as `\\`.

Beside each formula below is how a screen reader says it: the field `spoken` of a question. Latin
letters are said as they are written, so a screen reader announces capitals as it does in any text.

`python -m tools.formulas` writes this page. Every formula was looked at in Chromium.
"""


def listed() -> Iterator[tuple[str, list[str]]]:
    """The topics of the list, each with its formulas."""
    for part in LIST.read_text("utf-8").removeprefix("# ").split("\n# "):
        topic, *found = part.splitlines()
        yield topic, [line for line in found if line]


def page() -> str:
    lines = [INTRODUCTION]
    for topic, found in listed():
        lines += [f"## {topic}", ""]
        lines += [f"- `{tex}`: {said(tex)}" for tex in found]
        lines.append("")
    return "\n".join(lines)


def said(tex: str) -> str:
    return speech.say(formulas.convert(Formula(tex, is_display=False, number=1)))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
