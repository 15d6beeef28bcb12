"""Formulas in questions (organisers Q1): what is understood, and what is rejected."""

import re

import nh3
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from competition.plugins.questions.mathematics import formulas, rendering, speech
from competition.plugins.questions.mathematics.elements import HTML, MATHML
from competition.plugins.questions.mathematics.segments import Formula, Unreadable
from competition.testing.exam_day import make_exam, take
from tools import formula_page

CORPUS = [tex for _, lines in formula_page.corpus() for tex in lines]
TAGS = {*MATHML, *HTML}
ATTRIBUTES = {
    **{tag: set(names) for tag, names in MATHML.items()},
    **{tag: set(names) for tag, names in HTML.items()},
}
PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></math>",
    '"><iframe src="javascript:alert(1)">',
    "<a href='java\nscript:alert(1)'>x</a>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<!--><script>alert(1)</script-->",
    "<math href='javascript:alert(1)'>",
    "<style>@import 'x'</style>",
    "{{constructor.constructor('alert(1)')()}}",
    r"\href{javascript:alert(1)}{x}",
    r"\url{javascript:alert(1)}",
    r"\style{color:red}{x}",
    r"\class{x}{y}",
    r"\cssId{x}{y}",
    r"\includegraphics{http://evil.example/x.png}",
    r"\html{<script>}",
    r"\unicode{60}",
    r"\text{<script>alert(1)</script>}",
    r"\mathrm{<img src=x>}",
    r"\def\x{\x\x}\x",
    r"\newcommand{\x}{<script>}\x",
    r"\input{/etc/passwd}",
    r"\write18{id}",
    r"\color{red}x",
    r"\hspace{9999em}x",
]


def second_reader_changes(html):
    """Whether an independent sanitizer with the same list would take something away."""
    cleaned = nh3.clean(
        html, tags=TAGS, attributes=ATTRIBUTES, link_rel=None, url_schemes={"https"}
    )
    return _flat(cleaned) != _flat(html)


def _flat(html):
    """The tags and their attributes in one order, because parsers write them differently."""
    tags = re.findall(r"<(/?)([a-z]+)([^>]*)>", html)
    return [
        (slash, name, sorted(re.findall(r'([a-z]+)="', rest)))
        for slash, name, rest in tags
        if not (slash and name == "br")
    ]


@pytest.mark.parametrize("tex", CORPUS)
def test_a_formula_of_school_and_olympiad_mathematics_is_understood(tex):
    for is_display in (False, True):
        formula = formulas.convert(Formula(tex, is_display, 1))
        assert formula.get("alttext") == tex.strip()
        assert not second_reader_changes(formulas.write(formula))
    words = speech.say(formula)
    assert words
    assert re.fullmatch(r"[\w ,.;:'-]+", words), words


def test_the_corpus_has_more_than_three_hundred_formulas_and_the_page_shows_them():
    assert len(CORPUS) >= 300
    assert formula_page.PAGE.read_text() == formula_page.page()


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"x^2 + \frac{1}{2}", "x squared plus one half"),
        (r"\frac{2}{3}", "two thirds"),
        (r"\frac{\sqrt{3}}{2}", "the fraction the square root of 3 over 2, end fraction"),
        (r"\sum_{k=1}^{n} k^2", "the sum from k equals 1 to n of k squared"),
        (r"\binom{n}{k}", "n choose k"),
        (r"90^\circ", "90 degrees"),
        (r"f'(x)", "f prime open parenthesis x close parenthesis"),
        (r"a_1, \ldots, a_n", "a sub 1, and so on, a sub n"),
        (r"x \in \mathbb{R}", "x is in the real numbers"),
        (r"\lim_{x \to 0} x", "the limit as x goes to 0 of x"),
        (r"\alpha \neq \Delta", "alpha is not equal to capital delta"),
    ],
)
def test_a_formula_is_said_in_words(tex, words):
    assert speech.say(formulas.convert(Formula(tex, False, 1))) == words


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_of_a_text_or_a_formula_reaches_the_html_unescaped(payload):
    for text in (payload, rf"\({payload}\)", rf"\[{payload}\]", rf"\(\text{{{payload}}}\)"):
        try:
            html = rendering.render(text, {}).html
        except Unreadable:
            continue
        assert not second_reader_changes(html), html
        assert "javascript:" not in re.sub(r'alttext="[^"]*"', "", html) or "<a" not in html


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.text(alphabet=st.sampled_from("\\{}^_&<>\"'$%()[]ab1+ \n frac sqrt text begin"), max_size=60)
)
def test_any_text_is_rendered_safely_or_rejected(text):
    for wrapped in (text, rf"\({text}\)"):
        try:
            rendered = rendering.render(wrapped, {})
        except Unreadable as unreadable:
            assert str(unreadable)
            continue
        assert not second_reader_changes(rendered.html)


QUESTION = {
    **{"text": r"How much is \(\frac{1}{2} + \frac{1}{3}\)?", "option_a": r"\(\frac{5}{6}\)"},
    **{"option_b": "1", "option_c": "$2", "option_d": "a < b", "correct_answer": "A"},
}


def test_a_question_with_formulas_is_rendered_when_it_is_saved(app):
    moderator = app.staff("moderator")
    made = moderator.post("/questions/", QUESTION, status=201).json
    assert made["text"] == QUESTION["text"]
    assert made["rendered"]["option_d"] == "a &lt; b"
    assert made["rendered"]["option_c"] == "$2"
    assert made["rendered"]["text"].startswith("How much is <math ")
    assert made["spoken"]["text"] == "How much is one half plus one third?"
    plain = moderator.post("/questions/", {**QUESTION, "text": "2?", "option_a": "1"}, status=201)
    assert (plain.json["rendered"], plain.json["spoken"]) == (None, None)
    path = f"/questions/{made['id']}/"
    changed = moderator.patch(path, {"text": "2?", "option_a": "1"}, status=200).json
    assert changed["rendered"] is None


@pytest.mark.parametrize(
    ("tex", "named"),
    [
        (r"\(\frac{1}{2", "not closed"),
        (r"\(x\]", "not closed"),
        (r"x\)", "has not begun"),
        (r"\(\unknown{x}\)", "character"),
        (r"\(\def\x{1}\)", "define"),
        (rf"\({'x' * 1001}\)", "1,000"),
        (rf"\({'{' * 21}x{'}' * 21}\)", "20 levels"),
    ],
)
def test_a_formula_that_can_not_be_read_is_rejected_and_changes_nothing(app, tex, named):
    moderator = app.staff("moderator")
    made = moderator.post("/questions/", QUESTION, status=201).json
    reply = moderator.patch(
        f"/questions/{made['id']}/", {"option_b": tex}, status=400, code="invalid"
    )
    [message] = reply.json["errors"]["option_b"]
    assert named in message
    moderator.post("/questions/", {**QUESTION, "text": tex}, status=400, code="invalid")
    assert moderator.get(f"/questions/{made['id']}/").json["option_b"] == "1"


def test_a_preview_renders_what_saving_would(app):
    moderator = app.staff("moderator")
    made = moderator.post("/questions/", QUESTION, status=201).json
    texts = {name: QUESTION[name] for name in rendering.FIELDS}
    shown = moderator.post("/questions/render/", texts, status=200).json
    assert shown["rendered"] == made["rendered"]
    moderator.post("/questions/render/", {"text": r"\(\frac{\)"}, status=400, code="invalid")


def test_rendered_questions_are_frozen_with_the_paper(app, admin):
    made = admin.post("/questions/", QUESTION, status=201).json
    exam_id = make_exam(app, admin, "", questions=[made["id"]])
    first = take(app.candidate(), exam_id, status=200).json["questions"][0]
    assert first["rendered"] == made["rendered"]
    assert first["spoken"] == made["spoken"]
    admin.patch(f"/questions/{made['id']}/", {"text": r"\(x^2\)?"}, status=200)
    again = take(app.candidate(), exam_id, status=200).json["questions"][0]
    assert again == first
