"""School year, group and the school's number of candidates, and accounts without email
(organisers.md, P1 and T2)."""

import pytest

from competition.core.users import personal_data
from competition.core.work import begin
from competition.testing.exam_day import make_exam
from competition.testing.service import PASSWORD

LOGIN = "bcd234@slip.invalid"
NEWS = {"subject": "News", "message": "It begins.", "target_roles": {"candidate": ["screening"]}}


def change(person, candidate, *, fields, **options):
    reply = person.patch(f"/account-management/{candidate.id}/", fields, **options).json
    return reply.get("profile", reply)


def test_profiles_and_lists_have_the_new_fields(app, admin, manager):
    ada = app.candidate(year=9, group="9B", external_id="N-1")
    wanted = {"year": 9, "group": "9B", "external_id": "N-1", "has_email": True}
    found = [
        ada.get("/candidates/me/").json,
        admin.get(f"/candidates/{ada.id}/").json,
        admin.get("/candidates/").json["results"][0],
        admin.get("/user/list/?profile=candidate").json["results"][0],
        manager.get(f"/user/list/?search={ada.email}").json["results"][0]["candidate_profile"],
    ]
    for each in found:
        assert {name: each[name] for name in wanted} == wanted


def test_a_candidate_without_them_has_empty_values(app):
    profile = app.candidate().get("/candidates/me/").json
    assert (profile["year"], profile["group"], profile["external_id"]) == (None, "", None)


def test_an_account_without_email_shows_its_login(app, admin):
    ada = app.candidate(email=LOGIN)
    profile = admin.get(f"/candidates/{ada.id}/").json
    assert (profile["has_email"], profile["user"]["email"]) == (False, LOGIN)


def test_staff_change_them(app, manager):
    ada = app.candidate()
    fields = {"year": 13, "group": "13 B", "external_id": "n7a"}
    changed = change(manager, ada, fields=fields)
    assert changed == {**changed, **fields}
    entry = manager.get(f"/audit/?target_id={ada.id}").json["results"][0]
    assert entry["new"] == fields
    emptied = {"year": None, "group": "", "external_id": None}
    assert change(manager, ada, fields=emptied).items() >= emptied.items()


@pytest.mark.parametrize(
    ("name", "value"),
    [("year", 0), ("year", 14), ("group", "x" * 51), ("external_id", ""), ("group", None)],
)
def test_wrong_values_are_rejected(app, manager, name, value):
    errors = change(manager, app.candidate(), fields={name: value}, status=400)["errors"]
    assert [*errors] == [name]


@pytest.mark.parametrize(("name", "value"), [("year", 8), ("group", "8B"), ("external_id", "1")])
def test_candidates_cannot_change_them(app, name, value):
    ada = app.candidate(year=9, group="9B")
    refused = change(ada, ada, fields={name: value, "phone": "+49123456"}, status=400)
    assert [*refused["errors"]] == [name]
    assert app.user(ada).phone != "+49123456"


def test_a_client_may_send_back_what_it_has_read(app):
    ada = app.candidate(year=9, group="9B")
    fields = {"year": 9, "group": "9B", "external_id": None, "phone": "+49123456"}
    assert change(ada, ada, fields=fields)["user"]["phone"] == "+49123456"


def test_another_school_has_not_given_the_number(app, manager):
    ada = app.candidate(external_id="N-1", school="Hillside School")
    assert change(manager, ada, fields={"school": "HILLSIDE SCHOOL"})["external_id"] == "N-1"
    assert change(manager, ada, fields={"school": "Seaside School"})["external_id"] is None
    entry = manager.get(f"/audit/?target_id={ada.id}").json["results"][0]
    assert (entry["old"]["external_id"], entry["new"]["external_id"]) == ("N-1", None)


def test_an_erasure_deletes_them(app, run_erasure):
    ada = app.candidate(year=9, group="9B", external_id="N-1")
    run_erasure(ada)
    user = app.user(ada)
    assert (user.year, user.group, user.external_id) == (None, "", None)


@pytest.fixture
def run_erasure(app):
    def erase(person):
        with begin(app.runtime) as work:
            personal_data.erase(work, person.id)

    return erase


@pytest.mark.parametrize("email", [LOGIN, "Ada@SLIP.INVALID"])
def test_nobody_can_register_or_be_invited_with_a_login(app, manager, email):
    fields = {"email": email, "first_name": "Ada", "last_name": "Lovelace", "phone": "+4912345"}
    candidate = {**fields, "school": "Hillside School", "generate_password": True}
    for person, path, body in [
        (app.anonymous, "/register/candidate/", candidate),
        (app.anonymous, "/register/staff/", {**fields, "generate_password": True}),
        (manager, "/staff/invite/", fields),
    ]:
        assert "email" in person.post(path, body, status=400, code="invalid").json["errors"]


def test_no_email_is_sent_to_an_account_without_email(app):
    app.candidate(email=LOGIN)
    app.anonymous.post("/auth/password-change/request/", {"email": LOGIN})
    assert app.mails() == []


def test_a_broadcast_by_email_passes_over_accounts_without_email(app, manager):
    app.candidate(email=LOGIN)
    bob = app.candidate()
    sent = manager.post("/broadcasts/", {**NEWS, "mediums": ["email", "platform"]}).json
    assert [mail["To"] for mail in app.mails()] == [bob.email]
    logs = manager.get(f"/broadcasts/{sent['id']}/").json["logs"]
    assert {each["medium"]: each["message"] for each in logs} == {
        "email": "Sent to 1 recipient.",
        "platform": "Sent to 2 recipients.",
    }


def test_a_broadcast_by_email_to_nobody_with_an_address_is_rejected(app, manager):
    app.candidate(email=LOGIN)
    code = "no_recipients_found"
    manager.post("/broadcasts/", {**NEWS, "mediums": ["email"]}, status=400, code=code)
    manager.post("/broadcasts/", {**NEWS, "mediums": ["email", "platform"]}, status=201)


def test_setting_a_password_with_an_emailed_code_proves_the_address(app):
    ada = app.candidate(is_email_verified=False, password_hash="")
    app.anonymous.post("/auth/password-change/request/", {"email": ada.email})
    new = {"new_password": "other horse battery", "confirm_password": "other horse battery"}
    code = {"email": ada.email, "otp": app.otp(ada.email)}
    app.anonymous.post("/auth/password-change/", {**code, **new})
    assert app.user(ada).is_email_verified
    assert app.log_in(ada.email, "other horse battery").json["access"]


def test_nobody_logs_in_before_a_password_is_set(app):
    ada = app.candidate(password_hash="")
    for password in (PASSWORD, " "):
        app.log_in(ada.email, password, status=401)


def test_the_reason_of_an_exam_for_others_is_the_stage(app, admin):
    exam = make_exam(app, admin, stage="league")
    refused = app.candidate().get(f"/exams/{exam}/take-exam/", status=403)
    assert (refused.json["code"], refused.json["reason"]) == ("exam_not_eligible", "stage")


def test_two_candidates_of_a_school_cannot_have_the_same_number(app, manager):
    app.candidate(external_id="N7A", school="Lycée Zola")
    other = app.candidate(school="LYCÉE\u00a0ZOLA")
    refused = change(manager, other, fields={"external_id": "n7a"}, status=400)
    assert [*refused["errors"]] == ["external_id"]
    app.candidate(external_id="N7A", school="Seaside School")
