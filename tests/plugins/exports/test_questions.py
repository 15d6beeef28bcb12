"""Exports of the question bank, also in the formats of Moodle."""

from xml.etree import ElementTree

import pytest

from competition.testing.exam_day import make_exam
from tests.support.exported import lines
from tests.support.imports import check, rows

QUESTION = {
    "text": "Is {a} = b: yes?\n\n// 5 < 7 & \\(x^2\\) ~ #1",
    "option_a": "=1",
    "option_b": "50%",
    "option_c": "a -> b",
    "option_d": "'d'",
    "correct_answer": "C",
    "difficulty": "hard",
}


@pytest.fixture
def question(moderator):
    return moderator.post("/questions/", QUESTION, status=201).json


def test_questions_have_the_headers_of_an_import(moderator, question):
    moderator.post("/questions/", {**QUESTION, "text": "Easy?", "difficulty": "easy"}, status=201)
    [row] = lines(moderator.get("/exports/questions/?difficulty=hard", status=200))
    quoted = {"option_a": "'=1", "option_d": "''d'"}
    assert row == {**QUESTION, **quoted, "id": str(question["id"])}


def test_gift_escapes_what_has_a_meaning(moderator, question):
    reply = moderator.get("/exports/questions/?format=gift", status=200)
    assert reply.headers["Content-Disposition"].endswith('.gift.txt"')
    assert reply.text == (
        f"::Question {question['id']}::[plain]"
        r"Is \{a\} \= b\: yes?\n\n// 5 < 7 & \\(x^2\\) \~ \#1 {"
        "\n\t~[plain]\\=1\n\t~[plain]50%\n\t=[plain]a -> b\n\t~[plain]'d'\n}\n\n"
    )


def test_moodle_xml_has_the_texts_as_they_are(moderator, question):
    reply = moderator.get("/exports/questions/?format=moodle_xml", status=200)
    assert reply.content_type == "application/xml"
    [found] = ElementTree.fromstring(reply.body)
    text = found.find("questiontext")
    assert (text.get("format"), text.findtext("text")) == ("plain_text", QUESTION["text"])
    assert [(each.get("fraction"), each.findtext("text")) for each in found.iter("answer")] == [
        ("0", "=1"),
        ("0", "50%"),
        ("100", "a -> b"),
        ("0", "'d'"),
    ]


@pytest.mark.parametrize("form", ["csv", "xlsx", "gift", "moodle_xml"])
def test_the_import_of_an_export_of_questions_changes_nothing(app, moderator, question, form):
    others = (
        "Combien font 5\u00a0km\u202f?",
        "'5' is\ta digit.\n\n\\(\\neq\\) {=a ~b ~c ~d}",
        "[html] <b>x</b> &lt; $$y$$ %50% ::t:: $5 \\n",
        "'= 1'\n//x\n$CATEGORY: y\nANSWER: A",
    )
    for text in others:
        options = {"option_a": "'0.5'", "option_b": "'", "option_c": "<!--c-->", "option_d": "1.0"}
        moderator.post("/questions/", {**QUESTION, **options, "text": text}, status=201)
    reply = moderator.get(f"/exports/questions/?format={form}")
    name = reply.headers["Content-Disposition"].partition('"')[2].rstrip('"')
    found = check(app, moderator, "questions", reply.body, name)
    assert found["format"] == form
    assert found["counts"]["unchanged"] == 5, rows(moderator, found)


def test_the_questions_of_an_exam_are_in_the_order_of_its_paper(app, admin, moderator):
    exam_id = make_exam(app, admin, key="ABC")
    make_exam(app, admin, key="D")
    path = f"/exports/questions/?exam={exam_id}"
    reply = admin.get(path, status=200)
    assert [row["correct_answer"] for row in lines(reply)] == ["A", "B", "C"]
    assert f'"questions-exam-{exam_id}-' in reply.headers["Content-Disposition"]
    moderator.get(path, status=403, code="permission_denied")
    admin.get("/exports/questions/?exam=999999", status=400, code="invalid")


def test_without_exams_the_filter_is_gone(app_with, without):
    app = app_with(without("exams"))
    moderator = app.staff("moderator")
    moderator.post("/questions/", QUESTION, status=201)
    assert len(lines(moderator.get("/exports/questions/?exam=7", status=200))) == 1
