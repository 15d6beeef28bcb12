r"""Formulas in texts: which are accepted, and how they are converted into HTML and into words.

All formulas of formulas.txt were viewed in Chromium with the font of the pages.
"""

import re
from html.parser import HTMLParser

import nh3
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competition.plugins.questions.mathematics import formulas, rendering, segments, speech
from competition.plugins.questions.mathematics.elements import HTML, MATHML
from competition.plugins.questions.mathematics.english import ENGLISH
from competition.plugins.questions.mathematics.french import FRENCH
from competition.plugins.questions.mathematics.rendering import KnownImage, render
from competition.plugins.questions.mathematics.segments import Formula, Image, Plain, Unreadable
from tests.support import javascript
from tools.formula_page import PAGE, REPOSITORY, corpus, page
from tools.formula_page import words as said
from tools.formula_search import many, read, same_words, shape

LISTED = [tex for _, found in corpus() for tex in found]
PAIRS = [
    tuple(line.split("\t"))
    for line in (REPOSITORY / "tests/plugins/questions/formula_pairs.txt").read_text().splitlines()
]
# The words for formulas in the list that can be written in several ways.
SAME = [
    *("one half", "a over b"),
    "the fraction with numerator d y and denominator d x end fraction",
    *("vector A B end vector", "open angle bracket u, v close angle bracket", "the empty set"),
    *("open parenthesis a, b close bracket", "not p", "p implies q", "p if and only if q"),
    "a is congruent to b open parenthesis mod n close parenthesis",
    *("phi of open parenthesis n close parenthesis", "n choose k", "z bar", "x y"),
    *("dot dot dot", "a b"),
]
IMAGES = {7: KnownImage('/v1/images/a"b.png', 640, 480, 'A "triangle" <b>')}
ATTRIBUTES = {**{tag: {*names} for tag, names in MATHML.items()}, "img": set(HTML["img"])}
# Attacks from published lists, which get through faulty filters: tags, attributes and addresses
# that run a script, transitions between HTML and MathML, comments and entities.
PAYLOADS = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<iframe src=javascript:alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<style>@import'//example.org'</style>",
    "<base href=//example.org/>",
    "<form action=//example.org><input>",
    "<math><mtext></mtext><mglyph><style></math><img src onerror=alert(1)>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    "<math><annotation-xml encoding='text/html'><img src=x onerror=alert(1)></annotation-xml>",
    "<math href='javascript:alert(1)'>x</math>",
    "<math><maction actiontype='statusline#http://example.org'>x</maction></math>",
    "</math><img src=x onerror=alert(1)><math>",
    "</mtext><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY y 'z'>]>&y;",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "&notit; &amp;amp; &lt &ApplyFunction;",
    "javascript:alert(1)",
    "{{constructor.constructor('alert(1)')()}}",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><s><template><s><img src=x onerror=alert(1)></s></template>",
    "`${alert(1)}`",
    '" onmouseover="alert(1)',
    "' style='position:fixed;inset:0",
]
COMMANDS = [
    *(r"\href{javascript:alert(1)}{x}", r"\url{javascript:alert(1)}", r"\unicode{x3c}"),
    *(r"\style{position:fixed}{x}", r"\class{x}{y}", r"\cssId{x}{y}", r"\html{<b>}"),
    *(r"\htmlData{a=b}{x}", r"\includegraphics{x}", r"\require{html}", r"\input{x}"),
    *(r"\def\x{y}", r"\newcommand{\x}{y}\x", r"\renewcommand\x{y}", r"\let\x=y", r"\gdef\x{y}"),
    *(r"\DeclareMathOperator{\x}{y}", r"\newenvironment{x}{}{}", r"\providecommand{\x}{y}"),
    *(r"\color{red}x", r"\textcolor{red}{x}", r"\hspace{50em}", r"\kern-50em x", r"\boxed{x}"),
    *(r"\raisebox{50em}{x}", r"\cancel{x}", r"\eqref{x}", r"\begin{align}x\label{y}\end{align}"),
    *(r"\text{\large x}", r"\textsc{x}", r"\begin{array}{|c|}x\end{array}", r"\xrightarrow{f}"),
    *(r"\text{\textbf{x}}", r"\mspace{900mu}x", r"\hskip 90em x", r"\mathrm{\color{red}x}"),
]


class Tags(HTMLParser):
    """The elements of an HTML fragment with their attributes, and its text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.ends, self.text = [], [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, sorted(attrs)))

    def handle_endtag(self, tag):
        self.ends.append(tag)

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        raise AssertionError("a comment")

    handle_decl = handle_pi = unknown_decl = handle_comment


def check(html):
    """Check that the HTML contains only elements and attributes of the fixed list.

    The HTML is parsed. It must also pass a second sanitizer unchanged.
    """
    found = Tags(html)
    for tag, attributes in found.tags:
        assert tag in MATHML or tag in HTML, tag
        for name, value in attributes:
            assert name in ATTRIBUTES.get(tag, ()), (tag, name)
            if tag in MATHML:
                assert MATHML[tag][name].fullmatch(value)
    cleaned = nh3.clean(
        html,
        tags={*MATHML, *HTML},
        attributes=ATTRIBUTES,
        clean_content_tags=set(),
        url_schemes=set(),
        link_rel=None,
    )
    assert vars(Tags(cleaned))["tags"] == found.tags
    assert Tags(cleaned).text == found.text


def unreadable(text):
    with pytest.raises(Unreadable) as raised:
        render(text, IMAGES)
    return str(raised.value)


class TestSplitting:
    def test_a_text_is_split_into_text_formulas_and_images(self):
        text = r"If \(x\) then \[y\\z\][image:7] for $5"
        assert list(segments.split(text)) == [
            Plain("If "),
            Formula("x", is_display=False, number=1),
            Plain(" then "),
            Formula(r"y\\z", is_display=True, number=2),
            Image(7, text.index("[image"), "[image:7]"),
            Plain(" for $5"),
        ]

    @pytest.mark.parametrize("text", ["$x$", "$$x$$", "[image:x]", "[image: 7]", "(x)", r"a\b", ""])
    def test_other_delimiters_stay_plain_text(self, text):
        assert "".join(each.text for each in segments.split(text)) == text

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (r"a \(x", r"Formula 1, which begins at character 3, is not closed with \)."),
            (r"\(x\] y", r"there is \] at character 4"),
            (r"\(x\) \[y", r"Formula 2, which begins at character 7, is not closed with \]."),
            (r"\(\text{if \(x\)}\)", r"there is \( at character 12"),
            (r"x\)", r"Character 2, \), ends a formula that has not begun."),
            # Delimiters copied from source code, with doubled backslashes.
            (r"\\(x\\)", r"is not closed with \). Write \( with one backslash."),
        ],
    )
    def test_an_unmatched_delimiter_is_an_error(self, text, message):
        assert message in unreadable(text)


class TestReading:
    @pytest.mark.parametrize("tex", LISTED)
    def test_every_listed_formula_is_converted(self, tex):
        for begin, end in ((r"\(", r"\)"), (r"\[", r"\]")):
            html, words = render(f"{begin}{tex}{end}", {})
            check(html)
            assert dict(Tags(html).tags[0][1])["alttext"] == tex
            assert words and not re.search(r"[\\{}^_]|group group|  ", words)
            french = rendering.words(html, "fr")
            assert french and not re.search(r"[\\{}^_]|groupe groupe|  ", french)

    def test_the_list_has_hundreds_of_formulas_and_the_page_is_current(self):
        assert len({*LISTED}) == len(LISTED) >= 300
        assert PAGE.read_text("utf-8") == page(), "Run python -m tools.formula_page."

    @pytest.mark.parametrize(
        ("tex", "words"),
        [
            (r"x^2 + \frac{1}{2}", "x squared plus one half"),
            (r"2\frac{1}{3}", "2 and one third"),
            (r"1{,}000{,}000", "1,000,000"),
            (r"a^{n+1}", "a to the power n plus 1 end power"),
            (r"a^n+1", "a to the n plus 1"),
            (
                r"\frac{1}{\frac{1}{a} + b}",
                "the fraction with numerator 1 and denominator 1 over a plus b end fraction",
            ),
            (r"\sum_{k=1}^{n} k^2", "the sum from k equals 1 to n of k squared"),
            (r"\lim_{x \to 0} x", "the limit as x approaches 0 of x"),
            (r"|x - 1|", "the absolute value of x minus 1 end absolute value"),
            (r"P(A \mid B)", "P of open parenthesis A given B close parenthesis"),
            (r"\{x \mid x > 0\}", "open brace x such that x is greater than 0 close brace"),
            (r"a \mid b", "a divides b"),
            (r"\{n \mid n \mid 12\}", "open brace n such that n divides 12 close brace"),
            (r"\{d : d \mid 12\}", "open brace d such that d divides 12 close brace"),
            (r"\{d \mid d|12\}", "open brace d such that d divides 12 close brace"),
            (
                r"\{\{a \mid b\} \mid c \mid d\}",
                "open brace open brace a such that b close brace such that c divides d close brace",
            ),
            (r"\vec{a} \cdot \vec{b}", "vector a dot vector b"),
            (r"\vec{a} \times \vec{b}", "vector a cross vector b"),
            (r"a \times b", "a times b"),
            (r"90^\circ", "90 degrees"),
            (r"\alpha \neq \Delta", "alpha is not equal to capital delta"),
        ],
    )
    def test_a_formula_is_said_in_words(self, tex, words):
        assert said(tex) == words

    def test_two_listed_formulas_that_differ_are_not_said_alike(self):
        alike = {}
        for tex in LISTED:
            alike.setdefault(said(tex), []).append(tex)
        found = [words for words, each in alike.items() if len(each) > 1]
        assert found == SAME
        french = {}
        for words, each in alike.items():
            french.setdefault(said(each[0], "fr"), []).append(words)
        assert [words for words, each in french.items() if len(each) > 1] == []

    def test_pairs_of_formulas_have_different_words_in_each_language(self):
        assert len({*PAIRS}) == len(PAIRS) >= 300
        for language in ("en", "fr"):
            assert [pair for pair in PAIRS if len({said(tex, language) for tex in pair}) < 2] == []

    @pytest.mark.long
    def test_random_formulas_that_differ_are_not_said_alike(self):
        found = list(many(3_000, seed=54))
        for language in ("en", "fr"):
            assert same_words(found, language) == []

    @pytest.mark.parametrize(
        "pair",
        [
            (r"\phi", r"\varphi"),
            (r"\frac12", r"{1\over2}"),
            (r"\dfrac12", r"\tfrac{1}{2}"),
            (r"a\,b", "a{}b"),
            (r"\left(x\right)", "(x)"),
            (r"\{x : x > 0\}", r"\{x \mid x > 0\}"),
            (r"\mathrm{d}x", "dx"),
        ],
    )
    def test_formulas_that_differ_only_in_spaces_groups_or_alike_signs_are_not_different(
        self, pair
    ):
        assert len({shape(read(tex)) for tex in pair}) == len({said(tex) for tex in pair}) == 1

    @pytest.mark.parametrize(
        ("tex", "english", "french"),
        [
            ("a|b, b|c", "a divides b, b divides c", "a divise b, b divise c"),
            ("A|B", "A vertical bar B", "A barre verticale B"),
            (
                "|a|b|c|",
                "vertical bar a vertical bar b vertical bar c vertical bar",
                "barre verticale a barre verticale b barre verticale c barre verticale",
            ),
            (
                r"P\left(A|B\right)",
                "P of open parenthesis A given B close parenthesis",
                "P de parenthèse ouvrante A sachant B parenthèse fermante",
            ),
            (r"9\overline{ab}", "9 bar over a b end bar", "9 barre sur a b fin barre"),
            (r"2\binom nk", "2 n choose k", "2 k parmi n"),
            (
                r"\binom{2n}{k}",
                "group 2 n end group choose k",
                "k parmi groupe 2 n fin groupe",
            ),
            ("x⁴ + x₄", "x to the 4 plus x sub 4", "x puissance 4 plus x indice 4"),
            ("10⁻⁵", "10 to the minus 5", "10 puissance moins 5"),
            ("3{,}14", "3 point 14", "3 virgule 14"),
            ("3,14", "3, 14", "3, 14"),
            ("x_{1,2}", "x sub 1, 2 end sub", "x indice 1, 2 fin indice"),
            ("x_{1{,}2}", "x sub 1 point 2 end sub", "x indice 1 virgule 2 fin indice"),
            ("x_{1{,}000}", "x sub 1,000 end sub", "x indice 1,000 fin indice"),
            (
                r"\sum_{k\in\{1,2,3\}}k",
                "the sum over k in open brace 1, 2, 3 close brace of k",
                "la somme sur k appartient à accolade ouvrante 1, 2, 3 accolade fermante de k",
            ),
            (
                r"\frac{f(1,2)}{3}",
                "the fraction with numerator f of open parenthesis 1, 2 close parenthesis"
                " and denominator 3 end fraction",
                None,
            ),
            (r"f:A\to B", "f from A to B", "f de A vers B"),
            (r"f:x\mapsto x^2", "f: x maps to x squared", "f : x donne x au carré"),
            (r"f\colon x\mapsto 2", "f: x maps to 2", "f : x donne 2"),
            (r"f:x\longmapsto 2", "f: x long maps to 2", "f : x donne longuement 2"),
            (
                r"f:A\to B,x\mapsto 2",
                "f from A to B, x maps to 2",
                "f de A vers B, x donne 2",
            ),
            (r"n^{\text{th}}", "n-th", "n-th"),
            (r"1^{\mathrm{st}}", "1st", "1st"),
            (r"0.\dot3", "0 point 3 recurring", "0 virgule 3 périodique"),
            ("5\u20133", "5 minus 3", "5 moins 3"),
            ("3½", "3 and one half", "3 et un demi"),
            ("10:30", "10:30", "10:30"),
            ("10:3", "10 to 3", "10 deux-points 3"),
            (
                r"\sqrt[3]{x}^2",
                "the cube root of x all squared",
                "la racine cubique de x le tout au carré",
            ),
            ("★♠₦✓", "black star spade naira check mark", "étoile noire pique nairas coche"),
            ("∠ABC", "angle A B C", "angle A B C"),
            ("√12 ∛8", "the square root of 12 the cube root of 8", None),
            ("a⏧b", "a electrical intersection b", "a electrical intersection b"),
            (
                "√(a(b+c))",
                "the square root of open parenthesis a open parenthesis b plus c close parenthesis"
                " close parenthesis end root",
                None,
            ),
            (
                r"√(x²+\frac{1}{2})",
                "the square root of open parenthesis x squared plus one half close parenthesis"
                " end root",
                None,
            ),
            ("√√2", "the square root of the square root of 2 end root", None),
            ("a # b", "a number sign b", "a dièse b"),
            (r"a \# b", "a number sign b", "a dièse b"),
            (
                "(AB)//(CD)",
                "open parenthesis A B close parenthesis is parallel to open parenthesis C D"
                " close parenthesis",
                "parenthèse ouvrante A B parenthèse fermante est parallèle à parenthèse ouvrante"
                " C D parenthèse fermante",
            ),
            ("7//2", "7 over over 2", "7 sur sur 2"),
            (
                r"\vec u\wedge\vec v",
                "vector u cross vector v",
                "vecteur u vectoriel vecteur v",
            ),
            (r"p\wedge q", "p and q", "p et q"),
            ("\N{INCREMENT}ABC", "capital delta A B C", "delta majuscule A B C"),
            (r"\mathcal{AB}", "script A script B", "A cursif B cursif"),
            ("x\u0304 + \u0233", "x bar plus y bar", "x barre plus y barre"),
            ("\\alpha\u0302", "alpha hat", "alpha chapeau"),
            ("0.3\u0304", "0 point repeating 3", "0 virgule période 3"),
            ("b\u0327", "b combining cedilla", None),
            ("\\mathrm{été}", "é t é", "é t é"),
            (r"\mbox{if }x", "if x", "if x"),
            (r"\sfrac{1}{2}", "one half", "un demi"),
            (r"\overarc{AB}", "arc over A B end arc", "arc sur A B fin arc"),
            (
                r"\pmatrix{a\cr b}",
                "2 by 1 matrix, row 1: a; row 2: b; end matrix",
                "matrice 2 par 1, ligne 1 : a; ligne 2 : b; fin matrice",
            ),
            (
                r"\begin{eqnarray*}a&=&b\end{eqnarray*}",
                "line 1: a equals b; end lines",
                "ligne 1 : a égale b; fin des lignes",
            ),
            (
                r"\lcm(a,b)",
                "the least common multiple of open parenthesis a, b close parenthesis",
                "le plus petit commun multiple de parenthèse ouvrante a, b parenthèse fermante",
            ),
            (r"\PGCD a + \PPCM b", "PGCD a plus PPCM b", "PGCD a plus PPCM b"),
            (r"\sgn x + \cotan y", "sgn x plus cotan y", None),
            (r"\Q + \C + \mathds{1}", said(r"\mathbb{Q} + \mathbb{C} + \mathbb{1}"), None),
            (
                r"\floor{x} + \ceil{y}",
                "floor of x end floor plus ceiling of y end ceiling",
                None,
            ),
            (r"1, \dotsc, n", "1, dot dot dot, n", None),
            (r"a\dotsb b", "a dot dot dot b", None),
            (r"5\euro + 3\permil", "5 euros plus 3 per mille", None),
            (r"20\celsius", "20 degrees C", None),
            (r"\vect{u}", "vector u", "vecteur u"),
            ("x &lt; 5", "x is less than 5", "x est inférieur à 5"),
            (r"\text{x²}", "x²", "x²"),
        ],
    )
    def test_a_formula_as_authors_type_it_is_said_in_both_languages(self, tex, english, french):
        assert said(tex) == english
        assert french is None or said(tex, "fr") == french

    @pytest.mark.parametrize(
        ("tex", "words"),
        [
            (r"x^2 + \frac{3}{4}", "x au carré plus trois quarts"),
            (r"0.\overline{3}", "0 virgule période 3"),
            (r"\sqrt[3]{a+b}", "la racine cubique de a plus b fin racine"),
            (r"\lim_{x \to 0} x", "la limite quand x tend vers 0 de x"),
            (r"\binom{n}{k}", "k parmi n"),
            (r"\mathbf{u} \cdot \mathbf{v}", "u gras scalaire v gras"),
            (r"\boldsymbol{\Gamma}", "gamma majuscule gras"),
            (r"x \in \mathbb{R}^+", "x appartient à l\u2019ensemble des réels positifs"),
            (r"(2n)!!", "parenthèse ouvrante 2 n parenthèse fermante double factorielle"),
            (r"\sin(x)", "sinus de parenthèse ouvrante x parenthèse fermante"),
        ],
    )
    def test_a_formula_is_said_in_french(self, tex, words):
        assert said(tex, "fr") == words

    def test_every_symbol_with_an_english_word_has_a_french_one(self):
        for name in (
            "operators",
            "identifiers",
            "symbols",
            "above",
            "below",
            "fractions",
            "powers",
            "matrices",
        ):
            assert {*getattr(FRENCH, name)} == {*getattr(ENGLISH, name)}
        assert {*FRENCH.signed} == {*ENGLISH.signed}
        assert {*FRENCH.roots} == {*ENGLISH.roots}

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (r"\(x^2\) < 4 & [image:7]", 'x au carré < 4 & image\xa0: A "triangle" <b>'),
            (r"le \(n\)ième terme de \(2\)a", "le nième terme de 2 a"),
            ("a\r\nb \\(x\\)", "a\nb x"),
        ],
    )
    def test_french_words_are_read_from_the_html(self, text, words):
        assert rendering.words(render(text, IMAGES).html, "fr") == words

    @pytest.mark.parametrize(
        ("tex", "message"),
        [
            (r"a + \foo", r"Formula 1, a + \foo, character 5: Unknown command"),
            (r"\frac{1}", "character 9"),
            ("x^", "character 3"),
            ("", "The formula is empty."),
            (r"x² + \foo", "character 6: Unknown command"),
            (r"\textbf{x}", r"\textbf is not supported: write \mathbf."),
            (r"\text{a # b}", r"character 10: Write the number sign as \#."),
            ("2 + √-1", r"character 5: Write \sqrt{…} instead of √."),
            ("∛|x|", r"Write \sqrt[3]{…} instead of ∛."),
            ("5% of x", r"character 2: Write the percent sign as \%."),
            (r"a \\ b", "needs an environment"),
            (r"\begin{split}a\end{split}", "split is not supported: write aligned."),
            (r"\begin{array}{c|c}1&2\end{array}", "Write {cc} instead of {c|c}."),
            (r"\begin{array}{@{}l p{2cm}}1&2\end{array}", "Write {ll} instead of {@{}l p{2cm}}."),
            (r"\begin{array}{*{2}c}1&2\end{array}", "Write one letter per column, such as {lcr}."),
            (
                r"x + \begin{array}[t]{c}1\end{array}",
                r"character 5: Write \begin{array} instead of \begin{array}[t].",
            ),
            ("$5", r"character 1: Write the dollar sign as \$."),
            (r"\text{if $x>0$}", r"A text can't contain a formula: end \text{…} before it."),
            (r"\text{if \alpha}", r"This belongs to a formula: end \text{…} before it."),
            (r"\'e", r"This belongs to words: write them as \text{…}."),
            (r"\left< x\right)", r"Write a bracket after \left, such as (,"),
            (r"\text{a \textbf{b}}", r"\textbf is not supported in a text: write the words alone."),
            (r"1\textsuperscript{2}", r"\textsuperscript is not supported: write ^{…}."),
            (r"\num{12}", r"\num is not supported: write the number and the unit"),
            (
                r"\begin{align}x\end{align}",
                "character 1: Equations can't be numbered: write align*.",
            ),
            ("x\u202ey", "character 2: This character can't be seen."),
            ("x" * 1001, "character 1001: A formula has at most 1000 characters."),
            ("{" * 21 + "x" + "}" * 21, "character 21: A formula has at most 20 levels."),
            (r"\sqrt " * 21 + "x", "A formula has at most 20 levels."),
            (r"\hat" * 200 + " x", "A formula has at most 20 levels."),
        ],
    )
    def test_an_error_names_the_formula_and_the_character(self, tex, message):
        assert message in unreadable(rf"\({tex}\)")

    def test_twenty_levels_and_a_thousand_characters_are_accepted(self):
        render(r"\(" + r"\sqrt{" * 20 + "x" + "}" * 20 + r"\)", {})
        render(r"\(" + "x" * 1000 + r"\)", {})

    @pytest.mark.parametrize("sign", [r"\times", r"\wedge"])
    def test_each_row_beside_a_product_is_said_once(self, sign, monkeypatch):
        rows = []
        monkeypatch.setattr(speech.bars, "meanings", lambda row: rows.append(row) or {})
        tex = "x"
        for _ in range(8):
            tex = rf"\sqrt{{{tex} {sign} y}}"
        said(tex)
        assert len(rows) == 9

    def test_the_space_between_rows_does_not_begin_a_formula(self):
        html, _ = render(r"\(\begin{pmatrix} 1 \\[4pt] 2 \end{pmatrix}\)", {})
        assert "[" not in Tags(html).text

    def test_an_image_has_its_size_and_its_alternative_text(self):
        html, words = render("See [image:7].", IMAGES)
        assert html == (
            'See <img src="/v1/images/a&quot;b.png" width="640" height="480"'
            ' alt="A &quot;triangle&quot; &lt;b&gt;">.'
        )
        assert words == 'See image: A "triangle" <b>.'
        check(html)
        assert unreadable("See [image:8].") == (
            "Character 5: there is no image 8. Upload the image, or correct its id."
        )

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (r"Is \(x^2 + \frac{1}{2}\) even?", "Is x squared plus one half even?"),
            (r"the \(n\)th term of \(2\)a", "the nth term of 2 a"),
            ("a\r\nb \\(x\\)", "a\r\nb x"),
        ],
    )
    def test_formulas_are_said_within_their_sentence(self, text, words):
        assert render(text, {}).words == words


class TestNothingUnescaped:
    @pytest.mark.parametrize("payload", [*PAYLOADS, *COMMANDS])
    def test_no_payload_reaches_the_html(self, payload):
        for text in (
            payload,
            rf"\({payload}\)",
            rf"\[\text{{{payload}}}\]",
            rf"\(x\){payload}\(y\)",
            rf"\(\mathrm{{{payload}}}\)",
            rf"\(\operatorname{{{payload}}}\)",
            rf"\(\begin{{{payload}}}x\end{{{payload}}}\)",
            rf"\(\genfrac{{{payload}}}{{)}}{{0pt}}{{}}{{n}}{{k}}\)",
            rf"\(\left{payload} x \right)\)",
            rf"{payload}[image:7]{payload}",
        ):
            try:
                html = render(text, IMAGES).html
            except Unreadable:
                continue
            check(html)
            assert "alert" not in re.sub(r'alttext="[^"]*"|>[^<]*<|^[^<]*|[^>]*$', "", html)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_commands_that_change_the_page_are_rejected(self, command):
        unreadable(rf"\({command}\)")

    @given(
        st.lists(
            st.one_of(
                st.sampled_from([*LISTED, *COMMANDS, *PAYLOADS]),
                st.sampled_from([*"{}[]()&#%^_~$'\"<>\\ \n\r\t|/", r"\\", r"\(", r"\)", r"\["]),
                st.sampled_from([r"\left", r"\right", r"\begin{", r"\end{", r"\text{", r"\not"]),
                st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=5),
            ),
            max_size=12,
        ),
        st.sampled_from([("", ""), (r"\(", r"\)"), (r"\[", r"\]")]),
    )
    @settings(deadline=None, max_examples=100)
    def test_any_text_is_safe_or_unreadable(self, parts, ends):
        text = "".join(parts)
        try:
            html, words = render(f"{ends[0]}{text}{ends[1]}", IMAGES)
        except Unreadable:
            return
        check(html)
        # The words can be computed again from the HTML alone.
        assert rendering.words(html, "en") == re.sub(r"\r\n?", "\n", words)

    @pytest.mark.parametrize(
        "checker",
        ["competition/plugins/pages/static/ground/markup.js", "examples/exam-client/page.js"],
    )
    def test_pages_know_every_allowed_element_and_attribute(self, checker):
        """Pages check the HTML before they insert it. If they find anything unknown, they show the
        TeX."""
        code = (REPOSITORY / checker).read_text("utf-8")
        known = javascript.names(code) | {*" ".join(javascript.strings(code)).split()}
        assert {*ATTRIBUTES}.union(*ATTRIBUTES.values()) <= known

    def test_output_of_the_library_beyond_the_list_is_rejected(self, monkeypatch):
        for written in (
            "<math><script>alert(1)</script></math>",
            '<math><mi onclick="alert(1)">x</mi></math>',
            '<math><mi href="//example.org">x</mi></math>',
            '<math><mi style="color:red">x</mi></math>',
            '<math><mspace width="50em"/></math>',
            "<math><mi>x</math>",
            "<math><mi>&unknown;</mi></math>",
            "<math><mi>x</mi>text</math>",
            "<mi>x</mi>",
            "<img/>",
        ):

            class Written:
                def convert_with_local_state(self, latex, *, displaystyle, written=written):
                    return written

            monkeypatch.setattr(formulas, "_CONVERTER", Written())
            unreadable(r"\(x\)")


def test_rendering_again_keeps_the_images_that_the_html_shows():
    text = r"[image:7] \(x\) [image:7]"
    found = render(text, IMAGES)
    assert rendering.render_again(text, found.html) == found
