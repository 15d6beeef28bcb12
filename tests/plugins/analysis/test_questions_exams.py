"""Where a question is used, and how candidates answered it (docs/decisions/contract.md, W8)."""

import pytest

from competition.core.work import begin
from competition.plugins.scores.services import ending
from competition.testing.exam_day import make_exam, make_questions, publish, sit


def exams_of(person, question_id):
    return person.get(f"/questions/{question_id}/exams/", status=200).json["results"]


def test_a_question_shows_its_exams_and_the_answers_of_sealed_ones(app, admin):
    moderator = app.staff("moderator")
    first, second = make_questions(app, "AB")
    over = make_exam(app, admin, "", questions=[first, second])
    planned = make_exam(app, admin, "", questions=[second], scheduled_date=None)
    for letters in ("AB", "AC", "AB", "A "):
        sit(app, app.candidate(), over, letters)
    admin.post(f"/exams/{over}/conclude/")
    assert [each["answers"] for each in exams_of(moderator, second)] == [None, None]
    app.clock.advance(minutes=6)
    publish(app, admin)
    draft, asked = exams_of(moderator, second)
    assert (draft["id"], draft["position"], draft["answers"]) == (planned, 1, None)
    assert (asked["id"], asked["position"], asked["status"]) == (over, 2, "concluded")
    assert asked["answers"] == {
        "candidates": 4,
        "A": 0,
        "B": 2,
        "C": 1,
        "D": 0,
        "omitted": 1,
        "facility": 0.5,
    }
    [analysed] = [
        each
        for each in admin.get(f"/exams/{over}/analysis/").json["questions"]
        if each["question"] == second
    ]
    assert analysed["facility"] == asked["answers"]["facility"]
    moderator.get("/questions/999999/exams/", status=404, code="not_found")


def test_the_bank_shows_the_exams_of_a_question_and_the_share_of_right_answers(app, admin):
    moderator = app.staff("moderator")
    first, second, unused = make_questions(app, "ABC")
    for letters in ("AB", "AC"):
        over = make_exam(app, admin, "", questions=[first, second])
        for each in (letters, "A "):
            sit(app, app.candidate(), over, each)
        admin.post(f"/exams/{over}/conclude/")
    ids = f"{first},{second},{unused},2147483648"
    assert moderator.get(f"/questions/answers/?question_ids={ids}").json == {"results": []}
    app.clock.advance(minutes=6)
    publish(app, admin)
    draft = make_exam(app, admin, "", questions=[second], scheduled_date=None)
    removed = make_exam(app, admin, "", questions=[unused], scheduled_date=None)
    admin.delete(f"/exams/{removed}/")
    listed = {each["id"]: each["exams"] for each in moderator.get("/questions/").json["results"]}
    assert (listed[first]["count"], listed[first]["latest"]["id"]) == (2, over)
    assert (listed[second]["count"], listed[second]["latest"]["id"]) == (3, draft)
    assert listed[unused] == {"count": 0, "latest": None}
    used, free = (
        {each["id"] for each in moderator.get(f"/questions/?used={used}").json["results"]}
        for used in ("true", "false")
    )
    assert (used, free) == ({first, second}, {unused})
    assert moderator.get(f"/questions/answers/?question_ids={ids}", status=200).json["results"] == [
        {"question": first, "candidates": 4, "facility": 1.0},
        {"question": second, "candidates": 4, "facility": 0.25},
    ]


def test_an_exam_in_which_the_question_no_longer_counts_is_left_out_of_its_share(app, admin):
    [first, second] = make_questions(app, "AB")
    over = make_exam(app, admin, "", questions=[first, second])
    sit(app, app.candidate(), over, "AC")
    admin.post(f"/exams/{over}/conclude/")
    app.clock.advance(minutes=6)
    with begin(app.runtime) as work:
        ending.seal_and_score(work)
    body = {"changes": [{"question": second, "void": True}], "reason": "Ambiguous"}
    regrade = admin.post(f"/exams/{over}/regrades/", body, status=201).json["id"]
    admin.post(f"/exams/{over}/regrades/{regrade}/apply/", status=200)
    found = admin.get(f"/questions/answers/?question_ids={first},{second}").json["results"]
    assert found == [{"question": first, "candidates": 1, "facility": 1.0}]


@pytest.mark.parametrize("ids", ["a", "1,,2", "1, 2", "-1", ",".join(map(str, range(1, 102)))])
def test_questions_whose_answers_are_listed_are_named_by_at_most_100_ids(app, moderator, ids):
    reply = moderator.get(f"/questions/answers/?question_ids={ids}", status=400, code="invalid")
    assert list(reply.json["errors"]) == ["question_ids"]
