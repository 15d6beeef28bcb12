r"""Read questions in GIFT, the text format of Moodle (https://docs.moodle.org/en/GIFT_format).

Questions are separated by empty lines. A backslash escapes the character after it. Moodle writes a
backslash as two backslashes.
"""

import re
from collections.abc import Iterator
from typing import IO

from competition.core.imports import Line, decoded
from competition.plugins.questions.services.importing.choices import Choice, Found, line
from competition.plugins.questions.services.importing.markup import converted

# The characters that can be escaped, each with the private-use character that replaces it while a
# question is parsed.
SPECIAL = {"~": "\ue000", "=": "\ue001", "#": "\ue002", "{": "\ue003", "}": "\ue004", ":": "\ue005"}
ESCAPED = re.compile(r"\\([~=#{}:n\\])")
BACK = str.maketrans({hidden: shown for shown, hidden in SPECIAL.items()})
FORMAT = re.compile(r"\s*\[(html|moodle|plain|markdown)\]", re.IGNORECASE)
SHARE = re.compile(r"%(-?[0-9]+(?:\.[0-9]*)?)%")
GAP = "_____"
TRUE_FALSE = ("T", "TRUE", "F", "FALSE")


def read(stream: IO[bytes]) -> Iterator[Line]:
    """The questions of a file. Comments and categories are skipped."""
    block: list[str] = []
    number = 0
    for at, text in enumerate([*decoded(stream).splitlines(), ""], start=1):
        stripped = text.strip()
        if stripped.startswith(("//", "$CATEGORY:", "$COURSE$")):
            continue
        if stripped:
            if not block:
                number = at
            block.append(stripped)
        elif block:
            yield line(_question(number, "\n".join(block)))
            block = []


def _hidden(text: str) -> str:
    """The text with each escaped special character replaced by its character of `SPECIAL`, so that
    a search for special characters does not find it. Escaped line ends and backslashes are
    decoded."""
    return ESCAPED.sub(
        lambda found: {"n": "\n", "\\": "\\"}.get(found[1]) or SPECIAL[found[1]], text
    )


def _question(number: int, source: str) -> Found:
    text = _hidden(source)
    if text.startswith("::"):
        _, _, text = text[2:].partition("::")
    before, opening, rest = text.partition("{")
    inside, closing, after = rest.partition("}")
    found = FORMAT.match(before)
    form = found[1].lower() if found else "moodle"
    before = before[found.end() :] if found else before
    if not opening or not closing:
        return Found(number, converted(text.translate(BACK), form), type="description")
    # Moodle shows a gap where the answers are, unless they end the text.
    whole = f"{before.rstrip()} {GAP} {after.strip()}" if after.strip() else before
    if after[:1] and not after[:1].isspace():
        whole = f"{before.rstrip()} {GAP}{after.rstrip()}"
    shown = converted(whole.strip().translate(BACK), form)
    # A second opening brace means several gaps, or a question that no empty line separates.
    kind = "multianswer" if "{" in after else _type(inside)
    if kind:
        return Found(number, shown, type=kind)
    return Found(number, shown, [_choice(each, form) for each in _options(inside)])


def _type(inside: str) -> str:
    """The type of a question with this text between its braces; "" for multiple choice."""
    answers = inside.partition("####")[0].strip()
    if not answers:
        return "essay"
    if answers.startswith("#"):
        return "numerical"
    if answers.partition("#")[0].strip().upper() in TRUE_FALSE:
        return "truefalse"
    if "~" in answers:
        return ""
    return "matching" if "->" in answers else "shortanswer"


def _options(inside: str) -> list[str]:
    """The options, each with the sign before it: "=" for a right option, "~" for another one."""
    return [each for each in re.split(r"(?=[~=])", inside.partition("####")[0]) if each.strip()]


def _choice(source: str, form: str) -> Choice:
    sign, text = source.strip()[:1], source.strip()[1:].lstrip()
    share = 100.0 if sign == "=" else 0.0
    weight = SHARE.match(text)
    if weight is not None:
        share, text = float(weight[1]), text[weight.end() :]
    # Leave out the feedback, which follows a hash.
    text = text.partition("#")[0]
    found = FORMAT.match(text)
    if found is not None:
        form, text = found[1].lower(), text[found.end() :]
    return Choice(converted(text.strip().translate(BACK), form), share)
