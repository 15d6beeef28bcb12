"""Where a question is used, and how candidates answered it (docs/decisions/contract.md, W8)."""

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
