from collections import Counter

import pytest
from sqlalchemy import select

from competition.core import flags
from competition.core.auth.hashing import HASHES_AT_ONCE
from competition.core.jobs.ticks import Ticks
from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.users.models import Candidate, Staff, User
from competition.core.work import begin
from competition.testing.races import together
from competition.testing.service import PASSWORD, text_of

EMAIL = "grace.hopper@school.example"
PERSON = {
    "email": EMAIL,
    "first_name": "Grace",
    "last_name": "Hopper",
    "phone": "+49 (123) 456-789",
    "password": PASSWORD,
    "password2": PASSWORD,
}
CANDIDATE = {**PERSON, "school": "Hillside School"}
STAFF = {**PERSON, "occupation": "Teacher"}
BOTH = pytest.mark.parametrize(
    ("kind", "fields"), [("candidate", CANDIDATE), ("staff", STAFF)], ids=["candidate", "staff"]
)


def without(fields, *names):
    return {name: value for name, value in fields.items() if name not in names}


def account(service, email=EMAIL):
    with begin(service.runtime) as work:
        return work.db.scalar(select(User).where(User.email == email))


def generated_password(mail):
    """The last indented line of the email. A code may come before it."""
    lines = text_of(mail).splitlines()
    return [line.strip() for line in lines if line.startswith("    ")][-1]


def close(service, flag):
    with begin(service.runtime) as work:
        flags.switch(work, flag, False)


def test_an_address_that_is_too_long_in_lower_case_is_rejected(app):
    body = {"email": "\u0130" * 200 + "@example.org"}
    reply = app.anonymous.post("/register/candidate/", body, status=400, code="invalid")
    assert "email" in reply.json["errors"]


def test_registration_status_is_public_and_open_by_default(app):
    app.anonymous.key = None
    assert app.anonymous.get("/registration/", status=200).json == {
        "is_candidate_reg_open": True,
        "is_staff_reg_open": True,
        "support_email": "support@league.example",
    }


def test_the_registration_status_shows_which_registration_is_closed(app):
    close(app, "staff_registration")
    status = app.anonymous.get("/registration/").json
    assert (status["is_candidate_reg_open"], status["is_staff_reg_open"]) == (True, False)


def test_a_new_candidate_is_unverified_and_at_screening(app):
    reply = app.anonymous.post("/register/candidate/", CANDIDATE, status=201)
    assert set(reply.json) == {"message"}
    profile = app.log_in(EMAIL, PASSWORD).json["profile"]
    assert (profile["profile_type"], profile["role"]) == ("candidate", "screening")
    assert profile["school"] == "Hillside School"
    assert profile["user"]["is_email_verified"] is False
    assert profile["is_user_verified"] is False
    assert profile["status"] == "inactive"


def test_a_new_member_of_staff_is_a_volunteer(app):
    app.anonymous.post("/register/staff/", STAFF, status=201)
    profile = app.log_in(EMAIL, PASSWORD).json["profile"]
    assert (profile["profile_type"], profile["role"]) == ("staff", "volunteer")
    assert profile["occupation"] == "Teacher"


def test_candidates_get_numbers_of_their_own(app):
    for email in ("a@school.example", "b@school.example"):
        app.anonymous.post("/register/candidate/", {**CANDIDATE, "email": email})
    with begin(app.runtime) as work:
        first, second = work.db.scalars(select(Candidate.number)).all()
    assert first != second


def test_an_occupation_is_optional(app):
    app.anonymous.post("/register/staff/", without(STAFF, "occupation"), status=201)
    with begin(app.runtime) as work:
        assert work.db.scalar(select(Staff.occupation)) == ""


@pytest.mark.parametrize(
    "field", ["email", "first_name", "last_name", "phone", "school", "password", "password2"]
)
def test_a_missing_required_field_is_named(app, field):
    reply = app.anonymous.post(
        "/register/candidate/", without(CANDIDATE, field), status=400, code="invalid"
    )
    assert list(reply.json["errors"]) == [field]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "x" * 250 + "@a.de"),
        ("email", "grace"),
        ("first_name", "x" * 151),
        ("first_name", "Gr\0ce"),
        ("last_name", " "),
        ("phone", "+49 123 ext 4"),
        ("phone", "12345"),
        ("phone", "06 12 34 56 78 / 07 12 34 56 78"),
        ("phone", "06 12 34 56 78\n07 12 34 56 78"),
        ("phone", "+49 123\x1f456 789"),
        # Word processors write these, and no mailbox has them.
        ("email", "jean\u2011paul@a.example"),
        ("email", "o\u2019neil@a.example"),
        ("email", "\uff41na@a.example"),
        ("email", "ana@xn--0.example"),
        ("email", "ana@xn--a.example"),
        ("school", "x" * 201),
        ("password", 12345678),
        ("generate_password", "zzz"),
    ],
)
def test_an_invalid_field_is_named(app, field, value):
    reply = app.anonymous.post(
        "/register/candidate/", {**CANDIDATE, field: value}, status=400, code="invalid"
    )
    assert list(reply.json["errors"]) == [field]


def test_the_two_passwords_are_compared_in_one_form(app):
    typed = {"password": "le\u0301vrier au galop", "password2": "l\u00e9vrier au galop"}
    app.anonymous.post("/register/candidate/", CANDIDATE | typed, status=201)
    app.log_in(EMAIL, "lévrier au galop", status=200)


def test_texts_are_trimmed_emails_lowered_and_phones_normalised(app):
    fields = {**CANDIDATE, "email": "  Grace.HOPPER@School.example ", "first_name": " Grace "}
    app.anonymous.post("/register/candidate/", fields)
    user = account(app)
    assert (user.first_name, user.phone) == ("Grace", "+49123456789")


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("(+33)(0)6 12 34 56 78", "+33612345678"),
        ("(0044) (0)20 7946 0958", "00442079460958"),
        ("\t06\t12 34 56\r\n78", "0612345678"),
        ("06/12/34/56/78", "0612345678"),
        ("030 / 1234567", "0301234567"),
    ],
)
def test_separators_of_a_phone_number_are_removed(app, typed, stored):
    app.anonymous.post("/register/candidate/", {**CANDIDATE, "phone": typed}, status=201)
    assert account(app).phone == stored


def test_addresses_that_can_receive_emails_are_accepted(app):
    for email in ("o'neil@a.example", "jos\u00e9-\u00e7@a.example", "ana@xn--ls8h.example"):
        app.anonymous.post("/register/candidate/", {**CANDIDATE, "email": email}, status=201)


def test_one_mailbox_has_one_account(app):
    forms = ("x@bücher.example", "X@bu\u0308cher.example", "x@XN--bcher-kva.example")
    app.anonymous.post("/register/candidate/", {**CANDIDATE, "email": forms[0]}, status=201)
    for email in forms:
        body = {**CANDIDATE, "email": email}
        reply = app.anonymous.post("/register/candidate/", body, status=400)
        assert list(reply.json["errors"]) == ["email"]
        app.log_in(email, status=200)
    assert account(app, "x@xn--bcher-kva.example") is not None
    # The keyboard of a telephone may write these.
    for typed in (
        "x\uff20bücher\uff0eexample",
        "x@bücher.example.",
        "x@xn--bcher-kva.example\u3002",
    ):
        app.log_in(typed, status=200)


@BOTH
def test_an_email_address_can_be_registered_once(app, kind, fields):
    app.anonymous.post("/register/candidate/", CANDIDATE)
    again = {**fields, "email": EMAIL.upper()}
    reply = app.anonymous.post(f"/register/{kind}/", again, status=400, code="invalid")
    assert list(reply.json["errors"]) == ["email"]
    assert len(app.mails(EMAIL)) == 1


def test_siblings_may_share_a_phone(app):
    app.anonymous.post("/register/candidate/", CANDIDATE)
    sibling = {**CANDIDATE, "email": "sibling@school.example"}
    app.anonymous.post("/register/candidate/", sibling, status=201)


def test_one_of_simultaneous_registrations_of_an_address_wins(live):
    def register(_):
        return live.http.post_json(
            "/v1/register/candidate/",
            CANDIDATE,
            headers={"X-Api-Key": live.key},
            expect_errors=True,
        )

    # Send only as many requests as can be hashed at once, because further requests might wait for
    # too long.
    replies = together(HASHES_AT_ONCE, register)
    assert Counter(reply.status_int for reply in replies) == {201: 1, 400: HASHES_AT_ONCE - 1}
    assert {reply.json["code"] for reply in replies if reply.status_int == 400} == {"invalid"}
    assert len(live.mails(EMAIL)) == 1


@BOTH
def test_different_passwords_are_rejected(app, kind, fields):
    fields = {**fields, "password2": PASSWORD + "!"}
    app.anonymous.post(f"/register/{kind}/", fields, status=400, code="passwords_do_not_match")


@pytest.mark.parametrize(
    "password",
    [
        "short1!",
        "x" * 129,
        "736251849",
        "password1",
        "gracehopper",
        "grace.hopper@school",
        "aaaaaaaa",
        " " * 8,
        "Password1!",
        "competition",
        "qwertzuiop",
        "hillside12",
    ],
)
def test_a_weak_password_is_rejected_with_the_reasons(app, password):
    fields = {**CANDIDATE, "password": password, "password2": password}
    reply = app.anonymous.post(
        "/register/candidate/", fields, status=400, code="password_validation_failed"
    )
    assert reply.json["errors"]["password"][0] == reply.json["detail"]
    assert account(app) is None


def test_a_password_is_not_trimmed(app):
    password = f"  {PASSWORD} "
    app.anonymous.post(
        "/register/candidate/", {**CANDIDATE, "password": password, "password2": password}
    )
    app.log_in(EMAIL, PASSWORD, status=401)
    app.log_in(EMAIL, password, status=200)


@BOTH
def test_a_generated_password_is_emailed_with_the_code(app, kind, fields):
    fields = {**without(fields, "password", "password2"), "generate_password": True}
    reply = app.anonymous.post(f"/register/{kind}/", fields, status=201)
    (mail,) = app.mails(EMAIL)
    password = generated_password(mail)
    assert password not in reply.text
    app.log_in(EMAIL, password, status=200)
    app.anonymous.post("/verify-email-otp/", {"email": EMAIL, "otp": app.otp(EMAIL)}, status=200)


@pytest.mark.parametrize("sent", [PASSWORD, "short", 5, None, "with\0nul"])
def test_a_password_sent_along_with_generate_password_is_ignored(app, sent):
    fields = {**CANDIDATE, "password": sent, "password2": "other", "generate_password": "yes"}
    app.anonymous.post("/register/candidate/", fields, status=201)
    (mail,) = app.mails(EMAIL)
    if isinstance(sent, str) and "\0" not in sent:
        app.log_in(EMAIL, sent, status=401)
    app.log_in(EMAIL, generated_password(mail), status=200)


def test_nobody_can_log_in_before_the_password_is_generated(app):
    fields = {**without(CANDIDATE, "password", "password2"), "generate_password": True}
    app.anonymous.post("/register/candidate/", fields)
    app.log_in(EMAIL, "", status=401, code="authentication_failed")


def test_an_unused_generated_password_expires_after_a_week(app):
    fields = {**without(CANDIDATE, "password", "password2"), "generate_password": True}
    app.anonymous.post("/register/candidate/", fields)
    password = generated_password(app.mails(EMAIL)[0])
    assert "7 days" in text_of(app.mails(EMAIL)[0])
    wrong = app.log_in(EMAIL, "wrong", status=401, code="authentication_failed")
    app.clock.advance(days=7)
    ended = app.log_in(EMAIL, password, status=401, code="authentication_failed")
    assert ended.json == wrong.json
    # The user gets a new password with the next registration email, or sets a password with a code.
    send_registration_mail_again(app)
    app.log_in(EMAIL, generated_password(app.mails(EMAIL)[0]), status=200)


def test_after_a_generated_password_expired_a_code_sets_a_new_one(app):
    fields = {**without(CANDIDATE, "password", "password2"), "generate_password": True}
    app.anonymous.post("/register/candidate/", fields)
    app.run_jobs()
    app.clock.advance(days=8)
    app.anonymous.post("/auth/password-change/request/", {"email": EMAIL})
    new = {"new_password": "rings and ideals", "confirm_password": "rings and ideals"}
    body = {"email": EMAIL, "otp": app.otp(EMAIL), **new}
    app.anonymous.post("/auth/password-change/", body, status=200)
    app.log_in(EMAIL, "rings and ideals", status=200)


@pytest.mark.parametrize("day", [0, 6])
def test_a_used_generated_password_does_not_expire(app, day):
    fields = {**without(CANDIDATE, "password", "password2"), "generate_password": True}
    app.anonymous.post("/register/candidate/", fields)
    password = generated_password(app.mails(EMAIL)[0])
    app.clock.advance(days=day)
    app.log_in(EMAIL, password, status=200)
    app.clock.advance(days=30)
    app.log_in(EMAIL, password, status=200)


def send_registration_mail_again(app):
    with begin(app.runtime) as work:
        row = work.db.scalar(select(Mail).where(Mail.template == "accounts.registration"))
        mails.resend(work, row.id)


def test_a_registration_email_sent_again_has_a_new_code_and_password(app):
    fields = {**without(CANDIDATE, "password", "password2"), "generate_password": True}
    app.anonymous.post("/register/candidate/", fields)
    first = generated_password(app.mails(EMAIL)[0])
    send_registration_mail_again(app)
    second = generated_password(app.mails(EMAIL)[0])
    app.log_in(EMAIL, first, status=401)
    app.log_in(EMAIL, second, status=200)


def test_a_used_generated_password_is_not_replaced(app):
    fields = {**without(CANDIDATE, "password", "password2"), "generate_password": True}
    app.anonymous.post("/register/candidate/", fields)
    password = generated_password(app.mails(EMAIL)[0])
    app.log_in(EMAIL, password)
    send_registration_mail_again(app)
    assert "password" not in text_of(app.mails(EMAIL)[0])
    app.log_in(EMAIL, password, status=200)


def test_a_registration_email_sent_again_after_the_verification_has_the_password_only(app):
    fields = {**without(CANDIDATE, "password", "password2"), "generate_password": True}
    app.anonymous.post("/register/candidate/", fields)
    app.anonymous.post("/verify-email-otp/", {"email": EMAIL, "otp": app.otp(EMAIL)})
    send_registration_mail_again(app)
    text = text_of(app.mails(EMAIL)[0])
    assert "code" not in text
    app.log_in(EMAIL, generated_password(app.mails(EMAIL)[0]), status=200)


def test_a_registration_email_with_nothing_to_say_is_not_sent_again(app):
    app.anonymous.post("/register/candidate/", CANDIDATE)
    app.anonymous.post("/verify-email-otp/", {"email": EMAIL, "otp": app.otp(EMAIL)})
    send_registration_mail_again(app)
    app.run_jobs()
    with begin(app.runtime) as work:
        assert work.db.scalar(select(Mail.state)) == "skipped"


def test_the_registration_email_contains_no_text_of_the_form(app):
    """Otherwise anyone could send emails with their own words to any address."""
    fields = {**CANDIDATE, "first_name": "https://evil.example", "school": "Buy now"}
    app.anonymous.post("/register/candidate/", fields)
    text = app.mails(EMAIL)[0].as_string()
    assert "evil" not in text and "Buy now" not in text and "Hopper" not in text


@BOTH
def test_a_closed_registration_rejects_before_the_validation(app, kind, fields):
    close(app, f"{kind}_registration")
    for body in (fields, {}):
        app.anonymous.post(f"/register/{kind}/", body, status=403, code="registration_closed")


def test_closing_one_registration_leaves_the_other_open(app):
    close(app, "candidate_registration")
    app.anonymous.post("/register/staff/", STAFF, status=201)


@BOTH
def test_a_logged_in_user_gets_account_already_authenticated(app, kind, fields):
    close(app, f"{kind}_registration")
    for person in (app.candidate(), app.staff("volunteer"), app.staff("sponsor")):
        person.post(f"/register/{kind}/", {}, status=403, code="account_already_authenticated")


def test_an_invalid_token_does_not_prevent_a_registration(app):
    client = app.client("stale")
    client.post("/register/candidate/", CANDIDATE, status=201)


def delete_unverified_staff(app):
    Ticks(app.runtime).make()
    app.run_jobs()


def test_unverified_staff_are_deleted_after_15_minutes(app):
    app.anonymous.post("/register/staff/", STAFF)
    app.run_jobs()
    app.clock.advance(minutes=14, seconds=59)
    delete_unverified_staff(app)
    assert account(app) is not None
    app.clock.advance(minutes=1)
    delete_unverified_staff(app)
    assert account(app) is None


@pytest.mark.parametrize("fields", [{"is_email_verified": True}, {"is_invited": True}])
def test_verified_and_invited_staff_are_not_deleted(app, fields):
    person = app.staff("volunteer", **{"is_email_verified": False, **fields})
    app.clock.advance(hours=1)
    delete_unverified_staff(app)
    assert app.user(person)


def test_an_unverified_candidate_is_not_deleted(app):
    app.anonymous.post("/register/candidate/", CANDIDATE)
    app.clock.advance(days=1)
    delete_unverified_staff(app)
    assert account(app) is not None


def test_an_abandoned_address_can_register_again_before_the_job_runs(app):
    app.anonymous.post("/register/staff/", STAFF)
    first = account(app)
    app.clock.advance(minutes=14, seconds=59)
    app.anonymous.post("/register/staff/", STAFF, status=400, code="invalid")
    app.clock.advance(seconds=1)
    app.anonymous.post("/register/candidate/", CANDIDATE, status=201)
    assert account(app).id != first.id


def test_staff_past_the_time_to_verify_can_not_log_in_before_the_job_runs(app):
    app.anonymous.post("/register/staff/", STAFF)
    app.log_in(EMAIL, PASSWORD, status=200)
    app.clock.advance(minutes=15)
    app.log_in(EMAIL, PASSWORD, status=401, code="authentication_failed")


def test_staff_past_the_time_to_verify_can_not_refresh_before_the_job_runs(app):
    app.anonymous.post("/register/staff/", STAFF)
    tokens = app.log_in(EMAIL, PASSWORD, status=200).json
    app.clock.advance(minutes=14)
    body = {"refresh": tokens["refresh"]}
    body = {"refresh": app.anonymous.post("/auth/token/refresh/", body, status=200).json["refresh"]}
    app.clock.advance(minutes=1)
    app.anonymous.post("/auth/token/refresh/", body, status=401, code="invalid_token")


def test_staff_who_verified_in_time_can_refresh_later(app):
    app.anonymous.post("/register/staff/", STAFF)
    tokens = app.log_in(EMAIL, PASSWORD, status=200).json
    app.anonymous.post("/send-email-otp/", {"email": EMAIL})
    body = {"email": EMAIL, "otp": app.otp(EMAIL)}
    app.client(tokens["access"]).post("/verify-email-otp/", body, status=200)
    app.clock.advance(minutes=15)
    app.anonymous.post("/auth/token/refresh/", {"refresh": tokens["refresh"]}, status=200)


def test_staff_past_the_time_to_verify_can_not_verify_before_the_job_runs(app):
    app.anonymous.post("/register/staff/", STAFF)
    app.clock.advance(minutes=14)
    app.anonymous.post("/send-email-otp/", {"email": EMAIL})
    code = app.otp(EMAIL)
    app.clock.advance(minutes=1)
    body = {"email": EMAIL, "otp": code}
    app.anonymous.post("/verify-email-otp/", body, status=400, code="invalid_otp")


def test_staff_past_the_time_to_verify_get_no_email(app):
    app.anonymous.post("/register/staff/", STAFF)
    app.clock.advance(minutes=15)
    app.anonymous.post("/send-email-otp/", {"email": EMAIL})
    assert app.mails(EMAIL) == []


def test_the_time_to_verify_is_a_setting(app_with):
    app = app_with({"competition.accounts.unverified_staff_minutes": "60"})
    app.anonymous.post("/register/staff/", STAFF)
    app.clock.advance(minutes=59)
    app.log_in(EMAIL, PASSWORD, status=200)
    app.clock.advance(minutes=1)
    app.log_in(EMAIL, PASSWORD, status=401)


def test_emails_contain_the_name_of_the_service(app_with):
    app = app_with({"competition.name": "Rings & ideals"})
    app.anonymous.post("/register/candidate/", CANDIDATE, status=201)
    [mail] = app.mails(EMAIL)
    assert mail["Subject"] == "Rings & ideals: your account"
