"""Appeals: which candidates may submit them, and how staff answer them."""

from collections import Counter
from datetime import timedelta

from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.exams.models import ExamQuestion
from competition.testing.exam_day import make_exam, publish, season
from competition.testing.races import together

TEXT = "Zero is an even number."


def first_question(app, exam_id):
    with begin(app.runtime) as work:
        found = work.db.query(ExamQuestion).filter_by(exam_id=exam_id)
        return found.order_by(ExamQuestion.position).first().question_id


def make(person, exam_id, question=None, **expected):
    body = {"question": question, "text": TEXT}
    return person.post(f"/exams/{exam_id}/appeals/", body, **{"status": 201, **expected}).json


def answer(admin, appeal, answer="Right.", **body):
    expected = {key: body.pop(key) for key in ("status_code", "code") if key in body}
    return admin.post(
        f"/appeals/{appeal['id']}/answer/",
        {"answer": answer, "status": "accepted", **body},
        status=expected.get("status_code", 200),
        code=expected.get("code"),
    ).json


def test_an_appeal_is_submitted_listed_and_answered(app, admin):
    exam_id, [person, other] = season(app, admin, ["AB", "A "], key="AB")
    publish(app, admin)
    question = first_question(app, exam_id)
    made = make(person, exam_id, question)
    assert made == {
        "id": made["id"],
        "exam": exam_id,
        "exam_title": admin.get(f"/exams/{exam_id}/").json["title"],
        "stage": "screening",
        "round": 1,
        "candidate": {
            "user_id": str(person.id),
            "full_name": app.user(person).full_name,
            "school": "Hillside School",
        },
        "question": question,
        "question_number": 1,
        "text": TEXT,
        "status": "open",
        "answer": None,
        "regrade": None,
        "created_at": "2026-03-01T09:02:00Z",
        "answered_at": None,
    }
    # A candidate can submit one appeal per question, and one about the whole exam.
    make(person, exam_id, question, status=400, code="invalid")
    whole = make(person, exam_id)
    make(person, exam_id, status=400, code="invalid")
    make(person, exam_id, 999_999, status=400, code="invalid")
    of_other = make(other, exam_id, question)

    def listed(person, query=""):
        found = person.get(f"/exams/{exam_id}/appeals/{query}").json["results"]
        return [each["id"] for each in found]

    assert listed(person) == [whole["id"], made["id"]]
    assert listed(app.candidate()) == []
    assert listed(app.staff("moderator")) == [of_other["id"], whole["id"], made["id"]]
    assert listed(admin, "?search=even%20zero&limit=1&page=3") == [made["id"]]
    body = {"changes": [{"question": question, "accept": ["A", "B"]}], "reason": "Both are right."}
    regrade = admin.post(f"/exams/{exam_id}/regrades/", body, status=201).json["id"]
    other_exam, _ = season(app, admin, ["A"], key="A", round=2)
    publish(app, admin)
    elsewhere = [{"question": first_question(app, other_exam), "void": False, "accept": ["B"]}]
    body = {"changes": elsewhere, "reason": "-"}
    foreign = admin.post(f"/exams/{other_exam}/regrades/", body, status=201).json["id"]
    for unknown in (foreign, 999_999):
        answer(admin, made, regrade=unknown, status_code=400, code="invalid")
    answered = answer(admin, made, "You are right.", regrade=regrade)
    # The answer names this preview.
    path = f"/exams/{exam_id}/regrades/{regrade}/"
    admin.delete(path, status=400, code="invalid")
    admin.get(path)
    assert (answered["status"], answered["answer"], answered["regrade"]) == (
        *("accepted", "You are right.", regrade),
    )
    answer(admin, made, status_code=400, code="invalid")
    answer(admin, of_other, "No.", status="rejected")
    notifications = person.get("/notifications/").json["results"]
    assert ("Your appeal was accepted", "You are right.") in [
        (each["subject"], each["message"]) for each in notifications
    ]
    assert listed(admin, "?status=open") == [whole["id"]]
    assert listed(admin, "?status=rejected") == [of_other["id"]]
    # Once an appeal is answered, the candidate can submit another one.
    make(person, exam_id, question)
    answer(admin, {"id": 999_999}, status_code=404, code="not_found")
    for wrong in ({"answer": ""}, {"status": "open"}):
        answer(admin, whole, **{"status_code": 400, "code": "invalid", **wrong})
    person.post(f"/exams/{exam_id}/appeals/", {"text": "x" * 2001}, status=400)
    with begin(app.runtime) as work:
        [entry, _] = work.db.scalars(
            select(AuditEntry).filter_by(action="appeal.answer").order_by(AuditEntry.id)
        )
        assert (entry.target_id, entry.new["regrade"]) == (person.id, regrade)
        exported = personal_data.export(work, person.id)["appeals"]
        assert [each["text"] for each in exported] == [TEXT] * 3
        personal_data.erase(work, person.id)
        exported = personal_data.export(work, person.id)["appeals"]
        assert {(each["text"], each["answer"]) for each in exported} == {("Erased", None)}


def test_moderators_list_the_appeals_in_all_exams(app, admin):
    made, people = [], []
    for number in (1, 2, 3):
        exam_id, [person] = season(app, admin, ["A"], key="A", round=number)
        publish(app, admin)
        made.append(make(person, exam_id)["id"])
        people.append(person)
        app.clock.advance(minutes=1)
    answer(admin, {"id": made[0]}, "No.", status="rejected")
    # An exam with results is only hidden, not deleted.
    admin.delete(f"/exams/{exam_id}/", status=204)
    moderator = app.staff("moderator")

    def found(query=""):
        return [each["id"] for each in moderator.get(f"/appeals/{query}").json["results"]]

    assert found() == [made[1], made[0]]
    assert found("?status=open") == [made[1]]
    assert found(f"?candidate={people[0].id}") == [made[0]]
    moderator.get("/appeals/?candidate=7", status=400, code="invalid")
    # Candidates see only their own appeals, whatever they filter by.
    assert people[1].get(f"/appeals/?candidate={people[0].id}").json["results"] == []
    assert found("?limit=1&page=2&ordering=-id") == [made[0]]
    app.staff("volunteer").get("/appeals/", status=403, code="permission_denied")


def test_only_participants_can_appeal_while_appeals_are_open(app, admin):
    def closed(person, exam_id):
        make(person, exam_id, status=403, code="appeals_closed")

    exam_id, [person] = season(app, admin, ["AB"], key="AB")
    closed(person, exam_id)
    publish(app, admin)
    closed(app.candidate(), exam_id)
    app.clock.advance(days=6)
    person = type(person)(person.id, person.email, app.new_session(person))
    make(person, exam_id, first_question(app, exam_id))
    # A later publication, for example after a regrade, does not start the period for appeals again.
    admin = app.staff("admin")
    publish(app, admin)
    app.clock.advance(days=1, minutes=1)
    person = type(person)(person.id, person.email, app.new_session(person))
    closed(person, exam_id)
    make(person, make_exam(app, app.staff("admin"), "A"), status=403, code="appeals_closed")
    make(person, 999_999, status=404)
    person.get("/exams/999999/appeals/", status=404)


def test_opening_a_season_warns_as_long_as_candidates_can_appeal(app, admin):
    """The warning names each exam, and until when candidates can appeal."""

    def warning(**options):
        superadmin = app.staff("superadmin")
        found = superadmin.post("/seasons/preview/", {"name": "Next"}, status=200, **options).json
        assert found["blockers"] == []
        return [each["message"] for each in found["warnings"] if each["kind"] == "appeals"]

    exam_id, _ = season(app, admin, ["AB"], key="AB")
    admin = app.staff("admin")
    admin.patch(f"/exams/{exam_id}/", {"title": "Spring round"}, status=200)
    publish(app, admin)
    until = app.clock.now + timedelta(days=7)
    [english] = warning()
    assert f"Spring round (until {until:%Y-%m-%d %H:%M} UTC)" in english
    [french] = warning(headers={"Accept-Language": "fr"})
    assert f" {until:%Y-%m-%d %H:%M} UTC)" in french
    assert "saison suivante" in french
    assert "until" not in french
    app.clock.advance(days=7)
    assert len(warning()) == 1
    app.clock.advance(minutes=1)
    assert warning() == []


def test_one_of_simultaneous_appeals_is_stored_and_one_answer_wins(live):
    admin = live.staff("admin")
    exam_id, [person] = season(live, admin, ["AB"], key="AB")
    publish(live, admin)
    clients = [live.new_session(person) for _ in range(4)]

    def appeal(at):
        path, body = f"/exams/{exam_id}/appeals/", {"text": TEXT}
        return clients[at].post(path, body, status="any")

    replies = together(4, appeal)
    assert Counter(reply.status_int for reply in replies) == {201: 1, 400: 3}
    [made] = [reply.json for reply in replies if reply.status_int == 201]
    staff = [live.new_session(admin) for _ in range(4)]

    def answer_it(at):
        body = {"answer": f"{at}", "status": ("accepted", "rejected")[at % 2]}
        return staff[at].post(f"/appeals/{made['id']}/answer/", body, status="any").status_int

    assert Counter(together(4, answer_it)) == {200: 1, 400: 3}
    notifications = person.get("/notifications/").json["results"]
    assert len([each for each in notifications if each["subject"].startswith("Your appeal")]) == 1


def test_an_appeal_has_an_address_and_candidates_read_only_their_own(app, admin):
    exam_id, [person, other] = season(app, admin, ["AB", "A "], key="AB")
    publish(app, admin)
    made, of_other = make(person, exam_id), make(other, exam_id)
    moderator = app.staff("moderator")
    assert made["question_number"] is None
    for reader, found in ((person, [made]), (other, [of_other]), (moderator, [of_other, made])):
        assert reader.get("/appeals/", status=200).json["results"] == found
        for each in found:
            assert reader.get(f"/appeals/{each['id']}/", status=200).json == each
    person.get(f"/appeals/{of_other['id']}/", status=404, code="not_found")
    person.get("/appeals/999999/", status=404, code="not_found")
    answer(admin, made)
    assert person.get(f"/appeals/{made['id']}/").json["answer"] == "Right."
    # The appeals of a deleted exam are no longer listed.
    admin.delete(f"/exams/{exam_id}/", status=204)
    for reader in (person, moderator):
        assert reader.get("/appeals/").json["results"] == []
        reader.get(f"/appeals/{made['id']}/", status=404, code="not_found")


def test_deleting_an_exam_notifies_candidates_whose_appeals_are_open(app, admin):
    exam_id, people = season(app, admin, ["AB", "A ", "B ", " B"], key="AB")
    publish(app, admin)
    waiting, answered, erased, _ = people
    for person in (waiting, answered, erased):
        make(person, exam_id)
    make(waiting, exam_id, first_question(app, exam_id))
    answer(admin, {"id": answered.get("/appeals/").json["results"][0]["id"]})
    with begin(app.runtime) as work:
        personal_data.erase(work, erased.id)
    admin.delete(f"/exams/{exam_id}/", status=204)

    def found(person):
        listed = person.get("/notifications/", status=200).json["results"]
        return [each["subject"] for each in listed if "appeal" in each["subject"]]

    assert [found(each) for each in (waiting, answered, people[3])] == [
        ["There will be no decision on your appeal"],
        ["Your appeal was accepted"],
        [],
    ]
