"""The elements and attributes that rendered questions may contain.

They are the elements and attributes of MathML Core, without `maction`, `merror` and `semantics`,
and without attributes for styles, links and scripts. Two attributes are MathML but not Core:
`alttext` has the TeX, and `columnalign` replaces the style by which the library aligns equations.
"""

import re
from collections.abc import Mapping

_FLAG = re.compile("true|false")
# Lengths are less than 4 em, so that nothing can be moved far. Lengths are never negative, so that
# nothing can cover another element.
_LENGTH = re.compile(r"0|[0-3](\.[0-9]{1,10})?em")
_SCRIPTS: Mapping[str, re.Pattern[str]] = {
    "displaystyle": _FLAG,
    "scriptlevel": re.compile("[012]"),
}

# The attributes of each element of a formula, with the values that they may have.
MATHML: Mapping[str, Mapping[str, re.Pattern[str]]] = {
    "math": {"display": re.compile("block"), "alttext": re.compile("(?s).*")},
    "mfrac": {"linethickness": re.compile("0"), **_SCRIPTS},
    "mi": {"mathvariant": re.compile("normal")},
    "mmultiscripts": {},
    "mn": {},
    "mo": {
        **{"stretchy": _FLAG, "symmetric": _FLAG, "largeop": _FLAG, "movablelimits": _FLAG},
        **{"fence": _FLAG, "separator": _FLAG, "form": re.compile("prefix|infix|postfix")},
        **{"lspace": _LENGTH, "rspace": _LENGTH, "minsize": _LENGTH, "maxsize": _LENGTH},
    },
    "mover": {"accent": _FLAG},
    "mpadded": {"width": _LENGTH, "height": _LENGTH},
    "mphantom": {},
    "mprescripts": {},
    "mroot": {},
    "mrow": _SCRIPTS,
    "mspace": {"width": _LENGTH},
    "msqrt": {},
    "mstyle": _SCRIPTS,
    "msub": {},
    "msubsup": {},
    "msup": {},
    "mtable": _SCRIPTS,
    "mtd": {"columnalign": re.compile("left|right")},
    "mtext": {},
    "mtr": {},
    "munder": {"accentunder": _FLAG},
    "munderover": {"accent": _FLAG, "accentunder": _FLAG},
}
# The elements and attributes around formulas. The text itself is escaped.
HTML: Mapping[str, frozenset[str]] = {
    "br": frozenset(),
    "img": frozenset({"src", "width", "height", "alt"}),
}
