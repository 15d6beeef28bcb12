"""A submission repeated with the same Idempotency-Key, because the first reply was lost."""

import pytest
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import answers, make_exam, submit
from competition.testing.races import together

ONE, OTHER = {"Idempotency-Key": "a-name-of-one"}, {"Idempotency-Key": "a-name-of-another"}


def stored(app, exam_id):
    with begin(app.runtime) as work:
        of_exam = select(Submission.answers, Submission.submitted_at).filter_by(exam_id=exam_id)
        return work.db.execute(of_exam).all()


def test_the_same_key_and_answers_get_the_first_reply(app, admin):
    exam_id, person = make_exam(app, admin), app.candidate()
    body = answers(app, exam_id, "AB D")
    first = submit(person, exam_id, body, headers=ONE, status=201)
    [before] = stored(app, exam_id)
    # The exam is over, and the candidate has moved to another stage.
    admin.put(f"/candidates/{person.id}/roles/assign/", {"role": "league"}, status=200)
    app.clock.advance(days=3)
    again = app.new_session(person)
    # This body leaves out unanswered questions and has another order.
    same = {"answers": [each for each in reversed(body["answers"]) if each["selected_option"]]}
    for repeated in (body, same):
        assert submit(again, exam_id, repeated, headers=ONE, status=201).json == first.json
    assert stored(app, exam_id) == [before]

    others = answers(app, exam_id, "ABCD")
    submit(again, exam_id, others, headers=ONE, status=400, code="idempotency_key_reused")
    # The answers are the same, but without the key the service takes this for a second submission.
    for headers in (OTHER, {}):
        submit(again, exam_id, body, headers=headers, status=400, code="exam_already_submitted")
    assert stored(app, exam_id) == [before]


def test_a_key_belongs_to_one_candidate_and_exam(app, admin):
    exams, people = [make_exam(app, admin) for _ in range(2)], [app.candidate() for _ in range(2)]
    for nth, (exam_id, person) in enumerate((exam, who) for exam in exams for who in people):
        body = answers(app, exam_id, "ABCD"[nth])
        submit(person, exam_id, body, headers=ONE, status=201)
    assert [len(stored(app, exam_id)) for exam_id in exams] == [2, 2]


def test_a_key_does_not_repeat_a_submission_without_a_key(app, admin):
    exam_id, person = make_exam(app, admin), app.candidate()
    body = answers(app, exam_id, "A")
    submit(person, exam_id, body, status=201)
    submit(person, exam_id, body, headers=ONE, status=400, code="exam_already_submitted")


@pytest.mark.parametrize("key", ["", "a b", "a\tb", "ä", "a" * 256])
def test_a_malformed_key_is_rejected(app, admin, key):
    exam_id, person = make_exam(app, admin), app.candidate()
    body = answers(app, exam_id, "A")
    headers = {"Idempotency-Key": key}
    reply = submit(person, exam_id, body, headers=headers, status=400, code="invalid")
    assert list(reply.json["errors"]) == ["idempotency_key"]
    assert not stored(app, exam_id)
    submit(person, exam_id, body, headers={"Idempotency-Key": "~" * 255}, status=201)


def test_simultaneous_repeats_store_one_submission_and_get_one_reply(live):
    exam_id, person = make_exam(live, live.staff("admin")), live.candidate()
    body, others = answers(live, exam_id, "ABCD"), answers(live, exam_id, "DCBA")
    replies = together(20, lambda nth: submit(person, exam_id, body, headers=ONE, status="any"))
    assert {(reply.status_int, reply.text) for reply in replies} == {(201, replies[0].text)}
    assert [row.answers[:4] for row in stored(live, exam_id)] == ["ABCD"]

    # If the answers of the two requests differ, one request is rejected.
    other = live.candidate()
    both = together(
        2,
        lambda nth: submit(other, exam_id, (body, others)[nth], headers=ONE, status="any"),
    )
    refused = next(reply for reply in both if reply.status_int == 400)
    assert {reply.status_int for reply in both} == {201, 400}
    assert refused.json["code"] == "idempotency_key_reused"


def test_cors_allows_the_idempotency_key_header(app_with):
    origin = "https://app.league.example"
    reply = app_with({"competition.cors.origins": origin}).http.options(
        "/v1/exams/1/submit-exam-answers/",
        headers={"Origin": origin, "Access-Control-Request-Method": "POST"},
    )
    assert "Idempotency-Key" in reply.headers["Access-Control-Allow-Headers"].split(", ")
