"""Candidates ask during an exam, and staff answer one of them or tell everybody (organisers K1)."""

import pytest

from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.sittings.services import submitting, taking
from competition.testing.exam_day import answers, make_exam, publish, submit, take
from competition.testing.races import overtaken, together
from competition.testing.sockets import nothing_came, receive, send


def ask(person, exam_id, text="Is 0 a natural number?", question=None, **expected):
    body = {"question": question, "text": text}
    return person.post(f"/exams/{exam_id}/clarifications/", body, **expected)


def answer(person, clarification, **body_and_expected):
    expected = {k: body_and_expected.pop(k) for k in ("status", "code") if k in body_and_expected}
    path = f"/clarifications/{clarification['id']}/answer/"
    return person.post(path, body_and_expected, **expected)


def listed(person, exam_id, query=""):
    return person.get(f"/exams/{exam_id}/clarifications/{query}", status=200).json["results"]


def announce(person, exam_id, text="There is a clock in the hall.", **expected):
    return person.post(f"/exams/{exam_id}/announcements/", {"text": text}, **expected)


def messages(person, exam_id):
    return person.get(f"/exams/{exam_id}/time/", status=200).json["messages"]


def sitting(service, exam_id):
    person = service.candidate(school="Hillside")
    take(person, exam_id, status=200)
    return person


@pytest.fixture
def exam_id(app, admin):
    return make_exam(app, admin, "AB")


@pytest.fixture
def moderator(app):
    return app.staff("moderator")


def test_a_question_and_its_private_answer_are_for_the_candidate_and_staff(app, exam_id, moderator):
    ada, ben = sitting(app, exam_id), sitting(app, exam_id)
    first, _ = take(ada, exam_id).json["questions"]
    asked = ask(ada, exam_id, question=first["id"], status=201).json
    assert asked == {
        "id": asked["id"],
        "exam": exam_id,
        "question": first["id"],
        "text": "Is 0 a natural number?",
        "status": "open",
        "answer": None,
        "public": False,
        "asked_at": "2026-03-01T09:00:00Z",
        "answered_at": None,
    }
    [seen] = listed(moderator, exam_id)
    assert seen["candidate"] == {
        "user_id": str(ada.id),
        "full_name": seen["candidate"]["full_name"],
        "school": "Hillside",
    }
    answered = answer(moderator, asked, answer="Yes.", status=200).json
    assert (answered["status"], answered["answered_at"]) == ("answered", "2026-03-01T09:00:00Z")
    assert [each["answer"] for each in listed(ada, exam_id)] == ["Yes."]
    assert listed(ben, exam_id) == []
    assert (messages(ada, exam_id), messages(ben, exam_id)) == (1, 0)


def test_others_see_a_public_answer_without_the_question_and_the_name(app, exam_id, moderator):
    ada, ben = sitting(app, exam_id), sitting(app, exam_id)
    asked = ask(ada, exam_id, text="Secret thought", status=201).json
    answer(moderator, asked, answer="0 counts as natural here.", public=True, status=200)
    [seen] = listed(ben, exam_id)
    assert (seen["text"], seen["answer"], seen["public"]) == (
        *(None, "0 counts as natural here.", True),
    )
    assert "candidate" not in seen
    assert listed(ben, exam_id, "?search=secret") == []
    assert len(listed(ada, exam_id, "?search=secret")) == 1
    assert (messages(ada, exam_id), messages(ben, exam_id)) == (1, 1)
    # A private answer replaces it: who has read the first one is told that it is gone.
    answer(moderator, asked, answer="I was wrong.", status=200)
    assert listed(ben, exam_id) == []
    assert messages(ben, exam_id) == 2


def test_a_dismissed_question_has_no_answer_and_may_still_get_one(app, exam_id, moderator):
    ada = sitting(app, exam_id)
    asked = ask(ada, exam_id, status=201).json
    assert answer(moderator, asked, dismiss=True, status=200).json["status"] == "dismissed"
    [seen] = listed(ada, exam_id)
    assert (seen["status"], seen["answer"]) == ("dismissed", None)
    assert answer(moderator, asked, answer="Yes.", status=200).json["status"] == "answered"
    for body in ({}, {"answer": "x", "dismiss": True}, {"dismiss": True, "public": True}):
        answer(moderator, asked, **body, status=400, code="invalid")
    answer(moderator, {"id": asked["id"] + 1}, answer="x", status=404, code="not_found")


def test_only_who_is_taking_the_exam_may_ask(app, admin, exam_id):
    ada = app.candidate()
    ask(ada, exam_id, status=400, code="exam_not_started")
    for path in ("clarifications", "announcements"):
        ada.get(f"/exams/{exam_id}/{path}/", status=400, code="exam_not_started")
    ask(app.candidate("league"), exam_id, status=403, code="exam_not_eligible")
    late = sitting(app, exam_id)
    take(ada, exam_id, status=200)
    submit(ada, exam_id, answers(app, exam_id, "AB"), status=201)
    ask(ada, exam_id, status=400, code="exam_already_submitted")
    assert listed(ada, exam_id) == []
    app.clock.advance(minutes=66)
    ask(late, exam_id, status=403, code="exam_not_open")
    ask(ada, exam_id + 1, status=404, code="not_found")


def test_a_question_has_to_be_in_the_paper_and_to_have_a_text(app, admin, exam_id):
    ada = sitting(app, exam_id)
    other = make_exam(app, admin, "A", stage="league")
    [elsewhere] = admin.get(f"/exams/{other}/questions/").json
    for question in (elsewhere["id"], 999_999, "x", -1):
        ask(ada, exam_id, question=question, status=400, code="invalid")
    for text in ("", "  ", "x" * 1001, None):
        ask(ada, exam_id, text=text, status=400, code="invalid")
    assert listed(ada, exam_id) == []


def test_at_most_three_questions_wait_for_an_answer(app, exam_id, moderator):
    ada = sitting(app, exam_id)
    first, *_ = [ask(ada, exam_id, status=201).json for _ in range(3)]
    ask(ada, exam_id, status=400, code="invalid")
    ask(sitting(app, exam_id), exam_id, status=201)
    answer(moderator, first, answer="Yes.", status=200)
    ask(ada, exam_id, status=201)


def test_of_many_questions_at_the_same_moment_three_are_stored(live):
    exam_id = make_exam(live, live.staff("admin"), "AB")
    ada = sitting(live, exam_id)
    statuses = together(6, lambda index: ask(ada, exam_id, status="any").status_int)
    assert sorted(statuses) == [201, 201, 201, 400, 400, 400]


def test_a_repeated_request_with_the_same_key_asks_and_announces_once(app, exam_id, moderator):
    ada = sitting(app, exam_id)
    key = {"Idempotency-Key": "one"}
    body = {"text": "Is 0 natural?"}
    path = f"/exams/{exam_id}/clarifications/"
    first, again = (ada.post(path, body, headers=key, status=201).json for _ in range(2))
    assert first == again
    assert len(listed(ada, exam_id)) == 1
    ada.post(path, {"text": "Other"}, headers=key, status=400, code="idempotency_key_reused")
    path = f"/exams/{exam_id}/announcements/"
    first, again = (moderator.post(path, body, headers=key, status=201).json for _ in range(2))
    assert first == again
    assert messages(ada, exam_id) == 1


def test_nothing_is_answered_once_the_exam_is_published(app, admin, exam_id, moderator):
    ada = sitting(app, exam_id)
    asked = ask(ada, exam_id, status=201).json
    admin.post(f"/exams/{exam_id}/conclude/")
    answer(moderator, asked, answer="After the end is fine.", status=200)
    app.clock.advance(minutes=6)
    publish(app, admin)
    answer(moderator, asked, answer="Too late.", status=400, code="invalid")


def test_an_announcement_is_for_all_who_have_started(app, admin, exam_id, moderator):
    ada, later = sitting(app, exam_id), app.candidate()
    done = sitting(app, exam_id)
    submit(done, exam_id, answers(app, exam_id, "A"), status=201)
    made = announce(moderator, exam_id, status=201).json
    assert made == {
        "id": made["id"],
        "exam": exam_id,
        "text": "There is a clock in the hall.",
        "created_at": "2026-03-01T09:00:00Z",
    }
    assert (messages(ada, exam_id), messages(later, exam_id)) == (1, 0)
    take(later, exam_id, status=200)
    assert messages(later, exam_id) == 1
    for person in (ada, later, done, moderator):
        assert person.get(f"/exams/{exam_id}/announcements/").json["results"] == [made]
    told = [each["message"] for each in done.get("/notifications/").json["results"]]
    assert told == ["There is a clock in the hall."]
    assert ada.get("/notifications/").json["results"] == []
    announce(app.candidate(), exam_id, status=403, code="permission_denied")
    for text in ("", "x" * 2001):
        announce(moderator, exam_id, text=text, status=400, code="invalid")
    announce(moderator, exam_id + 1, status=404, code="not_found")


def test_who_has_submitted_is_notified_of_an_answer(app, exam_id, moderator):
    ada, ben = sitting(app, exam_id), sitting(app, exam_id)
    asked = ask(ada, exam_id, status=201).json
    for person in (ada, ben):
        submit(person, exam_id, answers(app, exam_id, "A"), status=201)
    answer(moderator, asked, answer="Only for you.", status=200)
    [told] = ada.get("/notifications/").json["results"]
    assert told["message"] == "Only for you."
    assert ben.get("/notifications/").json["results"] == []
    answer(moderator, asked, answer="For all.", public=True, status=200)
    assert [each["message"] for each in ben.get("/notifications/").json["results"]] == ["For all."]


def test_staff_list_what_waits_in_all_exams(app, admin, exam_id, moderator):
    other = make_exam(app, admin, "A")
    ada = sitting(app, exam_id)
    take(ada, other, status=200)
    first, second = (ask(ada, each, status=201).json for each in (exam_id, other))
    answer(moderator, first, answer="Yes.", status=200)
    waiting = moderator.get("/clarifications/", status=200).json["results"]
    assert [(each["id"], each["exam"]) for each in waiting] == [(second["id"], other)]
    done = moderator.get("/clarifications/?status=answered", status=200).json["results"]
    assert [each["id"] for each in done] == [first["id"]]


def test_an_erasure_takes_the_question_but_not_a_public_answer(app, exam_id, moderator):
    ada, ben = sitting(app, exam_id), sitting(app, exam_id)
    public, private = (ask(ada, exam_id, text=text, status=201).json for text in ("Me?", "I?"))
    answer(moderator, public, answer="Everybody.", public=True, status=200)
    answer(moderator, private, answer="Dear Ada", status=200)
    with begin(app.runtime) as work:
        personal_data.erase(work, ada.id)
    seen = {each["id"]: each for each in listed(moderator, exam_id)}
    assert seen[public["id"]]["answer"] == "Everybody."
    assert "Me?" not in str(seen) and "Dear Ada" not in str(seen)
    assert [each["answer"] for each in listed(ben, exam_id)] == ["Everybody."]


def test_two_moderators_who_answer_at_the_same_moment_leave_one_answer(live):
    exam_id = make_exam(live, live.staff("admin"), "AB")
    staff = [live.staff("moderator") for _ in range(2)]
    ada = sitting(live, exam_id)
    asked = ask(ada, exam_id, status=201).json
    statuses = together(
        2, lambda index: answer(staff[index], asked, answer=f"No. {index}").status_int
    )
    assert statuses == [200, 200]
    [seen] = listed(ada, exam_id)
    assert seen["answer"] in ("No. 0", "No. 1")
    assert messages(ada, exam_id) == 2


def test_an_answer_while_the_candidate_submits_reaches_them_once(live):
    exam_id = make_exam(live, live.staff("admin"), "AB")
    moderator, ada = live.staff("moderator"), sitting(live, exam_id)
    asked = ask(ada, exam_id, status=201).json

    def submits(work):
        found = taking.find(work, exam_id)
        submitting.submit_answers(work, found, [])

    overtaken(live, ada, submits, lambda: answer(moderator, asked, answer="Yes.", status=200))
    assert messages(ada, exam_id) == 1
    assert [each["answer"] for each in listed(ada, exam_id)] == ["Yes."]


def test_sockets_of_who_is_taking_the_exam_get_answers_and_announcements_once(sockets):
    service = sockets.service
    admin, moderator = service.staff("admin"), service.staff("moderator")
    exam_id = make_exam(service, admin, "AB")
    ada, ben, outsider = sitting(service, exam_id), sitting(service, exam_id), service.candidate()
    of_ada, of_ben, of_outsider = (sockets.open(each) for each in (ada, ben, outsider))
    watcher = sockets.open(moderator)
    send(watcher, "follow_exam", {"exam": exam_id})
    nothing_came(watcher)
    asked = ask(ada, exam_id, status=201).json
    assert receive(watcher) == {
        "type": "exam_question",
        "message": {"exam": exam_id, "open": 1},
    }
    answer(moderator, asked, answer="Yes.", status=200)
    frame = receive(of_ada)
    assert frame["type"] == "exam_message"
    assert frame["message"] == {
        "exam": exam_id,
        "kind": "answer",
        "id": asked["id"],
        "question": None,
        "text": "Yes.",
        "created_at": frame["message"]["created_at"],
    }
    assert receive(watcher)["message"]["open"] == 0
    nothing_came(of_ben)
    announced = announce(moderator, exam_id, status=201).json
    for client in (of_ada, of_ben):
        told = receive(client)["message"]
        assert (told["kind"], told["id"]) == ("announcement", announced["id"])
        nothing_came(client)
    nothing_came(of_outsider)
    send(watcher, "unfollow_exam", {"exam": exam_id})
    ask(ben, exam_id, status=201)
    nothing_came(watcher)
