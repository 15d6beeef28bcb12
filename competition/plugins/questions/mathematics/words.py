"""The English words for the symbols of formulas."""

import unicodedata

OPERATORS = {
    **{"+": "plus", "−": "minus", "-": "minus", "±": "plus or minus", "∓": "minus or plus"},
    **{"×": "times", "⋅": "times", "·": "times", "÷": "divided by", "/": "over", "∗": "asterisk"},
    **{"=": "equals", "≠": "is not equal to", "<": "is less than", ">": "is greater than"},
    **{"≤": "is less than or equal to", "≥": "is greater than or equal to"},
    **{"⩽": "is less than or equal to", "⩾": "is greater than or equal to"},
    **{"≰": "is not less than or equal to", "≱": "is not greater than or equal to"},
    **{"≪": "is much less than", "≫": "is much greater than", "≈": "is approximately equal to"},
    **{"∼": "is similar to", "≃": "is similar or equal to", "∝": "is proportional to"},
    **{"≡": "is congruent to", "≢": "is not congruent to", "≅": "is congruent to"},
    **{"≔": "is defined as", "∶": "to", ":": "to", ";": ";", ",": ",", ".": "."},
    **{"(": "open parenthesis", ")": "close parenthesis", "[": "open bracket"},
    **{"]": "close bracket", "{": "open brace", "}": "close brace", "⟨": "open angle bracket"},
    **{"⟩": "close angle bracket", "|": "vertical bar", "‖": "double vertical bar"},
    **{"⌊": "floor of", "⌋": "end floor", "⌈": "ceiling of", "⌉": "end ceiling"},
    **{"⋯": "dot dot dot", "…": "dot dot dot", "⋮": "vertical dots", "⋱": "diagonal dots"},
    **{"→": "to", "⟶": "to", "↦": "maps to", "←": "from", "↔": "if and only if"},
    **{"⇒": "implies", "⟹": "implies", "⇔": "if and only if", "⟺": "if and only if"},
    **{"⇐": "is implied by", "⟸": "is implied by", "↑": "up arrow", "↓": "down arrow"},
    **{"∈": "in", "∉": "not in", "∋": "contains", "⊂": "is a subset of"},
    **{"⊆": "is a subset of or equal to", "⊃": "is a superset of"},
    **{"⊇": "is a superset of or equal to", "⊄": "is not a subset of"},
    **{"⊊": "is a proper subset of", "⊈": "is neither a subset of nor equal to"},
    **{
        "∪": "union",
        "∩": "intersection",
        "∖": "set minus",
        "\\": "backslash",
        "∘": "composed with",
    },
    **{"∧": "and", "∨": "or", "¬": "not", "∀": "for all", "∃": "there exists"},
    **{"∄": "there does not exist", "∴": "therefore", "∵": "because", "⊢": "proves"},
    **{"⊨": "models", "∣": "divides", "∤": "does not divide", "∥": "is parallel to"},
    **{"∦": "is not parallel to", "⟂": "is perpendicular to", "⊥": "is perpendicular to"},
    **{"⊗": "circled times", "⊕": "circled plus", "⊖": "circled minus", "⊙": "circled dot"},
    **{"!": "factorial", "′": "prime", "″": "double prime", "‴": "triple prime"},
    **{"†": "dagger", "⋆": "star", "⋄": "diamond", "∙": "bullet", "⌢": "arc", "?": "question mark"},
    **{"∑": "the sum", "∏": "the product", "⋃": "the union", "⋂": "the intersection"},
    **{"∐": "the coproduct", "⋁": "the disjunction", "⋀": "the conjunction"},
    **{"∫": "the integral", "∬": "the double integral", "∭": "the triple integral"},
    **{"∮": "the closed integral"},
    # Invisible: the application of a function, times, a separator and plus.
    **dict.fromkeys("\u2061\u2062\u2063\u2064", ""),
}
LARGE = frozenset("∑∏⋃⋂∐⋁⋀∫∬∭∮")
IDENTIFIERS = {
    **{"sin": "sine", "cos": "cosine", "tan": "tangent", "cot": "cotangent", "sec": "secant"},
    **{"csc": "cosecant", "arcsin": "arc sine", "arccos": "arc cosine", "arctan": "arc tangent"},
    **{"sinh": "hyperbolic sine", "cosh": "hyperbolic cosine", "tanh": "hyperbolic tangent"},
    **{"log": "log", "lg": "log", "ln": "natural log", "exp": "exponential of"},
    **{"max": "the maximum", "min": "the minimum", "sup": "the supremum", "inf": "the infimum"},
    **{"lim": "the limit", "lim sup": "the limit superior", "lim inf": "the limit inferior"},
    **{"gcd": "the greatest common divisor", "lcm": "the least common multiple"},
    **{"deg": "the degree of", "det": "the determinant of", "dim": "the dimension of"},
    **{"ker": "the kernel of", "arg": "the argument of", "Pr": "the probability", "mod": "mod"},
    **{"Re": "the real part", "Im": "the imaginary part", "ℜ": "the real part of"},
    **{"ℑ": "the imaginary part of", "Var": "the variance", "∂": "partial", "∇": "nabla"},
    **{"ℕ": "the natural numbers", "ℤ": "the integers", "ℚ": "the rational numbers"},
    **{"ℝ": "the real numbers", "ℂ": "the complex numbers", "∞": "infinity", "∅": "the empty set"},
    **{"△": "triangle", "∠": "angle", "∡": "measured angle", "∢": "spherical angle"},
    **{"□": "square", "◻": "square", "%": "percent", "#": "number sign", "$": "dollars"},
    **{"£": "pounds", "€": "euros", "°": "degrees", "ℓ": "l", "ℏ": "h-bar", "ℵ": "aleph"},
    **{"⊤": "true", "⊥": "false", "ı": "i", "ȷ": "j", ":": "maps", "?": "question mark"},
    **{".": ".", "½": "one half", "¼": "one quarter", "¾": "three quarters"},
    **{"²": "squared", "³": "cubed"},
}
# The words for an accent, by the character above the base.
ABOVE = {
    **dict.fromkeys(("¯", "ˉ"), "bar"),
    **dict.fromkeys(("^", "ˆ", "\u0302"), "hat"),
    **dict.fromkeys(("→", "\u20d7"), "vector"),
    **dict.fromkeys(("˜", "~", "\u0303"), "tilde"),
    **{"˙": "dot", "¨": "double dot", "⃛": "triple dot", "ˇ": "check", "´": "acute", "`": "grave"},
    **{"˘": "breve", "˚": "ring"},
}
FRACTIONS = {
    **{2: ("half", "halves"), 3: ("third", "thirds"), 4: ("quarter", "quarters")},
    **{5: ("fifth", "fifths"), 6: ("sixth", "sixths"), 7: ("seventh", "sevenths")},
    **{8: ("eighth", "eighths"), 9: ("ninth", "ninths"), 10: ("tenth", "tenths")},
}
COUNTS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_STYLES = {
    **{"BOLD": "bold", "SCRIPT": "script", "FRAKTUR": "fraktur", "BLACK-LETTER": "fraktur"},
    **{"DOUBLE-STRUCK": "double-struck"},
}


def symbol(character: str) -> str:
    """The name that Unicode has for a symbol; the character itself if it has none."""
    return unicodedata.name(character, character).lower()


def letter(character: str) -> str:
    """The name of a letter of any style and alphabet; the character itself if it has none."""
    name = unicodedata.name(character, "")
    style = next((word for start, word in _STYLES.items() if start in name), "")
    plain = unicodedata.normalize("NFKC", character)
    name = unicodedata.name(plain, "") if len(plain) == 1 else ""
    if name.startswith("GREEK "):
        said = name.split(" LETTER ")[-1].split()[-1].lower().replace("lamda", "lambda")
        plain = f"capital {said}" if "CAPITAL" in name else said.removesuffix(" symbol")
        if name == "GREEK PHI SYMBOL":
            plain = "phi"
        elif name.endswith("SYMBOL"):
            plain = name.split()[-2].lower()
    return f"{style} {plain}".strip()
