"""Clarifications: which users may ask and read them, and how questions are answered."""

from uuid import uuid4

import pytest
from sqlalchemy import func, select

from competition.core.audit import AuditEntry
from competition.core.limits.counters import parse_rates
from competition.core.repeats import RepeatableRequest
from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.clarifications.models import Announcement, ExamMessage
from competition.testing.exam_day import answers, make_exam, publish, submit, take

TEXT = "Is zero a natural number here?"
LIST_ORDER = "?ordering=id"


@pytest.fixture
def exam_id(app, admin):
    return make_exam(app, admin, "AB")


@pytest.fixture
def moderator(app):
    return app.staff("moderator")


@pytest.fixture
def ada(app, exam_id):
    return sitting(app, exam_id)


def sitting(app, exam_id):
    person = app.candidate()
    take(person, exam_id, status=200)
    return person


def hand_in(app, person, exam_id):
    submit(person, exam_id, answers(app, exam_id, "AB"), status=201)


def first_question(app, exam_id):
    return answers(app, exam_id, "A")["answers"][0]["question"]


def ask(person, exam_id, text=TEXT, question=None, **expected):
    body = {"question": question, "text": text}
    expected = expected or {"status": 201}
    return person.post(f"/exams/{exam_id}/clarifications/", body, **expected).json


def answer(staff, asked, **given):
    expected = {key: given.pop(key) for key in ("status", "code") if key in given}
    path = f"/clarifications/{asked['id']}/answer/"
    return staff.post(path, given, **(expected or {"status": 200})).json


def announce(staff, exam_id, text, **options):
    return staff.post(f"/exams/{exam_id}/announcements/", {"text": text}, **options)


def listed(person, exam_id, query=""):
    return person.get(f"/exams/{exam_id}/clarifications/{query}", status=200).json["results"]


def messages(person, exam_id):
    return person.get(f"/exams/{exam_id}/time/", status=200).json["messages"]


def notified(person):
    found = person.get("/notifications/", status=200).json["results"]
    return [(each["subject"], each["message"]) for each in found]


def test_a_question_is_asked_listed_and_answered(app, moderator, exam_id, ada):
    question = first_question(app, exam_id)
    asked = ask(ada, exam_id, question=question)
    assert asked == {
        "id": asked["id"],
        "exam": exam_id,
        "question": question,
        "text": TEXT,
        "status": "open",
        "answer": None,
        "public": False,
        "asked_at": "2026-03-01T09:00:00Z",
        "answered_at": None,
    }
    assert listed(ada, exam_id) == [asked]
    candidate = {
        "user_id": str(ada.id),
        "full_name": app.user(ada).full_name,
        "school": "Hillside School",
    }
    assert listed(moderator, exam_id) == [{**asked, "candidate": candidate}]
    app.clock.advance(minutes=1)
    answered = answer(moderator, asked, answer="Yes.", public=False)
    expected = {**asked, "status": "answered", "answer": "Yes."}
    expected["answered_at"] = "2026-03-01T09:01:00Z"
    assert answered == {**expected, "candidate": candidate}
    assert listed(ada, exam_id) == [expected]
    with begin(app.runtime) as work:
        [entry] = work.db.scalars(select(AuditEntry).filter_by(action="clarification.answer"))
    assert (entry.target_id, entry.actor_id) == (ada.id, moderator.id)
    assert entry.new == {"status": "answered", "answer": "Yes."}


def test_only_candidates_taking_the_exam_can_ask(app, moderator, exam_id, ada):
    for question in (999_999, "x"):
        ask(ada, exam_id, question=question, status=400, code="invalid")
    for text in ("", " ", "x" * 1001):
        ask(ada, exam_id, text, status=400, code="invalid")
    ask(moderator, exam_id, status=403, code="permission_denied")
    ask(ada, 999_999, status=404)
    absent = app.candidate()
    for path in ("clarifications", "announcements"):
        absent.get(f"/exams/{exam_id}/{path}/", status=400, code="exam_not_started")
        absent.get(f"/exams/999999/{path}/", status=404)
        moderator.get(f"/exams/999999/{path}/", status=404)
    ask(absent, exam_id, status=400, code="exam_not_started")
    hand_in(app, ada, exam_id)
    ask(ada, exam_id, status=400, code="exam_already_submitted")
    late = sitting(app, exam_id)
    app.clock.advance(minutes=66)
    late = type(late)(late.id, late.email, app.new_session(late))
    ask(late, exam_id, status=403, code="exam_not_open")
    assert listed(late, exam_id) == []


def test_a_candidate_has_at_most_three_open_questions_in_an_exam(app, admin, moderator, exam_id):
    ada, ben = (sitting(app, exam_id) for _ in range(2))
    first, *_ = (ask(ada, exam_id, f"{at}") for at in range(3))
    ask(ada, exam_id, status=400, code="invalid")
    ask(ben, exam_id)
    other = make_exam(app, admin, "A", round=2)
    take(ada, other, status=200)
    ask(ada, other)
    answer(moderator, first, dismiss=True)
    ask(ada, exam_id)


def test_a_repeated_question_with_the_same_key_is_stored_once(app, exam_id, ada):
    key = {"Idempotency-Key": "7"}
    first = ask(ada, exam_id, headers=key, status=201)
    assert ask(ada, exam_id, headers=key, status=201) == first
    ask(ada, exam_id, "Other", headers=key, status=400, code="idempotency_key_reused")
    assert listed(ada, exam_id) == [first]


def test_others_see_a_public_answer_without_the_question(app, moderator, exam_id, ada):
    ben = sitting(app, exam_id)
    public, private, waiting = (ask(ada, exam_id, f"Secret {at}") for at in range(3))
    answer(moderator, public, answer="Zero counts.", public=True)
    answer(moderator, private, answer="No.", public=False)
    [shown] = listed(ben, exam_id)
    assert (shown["id"], shown["text"], shown["answer"]) == (public["id"], None, "Zero counts.")
    assert str(ada.id) not in str(shown) and "candidate" not in shown
    # A search does not find the text of the other candidate's question.
    assert listed(ben, exam_id, "?search=secret") == []
    assert listed(ben, exam_id, "?search=zero") == [shown]
    own = [each["id"] for each in listed(ada, exam_id, "?search=secret&ordering=id")]
    assert own == [public["id"], private["id"], waiting["id"]]
    assert listed(ada, exam_id, "?status=open") == [waiting]
    # If an answer is no longer public, other candidates don't see it any longer, but their number
    # of messages changes.
    before = messages(ben, exam_id)
    answer(moderator, public, answer="Zero counts.", public=False)
    assert listed(ben, exam_id) == []
    assert messages(ben, exam_id) == before + 1


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"answer": "Yes."},
        {"answer": "Yes.", "public": None},
        {"answer": "Yes.", "public": "x"},
        {"answer": "", "public": True},
        {"answer": "x" * 2001, "public": True},
        {"public": True},
        {"dismiss": False},
        {"dismiss": True, "answer": "Yes.", "public": True},
    ],
)
def test_an_answer_is_either_text_or_a_dismissal(moderator, exam_id, ada, given):
    asked = ask(ada, exam_id)
    answer(moderator, asked, **given, status=400, code="invalid")
    assert listed(ada, exam_id) == [asked]


def test_a_later_answer_replaces_an_earlier_one_until_the_publication(app, admin, moderator, ada):
    exam_id = make_exam(app, admin, "AB", round=2)
    take(ada, exam_id, status=200)
    asked = ask(ada, exam_id)
    answer(moderator, {"id": 999_999}, dismiss=True, status=404)
    answer(moderator, asked, answer="Yes.", public=True)
    assert messages(ada, exam_id) == 1
    # Repeating an answer notifies nobody again.
    answer(moderator, asked, answer="Yes.", public=True)
    assert messages(ada, exam_id) == 1
    answer(moderator, asked, dismiss=True)
    [shown] = listed(ada, exam_id)
    assert (shown["status"], shown["answer"], shown["public"]) == ("dismissed", None, False)
    hand_in(app, ada, exam_id)
    answer(moderator, asked, answer="No.", public=False)
    assert notified(ada)[0] == ("Your question about Screening was answered", "No.")
    admin.post(f"/exams/{exam_id}/conclude/")
    publish(app, admin)
    answer(moderator, asked, answer="Yes.", public=False, status=400, code="invalid")
    assert listed(ada, exam_id)[0]["answer"] == "No."


def test_an_answer_with_only_if_open_replaces_no_other_answer(moderator, exam_id, ada):
    asked = ask(ada, exam_id)
    careful = {"public": True, "only_if_open": True}
    answer(moderator, asked, answer="Yes.", **careful)
    answer(moderator, asked, answer="No.", **careful, status=412, code="precondition_failed")
    answer(moderator, asked, dismiss=True, only_if_open=True, status=412)
    assert listed(ada, exam_id)[0]["answer"] == "Yes."
    # A client may repeat its own answer, because the reply to the first request may have been lost.
    answer(moderator, asked, answer="Yes.", **careful)
    assert messages(ada, exam_id) == 1


def test_the_messages_counter_counts_answers_and_announcements_for_the_candidate(
    app, moderator, exam_id, ada
):
    ben, absent = sitting(app, exam_id), app.candidate()
    asked = ask(ada, exam_id)
    assert messages(ada, exam_id) == 0
    announce(moderator, exam_id, "Question 2: round up.", status=201)
    assert [messages(each, exam_id) for each in (ada, ben, absent)] == [1, 1, 0]
    answer(moderator, asked, answer="Yes.", public=False)
    assert [messages(each, exam_id) for each in (ada, ben)] == [2, 1]
    answer(moderator, asked, answer="Yes.", public=True)
    assert [messages(each, exam_id) for each in (ada, ben)] == [3, 2]
    take(absent, exam_id, status=200)
    assert messages(absent, exam_id) == 2


def test_a_candidate_who_has_submitted_gets_a_notification(app, moderator, exam_id, ada):
    ben, eve = sitting(app, exam_id), sitting(app, exam_id)
    asked = ask(ada, exam_id)
    for person in (ada, ben):
        hand_in(app, person, exam_id)
    announce(moderator, exam_id, "Stay seated.", status=201)
    answer(moderator, asked, answer="Yes.", public=True)
    announced = ("An announcement about Screening", "Stay seated.")
    assert notified(ada) == [("Your question about Screening was answered", "Yes."), announced]
    others = ("An answer to a question about Screening", "Yes.")
    assert notified(ben) == [others, announced]
    assert notified(eve) == notified(app.candidate()) == []
    answer(moderator, asked, dismiss=True)
    assert notified(ada)[0][0] == "Your question about Screening was dismissed"
    assert len(notified(ben)) == 2


def test_announcements_are_listed_and_a_repeat_with_the_same_key_is_ignored(
    app, moderator, exam_id, ada
):
    key = {"Idempotency-Key": str(uuid4())}
    first = announce(moderator, exam_id, "One.", headers=key, status=201).json
    assert first == {
        "id": first["id"],
        "exam": exam_id,
        "text": "One.",
        "created_at": "2026-03-01T09:00:00Z",
    }
    assert announce(moderator, exam_id, "One.", headers=key, status=201).json == first
    announce(moderator, exam_id, "Two.", headers=key, status=400, code="idempotency_key_reused")
    app.clock.advance(seconds=1)
    second = announce(moderator, exam_id, "Two.", status=201).json
    for person in (ada, moderator):
        found = person.get(f"/exams/{exam_id}/announcements/").json
        assert found["results"] == [second, first]
    found = ada.get(f"/exams/{exam_id}/announcements/?search=two").json["results"]
    assert found == [second]
    announce(moderator, 999_999, "One.", status=404)
    for text in ("", "x" * 2001):
        announce(moderator, exam_id, text, status=400, code="invalid")
    with begin(app.runtime) as work:
        entries = work.db.scalars(select(AuditEntry).filter_by(action="announcement.make")).all()
    assert [each.new["text"] for each in entries] == ["One.", "Two."]


def test_moderators_list_the_open_questions_of_all_exams(app, admin, moderator, exam_id, ada):
    other = make_exam(app, admin, "A", round=2)
    take(ada, other, status=200)
    first = ask(ada, exam_id, "First")
    app.clock.advance(seconds=1)
    second = ask(ada, other, "Second")
    done = ask(ada, other, "Third")
    answer(moderator, done, dismiss=True)

    def found(query=""):
        results = moderator.get(f"/clarifications/{query}", status=200).json["results"]
        return [each["id"] for each in results]

    assert found() == [second["id"], first["id"]]
    assert found(LIST_ORDER) == [first["id"], second["id"]]
    assert found("?search=first") == [first["id"]]
    shown = moderator.get("/clarifications/", status=200).json["results"]
    assert [each["exam_title"] for each in shown] == ["Screening", "Screening"]
    assert shown[0]["candidate"]["user_id"] == str(ada.id)


def test_all_questions_of_one_candidate_are_listed(app, admin, moderator, exam_id, ada):
    other = make_exam(app, admin, "A", round=2)
    take(ada, other, status=200)
    first, second, third = (
        ask(ada, exam_id, "First"),
        ask(ada, other, "Second"),
        ask(ada, other, "Third"),
    )
    ask(sitting(app, exam_id), exam_id, "Of another candidate")
    answer(moderator, first, answer="Yes.", public=False)
    answer(moderator, third, dismiss=True)

    def found(candidate):
        path = f"/clarifications/?candidate={candidate}&ordering=id"
        results = moderator.get(path, status=200).json["results"]
        return [(each["id"], each["status"]) for each in results]

    states = [(first["id"], "answered"), (second["id"], "open"), (third["id"], "dismissed")]
    assert found(ada.id) == states
    assert found(admin.id) == []
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    app.clock.advance(minutes=6)
    admin.delete(f"/exams/{exam_id}/", status=204)
    assert found(ada.id) == states[1:]
    moderator.get("/clarifications/?candidate=ada", status=400, code="invalid")


def test_a_question_is_answered_after_the_exam_and_dismissed_by_the_publication(
    app, admin, moderator, exam_id, ada
):
    ben = sitting(app, exam_id)
    other = make_exam(app, admin, "A", round=2)
    take(ada, other, status=200)
    elsewhere = ask(ada, other)
    answered, first, second = (ask(ada, exam_id, f"{at}") for at in range(3))
    for person in (ada, ben):
        hand_in(app, person, exam_id)
    app.clock.advance(seconds=1)
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    open_ones = moderator.get("/clarifications/", status=200).json["results"]
    assert {each["id"] for each in open_ones} == {
        each["id"] for each in (elsewhere, answered, first, second)
    }
    answer(moderator, answered, answer="Yes.", public=False)
    before = messages(ada, exam_id)
    app.clock.advance(minutes=1)
    publish(app, admin)
    left = moderator.get("/clarifications/", status=200).json["results"]
    assert [each["id"] for each in left] == [elsewhere["id"]]
    states = {each["id"]: each for each in listed(ada, exam_id)}
    assert states[answered["id"]]["status"] == "answered"
    for asked in (first, second):
        assert states[asked["id"]]["status"] == "dismissed"
        assert states[asked["id"]]["answered_at"] == "2026-03-01T09:01:01Z"
        answer(moderator, asked, answer="Yes.", public=False, status=400, code="invalid")
    # There is one notification for both questions. There is no message, because nobody is sitting
    # the exam.
    closed = (
        "Your question about Screening was dismissed",
        "The results are published, so nobody can answer your question any longer.",
    )
    assert [each for each in notified(ada) if each == closed] == [closed]
    assert closed not in notified(ben)
    assert messages(ada, exam_id) == before
    # Another publication notifies nobody again.
    publish(app, admin)
    assert notified(ada).count(closed) == 1


def test_the_lists_have_a_rate_limit_of_their_own(app_with, monkeypatch):
    monkeypatch.setattr("competition.plugins.clarifications.RATE", parse_rates("2/hour"))
    app = app_with({"competition.ratelimit.enabled": "true"})
    moderator = app.staff("moderator")
    for _ in range(2):
        moderator.get("/clarifications/", status=200)
    moderator.get("/clarifications/", status=429, code="throttle_exceeded")
    moderator.get("/dashboard/staff/", status=200)


def test_a_question_is_personal_data_and_a_public_answer_is_not(app, moderator, exam_id, ada):
    ben = sitting(app, exam_id)
    public, private, _ = (ask(ada, exam_id, f"I am Ada {at}") for at in range(3))
    answer(moderator, public, answer="Zero counts.", public=True)
    answer(moderator, private, answer="No, Ada.", public=False)
    with begin(app.runtime) as work:
        exported = personal_data.export(work, ada.id)["clarifications"]
        assert [each["text"] for each in exported] == [f"I am Ada {at}" for at in range(3)]
        personal_data.erase(work, ada.id)
        exported = personal_data.export(work, ada.id)["clarifications"]
        assert [(each["text"], each["status"], each["answer"]) for each in exported] == [
            ("Erased", "answered", "Zero counts."),
            ("Erased", "answered", None),
            ("Erased", "dismissed", None),
        ]
        entries = work.db.scalars(select(AuditEntry).filter_by(action="clarification.answer"))
        assert [each.new for each in entries] == [None, None]
        repeats = select(func.count()).select_from(RepeatableRequest)
        assert work.db.scalar(repeats) == 0
    assert [each["answer"] for each in listed(ben, exam_id)] == ["Zero counts."]
    assert moderator.get("/clarifications/").json["results"] == []


def test_questions_are_deleted_a_year_after_the_exam(app, moderator, exam_id, ada):
    answer(moderator, ask(ada, exam_id), answer="Yes.", public=True)
    announce(moderator, exam_id, "Hello.", status=201)
    app.clock.advance(days=364)
    app.forget("clarifications.clarifications")
    with begin(app.runtime) as work:
        assert len(personal_data.export(work, ada.id)["clarifications"]) == 1
    app.clock.advance(days=2)
    app.forget("clarifications.clarifications")
    app.forget("clarifications.notified")
    with begin(app.runtime) as work:
        assert personal_data.export(work, ada.id)["clarifications"] == []
        assert work.db.scalar(select(func.count()).select_from(ExamMessage)) == 1
        assert work.db.scalar(select(Announcement.text)) == "Hello."


def test_deleting_an_exam_with_announcements_hides_it(app, admin):
    exam_id = make_exam(app, admin, "A", scheduled_date="2026-04-01T00:00:00Z")
    announce(admin, exam_id, "Bring a ruler.", status=201)
    admin.delete(f"/exams/{exam_id}/", status=204)
    with begin(app.runtime) as work:
        assert work.db.scalar(select(Announcement.text)) == "Bring a ruler."


def test_the_questions_of_a_candidate_are_of_every_season_or_of_the_named_one(app, admin):
    exam_id, moderator = make_exam(app, admin), app.staff("moderator")
    superadmin = app.staff("superadmin")
    person = sitting(app, exam_id)
    asked = ask(person, exam_id, "Is zero even?")
    answer(moderator, asked, dismiss=True)
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    app.clock.advance(hours=13)
    publish(app, app.new_session(admin))
    superadmin, moderator = app.new_session(superadmin), app.new_session(moderator)
    [old] = superadmin.get("/seasons/").json["results"]
    new = superadmin.post("/seasons/", {"name": "2027"}, status=201).json
    path = f"/clarifications/?candidate={person.id}"
    for of_candidate in (path, f"{path}&season={old['id']}"):
        [row] = moderator.get(of_candidate, status=200).json["results"]
        assert row["id"] == asked["id"]
    assert moderator.get(f"{path}&season={new['id']}", status=200).json["results"] == []
    moderator.get("/clarifications/?season=999", status=400, code="invalid")
