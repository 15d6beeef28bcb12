"""What a teacher, or a stranger, tries with a school (contract T1, T2)."""

import pytest

from competition.plugins.teachers.services.importing import SAME_NAMES
from competition.testing.exam_day import make_exam, publish, sit, take
from tests.support.imports import apply, bring, check, rows, send

HEADER = "first_name,last_name,email,external_id,year,group\n"


@pytest.fixture
def manager(app):
    return app.staff("manager")


def teacher_of(app, manager, name):
    school_id = manager.post("/schools/", {"name": name}).json["id"]
    person = app.staff("volunteer")
    linked = {"email": person.email, "first_name": "Ada", "last_name": "Lovelace"}
    manager.post(f"/schools/{school_id}/teachers/", linked, status=201)
    return person


@pytest.fixture
def west(app, manager):
    return teacher_of(app, manager, "West")


def enter(person, first_name="Emmy", last_name="Noether", **fields):
    body = {"first_name": first_name, "last_name": last_name, **fields}
    return person.post("/school/candidates/", body, status=201).json


def slip(person, user_id, **fields):
    reply = person.post("/school/slips/", {"candidates": [user_id], **fields})
    assert reply.headers["Cache-Control"] == "no-store"
    [found] = reply.json["slips"]
    return found


def signed_in(app, person, user_id):
    """The pupil, signed in with a slip of the teacher."""
    found = slip(person, user_id, renew=True)
    return app.client(app.log_in(found["login"], found["code"]).json["access"])


def test_a_slip_is_never_issued_for_an_own_pupil_with_an_email_address(app, west):
    child = app.candidate(school="West")
    path = f"/school/candidates/{child.id}/confirm/"
    assert west.post(path, {"is_ours": True}).json["state"] == "verified"
    for renew in (False, True):
        body = {"candidates": [str(child.id)], "renew": renew}
        west.post("/school/slips/", body, status=400, code="invalid")
    app.log_in(child.email)


def test_no_id_of_another_school_gets_slips_for_the_rest(app, manager, west):
    mine = enter(west)["user_id"]
    theirs = enter(teacher_of(app, manager, "East"))["user_id"]
    body = {"candidates": [mine, theirs], "renew": True}
    west.post("/school/slips/", body, status=400, code="invalid")
    assert slip(west, mine)["code"] is not None


def test_no_slip_is_issued_for_a_candidate_who_is_not_confirmed(app, manager, west):
    content = "first_name,last_name,school\nEmmy,Noether,West\n"
    bring(app, manager, "candidates", content)
    [row] = west.get("/school/candidates/").json["results"]
    assert (row["state"], row["login"], row["has_code"]) == ("unconfirmed", None, None)
    for renew in (False, True):
        body = {"candidates": [row["user_id"]], "renew": renew}
        west.post("/school/slips/", body, status=400, code="invalid")
    west.post(f"/school/candidates/{row['user_id']}/confirm/", {"is_ours": True})
    assert slip(west, row["user_id"])["code"] is not None
    # A removed pupil is no own pupil any longer.
    west.delete(f"/school/candidates/{row['user_id']}/", status=204)
    body = {"candidates": [row["user_id"]], "renew": True}
    west.post("/school/slips/", body, status=400, code="invalid")


def test_a_number_does_not_tell_whose_it_is(app, west):
    stranger = app.candidate(school="West", first_name="Sofia", external_id="n7", group="7B")
    body = {"first_name": "Max", "last_name": "Born", "external_id": "N7"}
    reply = west.post("/school/candidates/", body, status=400, code="invalid")
    found = rows(west, check(app, west, "pupils", HEADER + "Max,Born,,n7,,\n"))
    assert [each["state"] for each in found] == ["invalid"]
    for shown in (reply.text, str(found)):
        assert "Sofia" not in shown
        assert str(stranger.id) not in shown
    # Neither do the filters.
    for query in ("group=7B", "search=n7", f"search={stranger.email}"):
        assert west.get(f"/school/candidates/?{query}").json["results"] == [], query


def test_an_address_does_not_tell_the_number_of_a_candidate_of_another_school(app, west):
    theirs = app.candidate(school="East", external_id="n2")
    with_address = f"Max,Born,{theirs.email},,,\n"
    for number in ("n2", "n22"):
        content = HEADER + with_address + f"Kurt,Gödel,,{number},,\n"
        found = rows(west, check(app, west, "pupils", content))
        assert [each["state"] for each in found] == ["invalid", "new"], number


def test_rights_end_when_another_school_counts(app, manager, west):
    pupil = enter(west)
    moved = {"school": "East"}
    manager.patch(f"/account-management/{pupil['user_id']}/", moved, status=200)
    assert west.get("/school/candidates/").json["results"] == []
    body = {"candidates": [pupil["user_id"]], "renew": True}
    west.post("/school/slips/", body, status=400, code="invalid")
    # They don't come back with the name.
    manager.patch(f"/account-management/{pupil['user_id']}/", {"school": "West"}, status=200)
    [row] = west.get("/school/candidates/").json["results"]
    assert row["state"] == "unconfirmed"
    west.post("/school/slips/", body, status=400, code="invalid")


def test_a_slip_of_an_earlier_school_ends_when_another_school_takes_the_pupil_on(
    app, manager, west
):
    east = teacher_of(app, manager, "East")
    mine, also_mine = enter(west)["user_id"], enter(west, "Ada", "King")["user_id"]
    old = slip(west, mine)
    child = signed_in(app, west, also_mine)
    app.clock.advance(minutes=1)
    for each in (mine, also_mine):
        manager.patch(f"/account-management/{each}/", {"school": "East"}, status=200)
    # A correction of the school, perhaps in an exam, ends nothing. A newer slip goes on, too.
    app.log_in(old["login"], old["code"], status=200)
    child.get("/candidates/me/", status=200)
    app.clock.advance(minutes=1)
    body = {"candidates": [also_mine], "renew": True}
    [new] = manager.post("/candidates/slips/", body).json["slips"]
    for each in (mine, also_mine):
        east.post(f"/school/candidates/{each}/confirm/", {"is_ours": True})
    app.log_in(old["login"], old["code"], status=401)
    app.log_in(new["login"], new["code"], status=200)
    listed = east.get("/school/candidates/?needs_code=true").json["results"]
    assert [each["user_id"] for each in listed] == [mine]
    ended = manager.get("/audit/?action=slip.end").json["results"]
    assert [each["target_id"] for each in ended] == [mine]
    # The slips of the new school stay, also when the pupil is confirmed again.
    own = slip(east, mine)
    east.delete(f"/school/candidates/{mine}/", status=204)
    east.post(f"/school/candidates/{mine}/confirm/", {"is_ours": True})
    app.log_in(own["login"], own["code"], status=200)


def test_the_sessions_of_a_slip_of_an_earlier_school_end_with_its_code(app, manager, west):
    east = teacher_of(app, manager, "East")
    pupil = enter(west)
    child = signed_in(app, west, pupil["user_id"])
    app.clock.advance(minutes=1)
    manager.patch(f"/account-management/{pupil['user_id']}/", {"school": "East"}, status=200)
    content = HEADER + f"Emmy,Noether,{pupil['login']}@slip.invalid,,,\n"
    bring(app, east, "pupils", content)
    child.get("/candidates/me/", status=401)


def test_results_of_one_pupil_never_get_the_name_of_another(app, manager, west):
    pupil = enter(west, external_id="n1", year=7)
    path = f"/school/candidates/{pupil['user_id']}/"
    west.patch(path, {"first_name": "Emmi"})
    exam_id = make_exam(app, app.staff("admin"))
    take(signed_in(app, west, pupil["user_id"]), exam_id, status=200)
    for changes in ({"first_name": "Max"}, {"last_name": "Born"}, {"year": 6}, {"year": None}):
        reply = west.patch(path, changes, status=400, code="invalid").json
        assert [*reply["errors"]] == [*changes]
    # Neither does the number, by hand or in a list.
    west.post(
        "/school/candidates/",
        {"first_name": "Max", "last_name": "Born", "external_id": "N1"},
        status=400,
        code="invalid",
    )
    content = HEADER + "Max,Born,,n1,7,\nEmmi,Born,,n1,7,\nEmmi,Noether,,n1,6,\n"
    found = rows(west, check(app, west, "pupils", content))
    assert {each["state"] for each in found} == {"invalid"}
    # The group and the number stay the school's.
    assert west.patch(path, {"group": "7B", "external_id": "n2"}).json["group"] == "7B"


def test_a_score_that_staff_have_given_never_gets_the_name_of_another(app, west):
    pupil = enter(west, external_id="n1", year=7)
    admin = app.staff("admin")
    body = {"candidate_id": pupil["user_id"], "score": 90}
    admin.put(f"/exams/{make_exam(app, admin)}/submit-exam-score/", body, status=200)
    [row] = west.get("/school/candidates/").json["results"]
    assert row["fixed"] == ["first_name", "last_name", "year"]
    path = f"/school/candidates/{pupil['user_id']}/"
    for changes in ({"first_name": "Max"}, {"last_name": "Born"}, {"year": 6}):
        reply = west.patch(path, changes, status=400, code="invalid").json
        assert [*reply["errors"]] == [*changes]
    content = HEADER + "Emmi,Noether,,n1,7,\n"
    [found] = rows(west, check(app, west, "pupils", content))
    assert [*found["errors"]] == ["first_name"]


def test_a_slip_is_no_way_around_the_limits_on_names(app, manager, west):
    pupil = enter(west)
    child = signed_in(app, west, pupil["user_id"])
    child.patch("/account-management/", {"first_name": "Emmi"}, status=200)
    take(child, make_exam(app, app.staff("admin")), status=200)
    body = {"first_name": "Max", "last_name": "Noether", "phone": "+49913118"}
    reply = child.patch("/account-management/", body, status=400, code="invalid").json
    assert [*reply["errors"]] == ["first_name"]
    body["first_name"] = "Emmi"
    child.patch("/account-management/", body, status=200)
    manager.patch(f"/account-management/{pupil['user_id']}/", {"first_name": "Max"}, status=200)
    # Pupils with an email address choose their passwords, so nobody else can sign in.
    other = app.candidate(school="West")
    take(other, make_exam(app, app.staff("admin"), title="Second"), status=200)
    other.patch("/account-management/", {"first_name": "Max"}, status=200)


def test_a_list_that_is_sent_again_makes_nobody_twice(app, west):
    content = HEADER + "Emmy,Noether,,,7,7B\nAda,King,,n2,,\n"
    bring(app, west, "pupils", content)
    assert {each["state"] for each in bring(app, west, "pupils", content)} == {"unchanged"}
    assert west.get("/school/").json["candidates"] == 2


def test_a_second_account_with_the_same_names_is_a_warning(app, manager, west):
    login = enter(west)["login"]
    removed = enter(west, "Ada", "King")
    west.delete(f"/school/candidates/{removed['user_id']}/", status=204)
    for _ in range(2):
        app.candidate(first_name="Max", last_name="Born", school="West")
    enter(teacher_of(app, manager, "East"), "Kurt", "Gödel")
    people = ("Emmy,Noether", "Ada,King", "Max,Born", "Kurt,Gödel")
    content = HEADER + "".join(f"{name},,n{place},,\n" for place, name in enumerate(people))
    found = rows(west, check(app, west, "pupils", content))
    assert [each["state"] for each in found] == ["new"] * 4
    emmy, ada, born, other = (each["warnings"] for each in found)
    assert f"{login}@slip.invalid" in emmy[0]
    assert "take the pupil back" in ada[0]
    assert "Confirm or refuse" in born[0]
    assert other == []
    assert [len(each) for each in (emmy, ada, born)] == [1, 1, 1]


def test_entering_or_confirming_a_second_pupil_with_the_same_names_warns(app, manager, west):
    def confirm(user_id, is_ours=True):
        path = f"/school/candidates/{user_id}/confirm/"
        return west.post(path, {"is_ours": is_ours}).json["warnings"]

    def registered(first_name="Emmy", last_name="Noether", school="West"):
        return app.candidate(first_name=first_name, last_name=last_name, school=school)

    assert enter(west)["warnings"] == []
    registered(school="East")
    first = registered()
    assert confirm(first.id) == [SAME_NAMES["ours"]]
    assert enter(west, external_id="n1")["warnings"] == [SAME_NAMES["ours"]]
    # Entering the known pupil again makes no second account.
    assert enter(west, external_id="n1", group="7B")["warnings"] == []
    registered("Max", "Born")
    assert enter(west, "Max", "Born", external_id="n2")["warnings"] == [SAME_NAMES["unconfirmed"]]
    removed = enter(west, "Ada", "King")["user_id"]
    west.delete(f"/school/candidates/{removed}/", status=204)
    assert enter(west, "Ada", "King", external_id="n3")["warnings"] == [SAME_NAMES["removed"]]
    assert confirm(registered("Kurt", "Gödel").id, is_ours=False) == []
    content = HEADER + "KURT,Gödel,,,,\n"
    [row] = rows(west, check(app, west, "pupils", content))
    assert (row["state"], len(row["warnings"])) == ("new", 1)
    assert enter(west, "KURT", "Gödel")["warnings"] == [SAME_NAMES["refused"]]


def test_results_have_only_own_pupils(app, manager, west):
    admin = app.staff("admin")
    exam_id = make_exam(app, admin)
    pupil = enter(west)
    stranger = app.candidate(school="West")
    other = app.candidate(school="East")
    path = f"/school/exams/{exam_id}/"
    assert [each["user_id"] for each in west.get(path).json["results"]] == [pupil["user_id"]]
    for person in (signed_in(app, west, pupil["user_id"]), stranger, other):
        sit(app, person, exam_id, "A")
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    publish(app, admin)
    for each in (path, f"{path}results/"):
        assert [row["user_id"] for row in west.get(each).json["results"]] == [pupil["user_id"]]
    export = west.get(f"/exports{path}results/").text
    assert pupil["user_id"] in export
    assert str(stranger.id) not in export
    # Nothing remains visible once the tie has ended.
    west.delete(f"/school/candidates/{pupil['user_id']}/", status=204)
    west.get(path, status=404)
    west.get(f"/exports{path}results/", status=404)


def test_all_that_a_teacher_changes_is_audited_with_the_school(app, manager, west):
    school_id = west.get("/school/").json["id"]
    child = app.candidate(school="West", verification="pending")
    west.post(f"/school/candidates/{child.id}/confirm/", {"is_ours": True})
    bring(app, west, "pupils", HEADER + "Emmy,Noether,,n1,7,\n")
    bring(app, west, "pupils", HEADER + "Emmy,Noether,,n1,8,\n")
    enter(west, "Ada", "King", external_id="n2")
    changed = enter(west, "Ada", "King", external_id="n2", group="7B")
    west.patch(f"/school/candidates/{changed['user_id']}/", {"group": "7C"})
    west.delete(f"/school/candidates/{changed['user_id']}/", status=204)
    entries = [
        each
        for each in manager.get("/audit/?limit=100").json["results"]
        if each["actor_id"] == str(west.id) and each["target_id"]
    ]
    actions = {each["action"] for each in entries}
    assert actions >= {"account.change", "account.enter", "identity.vouch", "pupil.confirm"}
    assert {each["subject"] for each in entries} == {f"school {school_id}"}


def test_only_confirming_shows_an_exam_that_strangers_sit(app, west):
    exam_id = make_exam(app, app.staff("admin"))
    take(app.candidate(school="West"), exam_id, status=200)
    assert west.get("/school/exams/").json["results"] == []
    west.get(f"/school/exams/{exam_id}/", status=404)


def test_an_import_of_a_school_that_was_merged_is_not_applied(app, manager, west):
    found = check(app, west, "pupils", HEADER + "Emmy,Noether,,,7,7B\n")
    west.post(f"/imports/{found['id']}/apply/", {}, status=202)
    other = manager.post("/schools/", {"name": "Westend"}).json
    merged = {"names": ["West"], "reason": "one school"}
    manager.post(f"/schools/{other['id']}/merge/", merged)
    app.run_jobs()
    assert manager.get(f"/imports/{found['id']}/").json["status"] == "failed"
    west.get(f"/imports/{found['id']}/", status=404)
    assert west.get("/school/").json["candidates"] == 0


def test_an_import_of_who_is_no_teacher_any_longer_is_not_applied(app, manager, west):
    school_id = west.get("/school/").json["id"]
    found = check(app, west, "pupils", HEADER + "Emmy,Noether,,,7,7B\n")
    west.post(f"/imports/{found['id']}/apply/", {}, status=202)
    manager.delete(f"/schools/{school_id}/teachers/{west.id}/", status=204)
    app.run_jobs()
    assert manager.get(f"/imports/{found['id']}/").json["status"] == "failed"
    assert manager.get(f"/schools/{school_id}/").json["candidates"] == 0


def test_a_colleague_is_shown_without_email_address_and_phone_number(app, manager, west):
    school_id = west.get("/school/").json["id"]
    second = app.staff("volunteer", phone="+44207946")
    linked = {"email": second.email, "first_name": "Mary", "last_name": "Boole"}
    manager.post(f"/schools/{school_id}/teachers/", linked, status=201)
    content = HEADER + "Emmy,Noether,,,7,7B\n"
    sent = send(second, "pupils", content)
    assert sent["created_by"]["user"]["email"] == ""
    app.run_jobs()
    path = f"/imports/{sent['id']}/"
    apply(app, second, sent)
    [listed] = west.get("/imports/").json["results"]
    replies = [
        listed,
        west.get(path).json,
        west.post(f"{path}apply/", {}, status=202).json,
    ]
    for reply in replies:
        for each in (reply["created_by"], reply["applied_by"]):
            assert each["user"]["id"] == str(second.id)
            assert (each["user"]["email"], each["user"]["phone"]) == ("", "")
        assert second.email not in str(reply)
    assert manager.get(path).json["created_by"]["user"]["email"] == second.email


def test_staff_who_are_no_teachers_see_no_import_of_pupils(app, manager, west):
    found = check(app, west, "pupils", HEADER + "Emmy,Noether,,,7,7B\n")
    for role in ("volunteer", "moderator", "admin"):
        person = app.staff(role)
        assert found["id"] not in [each["id"] for each in person.get("/imports/").json["results"]]
        person.get(f"/imports/{found['id']}/", status=404)
        kinds = person.get("/imports/kinds/").json["results"]
        assert "pupils" not in [each["name"] for each in kinds]
    assert [each["name"] for each in west.get("/imports/kinds/").json["results"]] == ["pupils"]


def test_a_pupil_keeps_the_code_and_can_have_no_other_password(app, west):
    pupil = enter(west)
    client = signed_in(app, west, pupil["user_id"])
    email = f"{pupil['login']}@slip.invalid"
    changed = client.patch("/account-management/", {"email": "a@b.example"}, status="any")
    assert changed.status_int in (200, 400)
    assert client.get("/candidates/me/").json["user"]["email"] == email
    app.anonymous.post("/auth/password-change/request/", {"email": email}, status="any")
    app.run_jobs()
    assert app.mails(email) == []


def test_a_broadcast_by_email_passes_over_pupils_without_email(app, manager, west):
    enter(west)
    body = {
        "subject": "Dates",
        "message": "Tuesday",
        "mediums": ["email"],
        "target_roles": {"candidate": ["screening"]},
    }
    manager.post("/broadcasts/", body, status=400, code="no_recipients_found")


def test_a_rejected_candidate_stays_rejected(app, west):
    child = app.candidate(school="West", verification="rejected")
    content = (
        HEADER + f"{app.user(child).first_name},{app.user(child).last_name},{child.email},,,\n"
    )
    found = check(app, west, "pupils", content)
    apply(app, west, found)
    [row] = west.get("/school/candidates/").json["results"]
    assert row["state"] == "not_verified"


def test_a_score_by_hand_is_no_way_around_the_publication(app, west):
    admin = app.staff("admin")
    pupil = enter(west)
    exam_id = make_exam(app, admin)
    sit(app, signed_in(app, west, pupil["user_id"]), exam_id, "A")
    west.get(f"/school/exams/{exam_id}/results/", status=403, code="permission_denied")
