r"""Replace what authors type, such as x² or ∠ABC, by the commands of TeX that math-core reads.

Text within ``\text{…}`` stays as it is.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import chain

# Where Unicode has the raised and the lowered letters that authors type, and full-width characters.
_BLOCKS = (range(0xA0, 0x300), range(0x1D00, 0x1E00), range(0x2070, 0x20A0), range(0xFF00, 0xFFF0))


def _variants(kind: str) -> str:
    """The characters that Unicode lists as this kind of another character, such as "<super>"."""
    characters = map(chr, chain(*_BLOCKS, (0x2C7C, 0x2C7D, 0x3000)))
    return "".join(each for each in characters if unicodedata.decomposition(each).startswith(kind))


# "º" is the sign of a degree instead of a raised letter.
RAISED = _variants("<super>").replace("º", "")
LOWERED = _variants("<sub>")
# Full-width characters, each with the character that TeX reads.
WIDE = {
    each: chr(int(unicodedata.decomposition(each).split()[1], 16)) for each in _variants("<wide>")
}
# Raised letters that are the ending of an ordinal, as in nᵗʰ.
_ORDINAL = re.compile("st|nd|rd|th|i?[èe]me|re|er")
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
_NUMBER = r"\d+(?:\{,\}\d+)*(?:\.\d+)?"
_COMMANDS = {
    "\N{INCREMENT}": "Δ",
    **{"∠": r"\angle ", "∡": r"\measuredangle ", "∢": r"\sphericalangle ", "∅": r"\varnothing "},
    **{"∴": r"\therefore ", "∵": r"\because ", "⊤": r"\top ", "⊥": r"\perp ", "…": r"\ldots "},
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015", "-"),
    **dict.fromkeys("\u2044\u2215", "/"),
    **dict.fromkeys("º˚", "°"),
    # Word and telephones write these for a prime and for two.
    **{"’": "'", "´": "'", '"': "''", "”": "''"},
    **{"℃": r"°\mathrm{C}", "℉": r"°\mathrm{F}"},
    **{"％": r"\%", "＃": r"\#", "＄": r"\$", "＆": r"\&", "｛": r"\{", "｝": r"\}"},
    **{"＼": r"\backslash ", "～": r"\sim ", "￢": r"\neg "},
    # Keyboards have no sign for these. "=>" and "!=" may have two meanings.
    **{"<=>": r"\iff ", "<=": r"\le ", ">=": r"\ge ", "->": r"\to "},
    **{
        "&lt;=": r"\le ",
        "&gt;=": r"\ge ",
        "&lt;": "<",
        "&gt;": ">",
        "&amp;": "&",
        "&nbsp;": "~",
        r"\cr": "\\\\ ",
    },
    r"\textdegree": r"\degree ",
    # A decimal comma. In small print, math-core writes {,} like any other comma.
    "{,}": r"{\mathord{,}}",
    "#": r"\#",
    **{r"\begin{eqnarray*}": r"\begin{array}{rcl}", r"\end{eqnarray*}": r"\end{array}"},
    **{r"\begin{smallmatrix}": r"\begin{matrix}", r"\end{smallmatrix}": r"\end{matrix}"},
}
_KEPT = rf"\\(?:text[a-z]*|[mh]box|operatorname\*?)\s*{_GROUP}|\\[\\{{#]"
_WIDTHS = re.compile(rf"{_KEPT}|[{''.join({*WIDE} - {*_COMMANDS})}]")
_TYPED = re.compile(
    "|".join(
        (
            rf"(?P<kept>{_KEPT})",
            rf"\^\{{(?P<inside>[{RAISED}]+)\}}|\^?(?P<raised>[{RAISED}]+)",
            rf"_\{{(?P<sunken>[{LOWERED}]+)\}}|_?(?P<lowered>[{LOWERED}]+)",
            rf"(?P<root>[√∛∜])\s*(?P<under>{_NUMBER}|{_BRACKETS}|[^\W\d_]{_MARK}?|(?=[{{\\√∛∜]))",
            # A letter with a mark may also be one character, such as ȳ. Beside other letters, it is
            # usually a part of a word, and so are those of Latin-1, such as é.
            rf"(?P<marked>(?:\\[A-Za-z]+|[^\W_]){_MARK}"
            r"|(?<![^\W\d_])[\u0100-\u024f\u1e00-\u1fff](?![^\W\d_]))",
            r"(?P<fraction>[¼-¾⅐-⅞])",
            r"(?P<command>\\cr(?![A-Za-z])|\\textdegree(?![A-Za-z])|"
            + "|".join(
                re.escape(each)
                for each in sorted(_COMMANDS, key=len, reverse=True)
                if each[1:] not in ("cr", "textdegree")
            )
            + ")",
        )
    )
)


def read(tex: str) -> tuple[str, Sequence[int]]:
    """The formula as math-core reads it, and the position in `tex` of each of its characters, and
    of its end."""
    tex = _WIDTHS.sub(lambda found: WIDE.get(found[0], found[0]), tex)
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
    script = unicodedata.normalize("NFKC", raised or found["sunken"] or found["lowered"])
    # The letter that Unicode has for a raised alpha is that of phonetics.
    script = script.replace("ɑ", "α")
    if raised and _ORDINAL.fullmatch(script):
        return rf"^{{\text{{{script}}}}}"
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
