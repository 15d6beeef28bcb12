"""Accounts without email, and their login slips (contract T2)."""

import logging

import pytest
from sqlalchemy import text

from competition.core.mail.models import Mail
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.service import PASSWORD

ALPHABET = set("23456789bcdfghjkmnpqrstvwxz")


@pytest.fixture
def manager(app):
    return app.staff("manager")


def pupil(app, login="bcd234", **fields):
    """A candidate without email who has no code yet."""
    fields = {"email": f"{login}@slip.invalid", "password_hash": "", **fields}
    child = app.candidate(**fields)
    with begin(app.runtime) as work:
        work.db.get_one(User, child.id).first_login_at = None
    return child


def slips(person, *ids, status=200, **body):
    sent = {"candidates": [str(each.id) for each in ids], **body}
    return person.post("/candidates/slips/", sent, status=status).json


def test_a_slip_has_a_login_and_a_code_that_sign_in(app, manager):
    child = pupil(app, first_name="Emmy", last_name="Noether", year=7, group="7B")
    [slip] = slips(manager, child)["slips"]
    assert {name: slip[name] for name in slip if name != "code"} == {
        "user_id": str(child.id),
        "full_name": "Emmy Noether",
        "school": "Hillside School",
        "year": 7,
        "group": "7B",
        "login": "bcd234",
    }
    groups = slip["code"].split("-")
    assert [len(each) for each in groups] == [4, 4, 4]
    assert set("".join(groups)) <= ALPHABET
    profile = app.log_in("bcd234", slip["code"]).json["profile"]
    assert profile["user"]["email"] == "bcd234@slip.invalid"
    assert profile["has_email"] is False


@pytest.mark.parametrize(
    "login",
    [
        "BCD234",
        "bcd-234",
        " Bcd 234 ",
        "b c d 2 3 4",
        "BCD-234@SLIP.invalid",
        "\uff22\uff23\uff24\uff12\uff13\uff14",
        "bcd234\uff20slip.invalid",
        "bcd234\uff20slip\uff0einvalid",
        "bcd234@slip.invalid.",
        "bcd234@slip.invalid\u3002",
    ],
)
def test_a_login_can_be_typed_in_any_way(app, manager, login):
    [slip] = slips(manager, pupil(app))["slips"]
    code = slip["code"]
    for typed in (code, code.upper(), code.replace("-", ""), code.replace("-", " "), f" {code} "):
        app.log_in(login, typed)


def test_an_unknown_login_is_refused_like_an_unknown_address(app, manager):
    slips(manager, pupil(app))
    unknown = app.log_in("zzz999", "bcdf-ghjk-mnpq", status=401).json
    assert unknown == app.log_in("nobody@school.example", "x" * 12, status=401).json
    assert unknown == app.log_in("bcd234", "bcdf-ghjk-mnpq", status=401).json
    # Letters that no login has may be mistyped.
    assert unknown == app.log_in("abcdef", "bcdf-ghjk-mnpq", status=401).json
    app.log_in("this is no login", "x", status=400, code="invalid")


def test_a_code_is_shown_once(app, manager):
    child = pupil(app)
    [first] = slips(manager, child)["slips"]
    [second] = slips(manager, child)["slips"]
    assert second == {**first, "code": None}
    app.log_in("bcd234", first["code"])
    assert slips(manager, child)["slips"][0]["code"] is None


def test_a_renewed_code_replaces_the_first_one_and_ends_the_sessions(app, manager):
    child = pupil(app)
    [first] = slips(manager, child)["slips"]
    access = app.log_in("bcd234", first["code"]).json["access"]
    [renewed] = slips(manager, child, renew=True)["slips"]
    assert renewed["code"] not in (None, first["code"])
    app.client(access).get("/candidates/me/", status=401)
    app.log_in("bcd234", first["code"], status=401)
    app.log_in("bcd234", renewed["code"])


def test_nobody_who_has_signed_in_gets_a_code_that_is_for_unused_ones(app, manager):
    used, unused, new = pupil(app), pupil(app, "fgh567"), pupil(app, "jkm789")
    slips(manager, unused)
    [first] = slips(manager, used)["slips"]
    access = app.log_in("bcd234", first["code"]).json["access"]
    for renew in (True, False):
        found = slips(manager, used, unused, new, renew=renew, unused=True)["slips"]
        states = {each["login"]: (each["used"], each["code"] is None) for each in found}
        assert states == {
            "bcd234": (True, True),
            "fgh567": (False, not renew),
            "jkm789": (False, not renew),
        }
    app.client(access).get("/candidates/me/")
    app.log_in("bcd234", first["code"])


def test_an_unused_code_ends_after_90_days_and_a_used_one_does_not(app, manager):
    used, unused = pupil(app), pupil(app, "fgh567")
    one, other = slips(manager, used, unused)["slips"]
    codes = {each["login"]: each["code"] for each in (one, other)}
    app.log_in("bcd234", codes["bcd234"])
    app.clock.advance(days=90)
    manager = app.staff("manager")
    app.log_in("bcd234", codes["bcd234"])
    app.log_in("fgh567", codes["fgh567"], status=401)
    # The code can't be used any longer, so there is a new one without `renew`.
    again = {each["login"]: each["code"] for each in slips(manager, used, unused)["slips"]}
    assert again["bcd234"] is None
    app.log_in("fgh567", again["fgh567"])


def test_no_slip_is_issued_for_an_account_with_an_email_address(app, manager):
    child, other, member = pupil(app), app.candidate(), app.staff("volunteer")
    for wrong in (other, member, manager):
        for renew in (False, True):
            reply = slips(manager, child, wrong, renew=renew, status=400)
            assert (reply["code"], list(reply["errors"]["candidates"])) == ("invalid", ["1"])
    # Nothing has changed: the password still works, and the child has no code.
    app.log_in(other.email, PASSWORD)
    assert slips(manager, child)["slips"][0]["code"] is not None


def test_a_deactivated_candidate_gets_no_slip(app, manager):
    active, inactive = pupil(app), pupil(app, "fgh567", is_active=False)
    for renew in (False, True):
        reply = slips(manager, active, inactive, renew=renew, status=400)
        assert reply["rules"] == {"candidates": {"1": [{"rule": "deactivated"}]}}
    with begin(app.runtime) as work:
        assert work.db.get_one(User, inactive.id).password_hash == ""
    assert slips(manager, active)["slips"][0]["code"] is not None
    with begin(app.runtime) as work:
        work.db.get_one(User, inactive.id).is_active = True
    assert slips(manager, inactive)["slips"][0]["code"] is not None


def test_the_slip_of_a_deactivated_account_is_refused_like_an_unknown_login(app, manager):
    child = pupil(app)
    code = slips(manager, child)["slips"][0]["code"]
    with begin(app.runtime) as work:
        work.db.get_one(User, child.id).is_active = False
    known = app.anonymous.post("/auth/login/", {"email": "bcd234", "password": code}, status="any")
    body = {"email": "zzz999", "password": code}
    unknown = app.anonymous.post("/auth/login/", body, status="any")
    assert known.status_int == unknown.status_int == 401
    assert known.json["code"] == unknown.json["code"]
    assert known.json["detail"] == unknown.json["detail"]


@pytest.mark.parametrize("role", ["admin", "moderator", "volunteer", "sponsor"])
def test_slips_are_for_managers(app, role):
    slips(app.staff(role), pupil(app), status=403)


def test_slips_are_sorted_by_school_group_and_name(app, manager):
    made = [
        pupil(app, "bbb222", school="West", group="7B", last_name="Abel"),
        pupil(app, "ccc333", school="East", group="8A", last_name="Abel"),
        pupil(app, "ddd444", school="East", group="7B", last_name="Zorn"),
        pupil(app, "fff555", school="East", group="7b", last_name="zorn", first_name="Zoe"),
    ]
    found = slips(manager, *made, made[0])["slips"]
    assert [each["login"] for each in found] == ["ddd444", "fff555", "ccc333", "bbb222"]


def test_at_most_50_slips_are_issued_at_once(app, manager):
    child = pupil(app)
    slips(manager, *[child] * 51, status=400)
    slips(manager, status=400)


def test_a_code_is_in_no_log_email_audit_entry_or_row(app, manager, caplog):
    caplog.set_level(logging.DEBUG)
    # A reply is not stored either, whatever a client asks for.
    sent = {"candidates": [str(pupil(app).id)]}
    reply = manager.post("/candidates/slips/", sent, headers={"Idempotency-Key": "a" * 20})
    assert reply.headers["Cache-Control"] == "no-store"
    [slip] = reply.json["slips"]
    app.log_in("bcd234", slip["code"])
    app.run_jobs()
    entries = manager.get("/audit/?action=slip.issue").json["results"]
    assert [each["new"] for each in entries] == [{"renewed": False}]
    code = slip["code"]
    forms = (code, code.replace("-", ""))
    with begin(app.runtime) as work:
        tables = work.db.scalars(
            text("select tablename from pg_tables where schemaname = 'public'")
        ).all()
        stored = [
            row
            for table in tables
            for row in work.db.scalars(text(f'select row_to_json(t)::text from "{table}" t'))
        ]
    for form in forms:
        assert not [row for row in stored if form in row]
        assert form not in caplog.text


def test_nothing_is_emailed_to_a_slip_address(app, manager):
    child = pupil(app)
    slips(manager, child)
    for path in ("/auth/password-change/request/", "/auth/password-change/resend-otp/"):
        app.anonymous.post(path, {"email": child.email}, status="any")
    app.anonymous.post("/send-email-otp/", {"email": child.email}, status="any")
    assert app.mails(child.email) == []
    with begin(app.runtime) as work:
        assert {each.state for each in work.db.query(Mail).filter_by(recipient=child.email)} <= {
            "skipped"
        }
    # So the account has no other password than its code.
    sent = {
        "email": child.email,
        "otp": "123456",
        "new_password": "rings and ideals",
        "confirm_password": "rings and ideals",
    }
    app.anonymous.post("/auth/password-change/", sent, status=400, code="invalid_otp")


def test_nobody_registers_with_a_slip_address(app):
    body = {
        "email": "bcd234@slip.invalid",
        "first_name": "Ada",
        "last_name": "Lovelace",
        "phone": "+44 20 1234567",
        "school": "Hillside School",
        "password": "rings and ideals",
        "password2": "rings and ideals",
    }
    app.anonymous.post("/register/candidate/", body, status=400, code="invalid")


def test_guesses_count_for_the_account_however_its_login_is_written(app_with):
    rates = {"competition.accounts.wrong_passwords": "3/hour"}
    service = app_with({"competition.ratelimit.enabled": "true", **rates})
    child = pupil(service)
    [slip] = slips(service.staff("manager"), child)["slips"]
    for login in ("bcd234", "BCD-234", "b.c.d.2.3.4"):
        service.log_in(login, "wrong", status=401)
    service.log_in("bcd234@slip.invalid", slip["code"], status=429, code="rate_limit_exceeded")


def test_a_code_may_be_pasted_with_tabs_and_line_ends(app, manager):
    child = pupil(app)
    [slip] = slips(manager, child)["slips"]
    app.log_in(slip["login"], f"\t{slip['code']}\r\n", status=200)
    app.log_in(slip["login"], slip["code"].replace("-", "\n"), status=200)
    app.log_in(slip["login"], f"{slip['code']}\x00", status=400, code="invalid")
