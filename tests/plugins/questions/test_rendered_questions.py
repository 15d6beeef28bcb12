r"""Questions with formulas, from saving to the results: `rendered` and `spoken`."""

from xml.etree import ElementTree

import pytest

from competition.plugins.questions.mathematics import formulas, unmarked
from competition.plugins.questions.mathematics.rendering import FIELDS
from competition.testing.exam_day import make_exam, publish, sit, take

MATHEMATICS = {
    "text": "Is \\(x < y\\)?\n<Think>",
    "option_a": r"\(\frac{1}{2}\)",
    "option_b": "$2",
    "option_c": "3",
    "option_d": r"\[x^2\]",
}
RENDERED = {
    "text": 'Is <math alttext="x &lt; y"><mi>x</mi><mo>&lt;</mo><mi>y</mi></math>?'
    "<br>&lt;Think&gt;",
    "option_a": '<math alttext="\\frac{1}{2}"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>',
    "option_b": "$2",
    "option_c": "3",
    "option_d": '<math alttext="x^2" display="block"><msup><mi>x</mi><mn>2</mn></msup></math>',
}
SPOKEN = {
    "text": "Is x is less than y?\n<Think>",
    "option_a": "one half",
    "option_b": "$2",
    "option_c": "3",
    "option_d": "x squared",
}
SPOKEN_IN_FRENCH = {
    "text": "Is x est inférieur à y?\n<Think>",
    "option_a": "un demi",
    "option_b": "$2",
    "option_c": "3",
    "option_d": "x au carré",
}


def add(person, **fields):
    body = {**MATHEMATICS, "correct_answer": "B", **fields}
    return person.post("/questions/", body, status=201).json


def both(found):
    return found["rendered"], found["spoken"]


def test_a_question_with_formulas_is_rendered_when_it_is_saved(app, moderator):
    question = add(moderator)
    assert both(question) == (RENDERED, SPOKEN)
    assert {name: question[name] for name in FIELDS} == MATHEMATICS
    assert moderator.get(f"/questions/{question['id']}/").json == question
    listed = {**question, "exams": {"count": 0, "latest": None}}
    assert moderator.get("/questions/").json["results"] == [listed]


def test_a_question_without_formulas_is_not_rendered(moderator):
    question = add(moderator, **dict.fromkeys(FIELDS, "$x$ < <b>\n[image:x]"))
    assert both(question) == (None, None)


@pytest.mark.parametrize("field", FIELDS)
def test_an_invalid_formula_is_an_error_of_its_field(moderator, field):
    question = add(moderator)
    path = f"/questions/{question['id']}/"
    wrong = {field: r"\(x\) and \(\foo\)"}
    message = r"Formula 2, \foo, character 1: Unknown command "
    whole = {**MATHEMATICS, "correct_answer": "B", **wrong}
    for method, address, body in (
        (moderator.post, "/questions/", whole),
        (moderator.put, path, whole),
        (moderator.patch, path, wrong),
        (moderator.post, "/questions/render/", wrong),
    ):
        errors = method(address, body, status=400, code="invalid").json["errors"]
        assert list(errors) == [field] and errors[field][0].startswith(message)
    assert moderator.get(path).json == question


def test_a_preview_shows_mistakes_and_renders_everything_else(moderator):
    text = r"a<b \(\foo\) \(x\) [image:99] \(1 \(y\)"
    body = {"text": text, "option_a": r"\(\frac{1}{2}\)", "show_mistakes": True}
    found = moderator.post("/questions/render/", body, status=200).json
    wrong = "<math><merror><mtext>{}</mtext></merror></math>"
    html = found["rendered"]["text"]
    assert html.startswith("a&lt;b " + wrong.format(r"\(\foo\)") + " <math ")
    assert wrong.format("[image:99]") in html
    assert html.endswith(wrong.format(r"\(") + r"1 \(y\)")
    assert "<mfrac>" in found["rendered"]["option_a"]
    assert [each["field"] for each in found["mistakes"]] == ["text"] * 3
    assert found["mistakes"][0]["message"].startswith(r"Formula 1, \foo, character 1")
    plain = {"text": "2 + 2", "show_mistakes": True}
    assert moderator.post("/questions/render/", plain, status=200).json == {
        "rendered": None,
        "spoken": None,
        "mistakes": [],
        "warnings": [],
    }


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("What is $x^2$?", {"$x^2$": r"\(x^2\)"}),
        (r"$$\frac12$$", {r"$$\frac12$$": r"\[\frac12\]"}),
        (r"Is x^2 + \frac12 = 3?", {r"x^2 + \frac12 = 3": r"\(x^2 + \frac12 = 3\)"}),
        ("Is a x<sup>2</sup> more?", {"x<sup>2</sup>": r"\(x^{2}\)"}),
        ("Is x &lt; 5?", {"x &lt; 5": r"\(x < 5\)"}),
        ("x&sup2; &#247; &frac12;", {"x&sup2; &#247; &frac12;": r"\(x² ÷ ½\)"}),
        ("It is &pi; or 3 &divide; 4", {"&pi;": r"\(π\)", "3 &divide; 4": r"\(3 ÷ 4\)"}),
        ("l&#39;&eacute;t&eacute; de R&amp;D, &lt &foo;", {}),
        ("H<sub>2</sub>O", {"H<sub>2</sub>O": r"\(H_{2}O\)"}),
        ("(see ax^2+bx+c=0).", {"ax^2+bx+c=0": r"\(ax^2+bx+c=0\)"}),
        ("|x|^10 and 2^(n+1)", {"|x|^10": r"\(|x|^{10}\)", "2^(n+1)": r"\(2^{n+1}\)"}),
        ("x_1 follows ____", {"x_1": r"\(x_1\)"}),
        (r"\(x\) and y^2", {"y^2": r"\(y^2\)"}),
        (r"\(x\)^2 or y^\(n\)", {r"\(x\)^2": r"\(x^2\)", r"y^\(n\)": r"\(y^{n}\)"}),
        (r"\(x\) and \(y\)_1", {r"\(y\)_1": r"\(y_1\)"}),
        (r"\(x\) is ____, \(y\)____, (1)____", {}),
        ("2πr^2, Δx^2", {"2πr^2": r"\(2πr^2\)", "Δx^2": r"\(Δx^2\)"}),
        ("求x^2的值", {"x^2": r"\(x^2\)"}),
        ("ABCD^2, (ABC)_1", {"ABCD^2": r"\(ABCD^2\)", "(ABC)_1": r"\((ABC)_1\)"}),
        ("log_2 8", {"log_2 8": r"\(\log_2 8\)"}),
        (r"\max_{x} or max_{x}", {r"\max_{x}": r"\(\max_{x}\)", "max_{x}": r"\(\max_{x}\)"}),
        ("Is $ABC$ like $x\n+ y$?", {"$ABC$": r"\(ABC\)", "$x\n+ y$": "\\(x\n+ y\\)"}),
        (r"1{,}5 kg or 50\%", {"1{,}5": r"\(1{,}5\)", r"50\%": r"\(50\%\)"}),
        (r"\$5 for 3\,cm", {r"\$5": r"\(\$5\)", r"3\,cm": r"\(3\,cm\)"}),
        (r"The set \{1,2,a\}", {r"\{1,2,a\}": r"\(\{1,2,a\}\)"}),
        (
            "&#x222A;, &#x3C0;, x &leq; 5",
            {"&#x222A;": "\\(\u222a\\)", "&#x3C0;": r"\(π\)"} | {"x &leq; 5": r"\(x ≤ 5\)"},
        ),
        (r"\(x^2\), and \(", {}),
        ("It costs $5 or $6, not 5$ and 6$.", {}),
        ("What is 2 - 3 + 5? See snake_case.", {}),
        ("A: $5\nB: 7$, from $CAD to $EUR, or $CAD/$USD", {}),
        ("Is file(1)_2.pdf the price_max_2 of user_1@example.com? (¯\\_(ツ)_/¯)", {}),
    ],
)
def test_a_formula_without_delimiters_is_found(text, formulas):
    assert {each.source: each.formula.source for each in unmarked.find(text)} == formulas


def test_the_preview_warns_about_what_is_probably_not_meant(moderator):
    texts = {"text": r"$x^2$ or \foo{1}", "option_a": r"\(x^2\)", "option_c": "x^2"}
    body = {**texts, "option_b": r"\(x^{2}\)", "option_d": r"\(x^2\)"}
    found = moderator.post("/questions/render/", body, status=200).json["warnings"]
    assert [(each["field"], bool(each["formula"])) for each in found] == [
        *(("text", True), ("text", False), ("option_c", True), ("option_b", False)),
    ]
    assert "<msup>" in found[0]["formula"]
    assert found[0]["message"].endswith(r"write \(x^2\)")
    assert found[3]["message"].startswith("Options A and B are read aloud in the same words")
    # It can be saved.
    body |= {"correct_answer": "A", "difficulty": "easy"}
    moderator.post("/questions/", body, status=201)


@pytest.mark.parametrize(
    ("text", "english", "french"),
    [
        (
            r"a \(x\) \(1 + \foo\)",
            r'Formula 2, 1 + \foo, character 5: Unknown command "\foo".',
            r"Formule 2, 1 + \foo, caractère 5~: Commande inconnue~: \foo.",
        ),
        (
            r"\(\frac{1}\)",
            r"Formula 1, \frac{1}, character 9: Expected argument but reached end of input.",
            r"Formule 1, \frac{1}, caractère 9~: Il manque un argument à la fin.",
        ),
        (
            r"\(\begin{matrix}1\end{pmatrix}\)",
            r"Formula 1, \begin{matrix}1\end{pmatrix}, character 16:"
            r' Expected "\end{matrix}", but found "\end{pmatrix}".',
            r"Formule 1, \begin{matrix}1\end{pmatrix}, caractère 16~:"
            r" Il faut \end{matrix} au lieu de \end{pmatrix}.",
        ),
        (
            r"\(5%\)",
            r"Formula 1, 5%, character 2: Write the percent sign as \%.",
            r"Formule 1, 5%, caractère 2~: Écrivez le signe pour cent \%.",
        ),
        (
            r"so \(x",
            r"Formula 1, which begins at character 4, is not closed with \).",
            "La formule 1, qui commence au caractère 4, n\u2019est pas fermée par \\).",
        ),
        (
            r"\(√-1\)",
            r"Formula 1, √-1, character 1: Write \sqrt{…} instead of √.",
            r"Formule 1, √-1, caractère 1~: Écrivez \sqrt{…} au lieu de √.",
        ),
        (
            "[image:9]",
            "Character 1: there is no image 9. Upload the image, or correct its id.",
            "Caractère 1~: l\u2019image 9 n\u2019existe pas. Envoyez l\u2019image ou corrigez son"
            " identifiant.",
        ),
    ],
)
def test_errors_of_formulas_are_in_the_language_of_the_author(moderator, text, english, french):
    path, body = "/questions/render/", {"text": text}
    assert moderator.post(path, body, status=400).json["errors"] == {"text": [english]}
    reply = moderator.post(path, body, headers={"Accept-Language": "fr"}, status=400).json
    assert reply["errors"] == {"text": [french.replace("~", "\u00a0")]}
    assert reply["detail"].startswith("Certains textes sont illisibles.")


def test_every_field_with_an_invalid_formula_is_named(moderator):
    wrong = {"text": r"\(", "option_c": "[image:9]"}
    errors = moderator.post("/questions/render/", wrong, status=400).json["errors"]
    assert {*errors} == {"text", "option_c"}


def test_changing_one_text_keeps_the_rendering_of_the_others(moderator):
    path = f"/questions/{add(moderator)['id']}/"
    changed = moderator.patch(path, {"option_c": r"\(y_1\)"}).json
    assert changed["spoken"] == {**SPOKEN, "option_c": "y sub 1"}
    assert changed["rendered"]["text"] == RENDERED["text"]
    unchanged = moderator.patch(path, {"difficulty": "hard"}).json
    assert both(unchanged) == both(changed)
    plain = moderator.patch(path, dict.fromkeys(FIELDS, "1")).json
    assert both(plain) == (None, None)


def test_a_preview_renders_its_texts_and_stores_nothing(moderator):
    path = "/questions/render/"
    assert moderator.post(path, {"option_a": r"\(\frac{1}{2}\)"}, status=200).json == {
        "rendered": {**dict.fromkeys(FIELDS, ""), "option_a": RENDERED["option_a"]},
        "spoken": {**dict.fromkeys(FIELDS, ""), "option_a": "one half"},
        "mistakes": [],
        "warnings": [],
    }
    nothing = {"rendered": None, "spoken": None, "mistakes": [], "warnings": []}
    assert moderator.post(path, {"text": "$2"}, status=200).json == nothing
    assert moderator.post(path, {}, status=200).json == nothing
    assert moderator.get("/questions/").json["results"] == []


def test_an_edit_does_not_change_the_formulas_of_a_frozen_paper(app, manager):
    admin = app.staff("admin")
    question = add(manager)
    exam_id = make_exam(app, admin, key="", questions=[question["id"]])
    preview = admin.get(f"/exams/{exam_id}/preview/", status=200).json
    ada = app.candidate()
    paper = take(ada, exam_id, status=200).json
    manager.patch(f"/questions/{question['id']}/", dict.fromkeys(FIELDS, r"\(z\)"), status=200)
    sit(app, ada, exam_id, "B")
    admin.post(f"/exams/{exam_id}/conclude/")
    app.run_jobs()
    publish(app, admin)
    review = ada.get(f"/leaderboard/screening/1/candidate/{ada.number}/").json
    taken = admin.get(f"/candidates/{ada.id}/").json
    found = {
        "preview": preview["questions"],
        "paper": paper["questions"],
        "exam": admin.get(f"/exams/{exam_id}/").json["questions"]["results"],
        "analysis": admin.get(f"/exams/{exam_id}/analysis/").json["questions"],
        "performance": review["candidate_performance"]["submissions"],
        "records": taken["records"]["performance"]["exams_taken"][0]["submission"],
    }
    for place, [each] in found.items():
        assert both(each) == (RENDERED, SPOKEN), place


def test_candidates_get_the_words_in_their_language(app, manager):
    admin = app.staff("admin")
    exam_id = make_exam(app, admin, key="", questions=[add(manager)["id"]])
    ada, french = app.candidate(), {"Accept-Language": "fr"}
    opened = f"/exams/{exam_id}/take-exam/"
    reply = ada.get(opened, headers=french, status=200)
    english = ada.get(opened, status=200)
    assert (reply.headers["Content-Language"], reply.headers["Vary"]) == ("fr", "Accept-Language")
    assert "Content-Language" not in english.headers
    assert [both(each) for each in english.json["questions"]] == [(RENDERED, SPOKEN)]
    # A request for English gets the same bytes as a request without a language. The clock does not
    # move in between.
    assert ada.get(opened, headers={"Accept-Language": "en"}).body == english.body
    sit(app, ada, exam_id, "B")
    admin.post(f"/exams/{exam_id}/conclude/")
    app.clock.advance(hours=1)
    app.run_jobs()
    publish(app, admin)
    own = ada.get(f"/exams/{exam_id}/submitted-answers/", headers=french, status=200).json
    path = f"/leaderboard/screening/1/candidate/{ada.number}/"
    review = ada.get(path, headers=french, status=200)
    found = {
        "preview": admin.get(f"/exams/{exam_id}/preview/", headers=french).json["questions"],
        "paper": reply.json["questions"],
        "answers": own["answers"],
        "performance": review.json["candidate_performance"]["submissions"],
    }
    for place, [each] in found.items():
        assert both(each) == (RENDERED, SPOKEN_IN_FRENCH), place
    # Each language has its own ETag.
    tag = {"If-None-Match": review.headers["ETag"]}
    ada.get(path, headers={**french, **tag}, status=304)
    ada.get(path, headers=tag, status=200)


def test_a_paper_without_formulas_has_no_words_in_any_language(app):
    exam_id = make_exam(app, app.staff("admin"), key="A")
    path, french = f"/exams/{exam_id}/take-exam/", {"Accept-Language": "fr"}
    [question] = app.candidate().get(path, headers=french, status=200).json["questions"]
    assert both(question) == (None, None)


def test_a_stored_paper_has_the_fields_of_a_question_in_their_order(app):
    exam_id = make_exam(app, app.staff("admin"), key="A")
    # The first candidate's request freezes the paper; the second candidate's request reads it.
    for _ in range(2):
        [question] = take(app.candidate(), exam_id, status=200).json["questions"]
        assert list(question) == ["id", *FIELDS, "rendered", "spoken"]


def test_the_svg_of_an_analysis_has_formulas_in_words(app, moderator):
    admin = app.staff("admin")
    exam_id = make_exam(app, admin, key="", questions=[add(moderator)["id"]])
    sit(app, app.candidate(), exam_id, "B")
    picture = ElementTree.fromstring(admin.get(f"/exams/{exam_id}/analysis/?format=svg").text)
    written = "".join(picture.itertext())
    assert SPOKEN["text"] in written and r"\(" not in written
    # A CSV file contains TeX, so that it can be imported again.
    assert r"\(x < y\)" in admin.get(f"/exams/{exam_id}/analysis/?format=csv").text


def test_opening_an_exam_converts_no_formula(app, moderator, monkeypatch):
    """Thousands of candidates open a paper in the same minute, so the service converts its formulas
    when a question is saved."""
    admin = app.staff("admin")
    converted = []
    convert = formulas.convert

    def recording(formula):
        converted.append(formula.tex)
        return convert(formula)

    monkeypatch.setattr(formulas, "convert", recording)
    exam_id = make_exam(app, admin, key="", questions=[add(moderator)["id"]])
    assert converted == ["x < y", r"\frac{1}{2}", "x^2"]
    paper = take(app.candidate(), exam_id, status=200).json
    assert both(paper["questions"][0]) == (RENDERED, SPOKEN)
    assert len(converted) == 3
