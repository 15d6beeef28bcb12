r"""Replace what authors type, such as x² or ∠ABC, by the commands of TeX that math-core reads.

Text within ``\text{…}`` stays as it is.
"""

import re
import unicodedata
from collections.abc import Sequence

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ"
_LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ"
_ROOTS = {"√": r"\sqrt", "∛": r"\sqrt[3]", "∜": r"\sqrt[4]"}
# The commands for combining marks above and below a letter.
_MARKS = {
    **{"\u0300": r"\grave", "\u0301": r"\acute", "\u0302": r"\hat", "\u0303": r"\tilde"},
    **{"\u0304": r"\bar", "\u0305": r"\bar", "\u0306": r"\breve", "\u0307": r"\dot"},
    **{"\u0308": r"\ddot", "\u030a": r"\mathring", "\u030c": r"\check", "\u0331": r"\underline"},
    **{"\u0332": r"\underline", "\u20d7": r"\vec"},
}
_MARK = f"[{''.join(_MARKS)}]"
_GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
# Brackets that contain up to two levels of others.
_BRACKETS = r"\([^(){}]*\)"
for _ in range(2):
    _BRACKETS = rf"\((?:[^(){{}}]|{_GROUP}|{_BRACKETS})*+\)"
_COMMANDS = {
    "\N{INCREMENT}": "Δ",
    **{"∠": r"\angle ", "∡": r"\measuredangle ", "∢": r"\sphericalangle ", "∅": r"\varnothing "},
    **{"∴": r"\therefore ", "∵": r"\because ", "⊤": r"\top ", "⊥": r"\perp ", "…": r"\ldots "},
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015", "-"),
    **dict.fromkeys("\u2044\u2215", "/"),
    **{"&lt;": "<", "&gt;": ">", "&amp;": "&", "&nbsp;": "~", r"\cr": "\\\\ "},
    r"\textdegree": r"\degree ",
    # A decimal comma. In small print, math-core writes {,} like any other comma.
    "{,}": r"{\mathord{,}}",
    "#": r"\#",
    **{r"\begin{eqnarray*}": r"\begin{array}{rcl}", r"\end{eqnarray*}": r"\end{array}"},
    **{r"\begin{smallmatrix}": r"\begin{matrix}", r"\end{smallmatrix}": r"\end{matrix}"},
}
_TYPED = re.compile(
    "|".join(
        (
            rf"(?P<kept>\\(?:text[a-z]*|[mh]box|operatorname\*?)\s*{_GROUP}|\\[\\{{#])",
            rf"\^\{{(?P<inside>[{_RAISED}]+)\}}|\^?(?P<raised>[{_RAISED}]+)",
            rf"_?(?P<lowered>[{_LOWERED}]+)",
            rf"(?P<root>[√∛∜])\s*(?P<under>\d+(?:\{{,\}}\d+)*(?:\.\d+)?|{_BRACKETS}|[^\W\d_]{_MARK}?|(?=[{{\\√∛∜]))",
            # A letter with a mark may also be one character, such as ȳ. Beside other letters, it is
            # usually a part of a word, and so are those of Latin-1, such as é.
            rf"(?P<marked>(?:\\[A-Za-z]+|[^\W_]){_MARK}"
            r"|(?<![^\W\d_])[\u0100-\u024f\u1e00-\u1fff](?![^\W\d_]))",
            r"(?P<fraction>[¼-¾⅐-⅞])",
            r"(?P<command>\\cr(?![A-Za-z])|\\textdegree(?![A-Za-z])|"
            + "|".join(
                re.escape(each) for each in _COMMANDS if each[1:] not in ("cr", "textdegree")
            )
            + ")",
        )
    )
)


def read(tex: str) -> tuple[str, Sequence[int]]:
    """The formula as math-core reads it, and the position in `tex` of each of its characters, and
    of its end."""
    written = ""
    origins: list[int] = []
    at = 0
    for found in _TYPED.finditer(tex):
        if found["kept"]:
            continue
        written += tex[at : found.start()]
        origins += range(at, found.start())
        replaced = _replaced(found)
        written += replaced
        origins += [found.start()] * len(replaced)
        at = found.end()
    return written + tex[at:], [*origins, *range(at, len(tex) + 1)]


def _replaced(found: re.Match[str]) -> str:
    if found["root"]:
        under, _ = read(found["under"])
        return _ROOTS[found["root"]] + (f"{{{under}}}" if under else "")
    if found["marked"]:
        return _marked(found["marked"])
    if found["fraction"]:
        upper, lower = unicodedata.normalize("NFKC", found["fraction"]).split("\u2044")
        return rf"{{\tfrac{{{upper}}}{{{lower}}}}}"
    if found["command"]:
        return _COMMANDS[found["command"]]
    raised = found["inside"] or found["raised"]
    script = unicodedata.normalize("NFKC", raised or found["lowered"])
    return f"{'^' if raised else '_'}{{{script}}}"


def _marked(letter: str) -> str:
    """A letter, digit or command with a combining mark, in TeX."""
    composed = unicodedata.normalize("NFC", letter)
    separate = unicodedata.normalize("NFD", letter)
    base, command = separate[:-1], _MARKS.get(separate[-1])
    is_one_mark = len(base) == 1 or base.startswith("\\")
    if command is None or not is_one_mark or (len(composed) == 1 and composed < "\u0100"):
        return composed
    if command == r"\bar" and base.isdigit():
        # The digit is repeated.
        command = r"\overline"
    return f"{{{command}{{{base}}}}}"
