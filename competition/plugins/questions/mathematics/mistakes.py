"""The messages of math-core about formulas that it can't read, listed so that they can be
translated."""

import re

from competition.core.messages import Message, filled

# The English texts are those of math-core. Messages that are not listed here stay in English.
_KNOWN = (
    Message('Unknown command "${what}".'),
    Message('Unknown environment "${what}".'),
    Message("Expected argument but reached end of input."),
    Message(r"Expected argument but got closing token (`}`, `\end`, `\right`)."),
    Message('Expected closing token "${what}", but reached end of input.'),
    Message('Unmatched closing token: "${what}".'),
    Message('Expected "${what}", but found "${found}".'),
    Message("Duplicate subscript or superscript."),
    Message('Found "${what}", which may only appear in a table-like environment.'),
    Message('Found "${what}", which may only appear after ${before}.'),
    Message('Expected column specification, found "${what}".'),
    Message("Found more than one infix fraction in a group."),
    Message("Direct Unicode input is not supported for this symbol yet: '${what}'."),
    Message("Macro parameter found outside of custom command definition."),
)
# Some of these texts don't say what to write. Their messages replace them.
_BETTER = {
    "Invalid parameter number. Must be 1-9.": Message(r"Write the number sign as \#."),
    "Expected non-special ASCII characters in string literal.": Message(
        "Write one letter per column, such as {lcr}."
    ),
    'Unexpected "$".': Message(
        r"Write the dollar sign as \$. There are no dollar signs around parts of a formula."
    ),
    "Math mode within text mode is not implemented yet.": Message(
        r"A text can't contain a formula: end \text{…} before it. Write the dollar sign as \$."
    ),
    "Not valid in text mode.": Message(r"This belongs to a formula: end \text{…} before it."),
    "Not valid in math mode.": Message(r"This belongs to words: write them as \text{…}."),
    **{
        f'There must be a parenthesis after "{what}", but not found.': Message(
            r"Write a bracket after ${what}, such as (, [, \{, \langle or |.", what=what
        )
        for what in (r"\left", r"\right", r"\middle", r"\big, \Big, ...")
    },
    **{
        f'Unknown environment "{what}".': Message(
            "${what} is not supported: write ${instead}.", what=what, instead=instead
        )
        for what, instead in (("split", "aligned"), ("tabular", "array"))
    },
    **{
        f"Direct Unicode input is not supported for this symbol yet: '{sign}'.": Message(
            "Write ${instead} instead of ${what}.", what=sign, instead=instead
        )
        for sign, instead in (("√", r"\sqrt{…}"), ("∛", r"\sqrt[3]{…}"), ("∜", r"\sqrt[4]{…}"))
    },
}
_VALUE = re.compile(r"\\\$\\\{(\w+)\\\}")
# Each message, and the pattern of its text, which has a group for each value.
_PATTERNS = tuple(
    (each, re.compile(_VALUE.sub(r"(?P<\1>.+?)", re.escape(each)), re.DOTALL)) for each in _KNOWN
)


def worded(reason: str) -> str:
    """The message for a reason that math-core gives, or the reason itself if it is not known."""
    if better := _BETTER.get(reason):
        return better
    for message, pattern in _PATTERNS:
        if found := pattern.fullmatch(reason):
            return filled(message, found.groupdict())
    return reason
