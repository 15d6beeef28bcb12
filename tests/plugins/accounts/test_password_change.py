"""Changing the password with a code sent by email."""

import pytest

from competition.cli import superadmins
from competition.core.users.models import Staff
from competition.core.work import begin
from competition.testing.races import together
from competition.testing.service import PASSWORD, text_of

NEW = "another staple entirely"


def request_code(app, person, **expected):
    body = {"email": person.email}
    return app.anonymous.post("/auth/password-change/request/", body, **expected)


def change(app, person, otp, new=NEW, confirm=None, **expected):
    body = {
        "email": person.email,
        "otp": otp,
        "new_password": new,
        "confirm_password": new if confirm is None else confirm,
    }
    return app.anonymous.post("/auth/password-change/", body, **expected)


@pytest.fixture
def person(app):
    return app.candidate()


def test_the_new_password_replaces_the_old_one(app, person):
    reply = request_code(app, person, status=200).json
    assert reply["email"] == f"{person.email[:3]}***@school.example"
    assert reply["expires_in_minutes"] == 10
    change(app, person, app.otp(person.email), status=200)
    app.log_in(person.email, PASSWORD, status=401, code="authentication_failed")
    app.log_in(person.email, NEW, status=200)


def test_the_owner_is_emailed_about_the_new_password(app, person):
    request_code(app, person)
    otp = app.otp(person.email)
    change(app, person, otp, new="short", status=400)
    assert len(app.mails(person.email)) == 1
    change(app, person, otp, status=200)
    mail = app.mails(person.email)[-1]
    assert mail["Subject"] == "Your password was changed"
    text = text_of(mail)
    assert "support@league.example" in text and NEW not in text


def test_a_superadmin_is_emailed_if_an_operator_sets_the_password(app):
    root = app.staff("superadmin")
    with begin(app.runtime) as work:
        superadmins.set_password(work, work.db.get_one(Staff, root.id), NEW)
    assert app.mails(root.email)[-1]["Subject"] == "Your password was changed"


def test_passwords_made_of_the_school_or_the_service_name_are_rejected(app, person):
    request_code(app, person)
    otp = app.otp(person.email)
    for bad in ("hillside2026", "Competition Service 1"):
        change(app, person, otp, new=bad, status=400, code="password_validation_failed")


def test_changing_the_password_ends_every_session(app, person):
    request_code(app, person)
    change(app, person, app.otp(person.email))
    person.get("/auth/sessions/", status=401, code="invalid_token")
    body = {"refresh": person.refresh}
    app.anonymous.post("/auth/token/refresh/", body, status=401, code="invalid_token")


def test_a_code_is_used_up_by_the_change_and_not_by_confirming(app, person):
    request_code(app, person)
    otp = app.otp(person.email)
    confirmation = {"email": person.email, "otp": otp}
    for _ in range(2):
        app.anonymous.post("/auth/password-change/confirm-otp/", confirmation, status=200)
    change(app, person, otp, status=200)
    change(app, person, otp, status=400, code="invalid_otp")
    path = "/auth/password-change/confirm-otp/"
    app.anonymous.post(path, confirmation, status=400, code="invalid_otp")


def test_a_code_is_bound_to_its_purpose(app):
    person = app.candidate(is_email_verified=False)
    app.anonymous.post("/send-email-otp/", {"email": person.email})
    email_code = app.otp(person.email)
    change(app, person, email_code, status=400, code="invalid_otp")
    request_code(app, person)
    body = {"email": person.email, "otp": app.otp(person.email)}
    app.anonymous.post("/verify-email-otp/", body, status=400, code="invalid_otp")


def test_five_wrong_guesses_at_either_endpoint_make_the_code_invalid(app, person):
    request_code(app, person)
    otp = app.otp(person.email)
    wrong = f"{(int(otp) + 1) % 10**6:06}"
    confirmation = {"email": person.email, "otp": wrong}
    for _ in range(3):
        path = "/auth/password-change/confirm-otp/"
        app.anonymous.post(path, confirmation, status=400, code="invalid_otp")
    for _ in range(2):
        change(app, person, wrong, status=400, code="invalid_otp")
    change(app, person, otp, status=400, code="invalid_otp")


def test_a_code_expires_after_ten_minutes(app, person):
    request_code(app, person)
    otp = app.otp(person.email)
    app.clock.advance(minutes=10)
    change(app, person, otp, status=400, code="invalid_otp")


def test_a_rejected_password_does_not_use_up_the_code(app, person):
    request_code(app, person)
    otp = app.otp(person.email)
    change(app, person, otp, confirm="different", status=400, code="passwords_do_not_match")
    for bad in ("short", "12345678901", "password123", person.email):
        reply = change(app, person, otp, new=bad, status=400, code="password_validation_failed")
        assert reply.json["errors"]["new_password"]
    change(app, person, otp, status=200)


def test_a_password_is_checked_only_with_a_right_code(app, person):
    request_code(app, person)
    app.otp(person.email)
    change(app, person, "000000", new=person.email, status=400, code="invalid_otp")


def test_unknown_addresses_and_deactivated_accounts_get_the_same_reply_and_no_email(app):
    gone = app.candidate(is_active=False)
    known = app.candidate()
    replies = [request_code(app, each, status=200).json for each in (gone, known)]
    body = {"email": "nobody@school.example"}
    replies.append(app.anonymous.post("/auth/password-change/request/", body, status=200).json)
    assert {reply["message"] for reply in replies} == {replies[0]["message"]}
    assert app.mails(gone.email) == []
    assert app.mails("nobody@school.example") == []
    assert len(app.mails(known.email)) == 1
    change(app, gone, "123456", status=400, code="invalid_otp")


def test_resending_creates_a_new_code(app, person):
    request_code(app, person)
    first = app.otp(person.email)
    body = {"email": person.email}
    app.anonymous.post("/auth/password-change/resend-otp/", body, status=200)
    second = app.otp(person.email)
    if first != second:
        change(app, person, first, status=400, code="invalid_otp")
    change(app, person, second, status=200)


def test_requests_and_resendings_share_a_limit(app_with):
    app = app_with({"competition.ratelimit.enabled": "true"})
    person = app.candidate()
    for _ in range(3):
        request_code(app, person, status=200)
    body = {"email": person.email}
    reply = app.anonymous.post("/auth/password-change/resend-otp/", body, status=429)
    assert reply.json["code"] == "rate_limit_exceeded"
    assert reply.headers["Retry-After"]


def test_the_first_of_two_simultaneous_changes_with_one_code_wins(live):
    person = live.candidate()
    request_code(live, person)
    otp = live.otp(person.email)
    words = ["another staple entirely", "a horse of another colour"]
    replies = together(2, lambda index: change(live, person, otp, words[index], status="any"))
    assert sorted(reply.status_int for reply in replies) == [200, 400]
    won = next(i for i, reply in enumerate(replies) if reply.status_int == 200)
    live.log_in(person.email, words[won], status=200)
    live.log_in(person.email, words[1 - won], status=401)


class TestSessions:
    def test_sessions_are_listed_latest_first(self, app, person):
        app.clock.advance(minutes=1)
        other = app.new_session(person)
        rows = other.get("/auth/sessions/").json
        assert [row["current"] for row in rows] == [True, False]
        assert rows[0]["created_at"] == "2026-03-01T09:01:00Z"

    def test_ending_one_session_leaves_the_others(self, app, person):
        other = app.new_session(person)
        [ended] = [row["id"] for row in other.get("/auth/sessions/").json if not row["current"]]
        other.delete(f"/auth/sessions/{ended}/", status=204)
        other.delete(f"/auth/sessions/{ended}/", status=404, code="not_found")
        person.get("/auth/sessions/", status=401, code="invalid_token")
        assert len(other.get("/auth/sessions/").json) == 1

    def test_nobody_can_end_a_session_of_another_user(self, app, person):
        [row] = person.get("/auth/sessions/").json
        path = f"/auth/sessions/{row['id']}/"
        app.staff("superadmin").delete(path, status=404, code="not_found")

    def test_all_sessions_can_be_ended_together(self, app, person):
        other = app.new_session(person)
        other.delete("/auth/sessions/", status=204)
        for client in (person, other):
            client.get("/auth/sessions/", status=401, code="invalid_token")

    def test_an_expired_session_is_not_listed(self, app, person):
        app.clock.advance(days=7)
        assert len(app.new_session(person).get("/auth/sessions/").json) == 1
