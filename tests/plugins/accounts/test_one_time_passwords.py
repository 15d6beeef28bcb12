from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from competition.core.jobs.models import Job
from competition.core.mail.models import Mail
from competition.core.work import begin
from competition.plugins.accounts.models import OneTimePassword

EMAIL = "ada@school.example"


@pytest.fixture
def ada(app):
    """A candidate who has been sent a code."""
    person = app.candidate(email=EMAIL, is_email_verified=False)
    app.anonymous.post("/send-email-otp/", {"email": EMAIL})
    app.run_jobs()
    return person


def verify(service, otp, email=EMAIL, **options):
    return service.anonymous.post("/verify-email-otp/", {"email": email, "otp": otp}, **options)


def refused(service, otp, email=EMAIL):
    return verify(service, otp, email, status=400, code="invalid_otp")


def other(code):
    """A different code of six digits."""
    return f"{(int(code) + 1) % 10**6:06}"


def test_the_right_code_verifies_the_email(app, ada):
    reply = verify(app, app.otp(EMAIL), status=200)
    assert set(reply.json) == {"message"}
    assert app.user(ada).is_email_verified


def test_verifying_the_email_takes_effect_in_the_current_session(app, ada):
    ada.post("/verify-email-otp/", {"email": EMAIL, "otp": app.otp(EMAIL)})
    assert ada.get("/candidates/me/").json["user"]["is_email_verified"] is True


def test_verifying_the_email_ends_all_other_sessions(app, ada):
    """Another person may have registered with this address, and logged in."""
    registrant = app.new_session(ada)
    ada.post("/verify-email-otp/", {"email": EMAIL, "otp": app.otp(EMAIL)}, status=200)
    registrant.get("/candidates/me/", status=401, code="invalid_token")
    ada.get("/candidates/me/", status=200)


def test_verifying_with_the_token_of_another_account_ends_all_sessions(app, ada):
    proof = {"email": EMAIL, "otp": app.otp(EMAIL)}
    app.candidate().post("/verify-email-otp/", proof, status=200)
    ada.get("/candidates/me/", status=401, code="invalid_token")


def test_the_email_is_compared_trimmed_and_in_lower_case(app, ada):
    verify(app, app.otp(EMAIL), " ADA@School.example", status=200)


@pytest.mark.parametrize("separated", [" ", "-", "\u00a0", "\u200b", "\u202a . \u202c"])
def test_characters_between_the_digits_of_a_code_do_not_matter(app, ada, separated):
    code = app.otp(EMAIL)
    verify(app, f" {code[:3]}{separated}{code[3:]} ", status=200)


def test_full_width_digits_of_a_code_are_digits(app, ada):
    full_width = app.otp(EMAIL).translate({ord("0") + n: 0xFF10 + n for n in range(10)})
    verify(app, full_width, status=200)


def test_a_code_is_used_once(app, ada):
    code = app.otp(EMAIL)
    verify(app, code)
    refused(app, code)


def test_a_wrong_code_verifies_nothing(app, ada):
    refused(app, other(app.otp(EMAIL)))
    refused(app, "no digits")
    assert not app.user(ada).is_email_verified


def test_a_code_of_another_user_is_wrong(app, ada):
    code = app.otp(EMAIL)
    app.candidate(email="bob@school.example", is_email_verified=False)
    app.anonymous.post("/send-email-otp/", {"email": "bob@school.example"})
    app.run_jobs()
    if app.otp("bob@school.example") != code:
        refused(app, code, "bob@school.example")


def test_a_code_lives_ten_minutes(app, ada):
    code = app.otp(EMAIL)
    app.clock.advance(minutes=10)
    refused(app, code)


def test_a_code_works_until_the_last_second(app, ada):
    app.clock.advance(minutes=9, seconds=59)
    verify(app, app.otp(EMAIL), status=200)


def test_unknown_wrong_and_expired_codes_get_the_same_reply(app, ada):
    code = app.otp(EMAIL)
    unknown = refused(app, code, "nobody@school.example").json
    assert refused(app, other(code)).json == unknown
    app.clock.advance(minutes=10)
    assert refused(app, code).json == unknown


def test_five_wrong_guesses_make_a_code_invalid(app, ada):
    code = app.otp(EMAIL)
    for _ in range(5):
        refused(app, other(code))
    refused(app, code)


def test_a_code_is_valid_after_four_wrong_guesses(app, ada):
    code = app.otp(EMAIL)
    for _ in range(4):
        refused(app, other(code))
    verify(app, code, status=200)


def test_a_new_code_starts_with_no_wrong_guesses(app, ada):
    for _ in range(5):
        refused(app, other(app.otp(EMAIL)))
    app.anonymous.post("/send-email-otp/", {"email": EMAIL, "resend": True})
    verify(app, app.otp(EMAIL), status=200)


def test_a_code_for_another_purpose_does_not_verify_the_email(app, ada):
    code = app.otp(EMAIL)
    with begin(app.runtime) as work:
        work.db.get_one(OneTimePassword, (ada.id, "email")).purpose = "password"
    refused(app, code)
    with begin(app.runtime) as work:
        # A code for one purpose does not work for another purpose, even if its row is changed,
        # because the hash includes the purpose.
        moved = work.db.get_one(OneTimePassword, (ada.id, "password"))
        signed = work.runtime.keyring.sign("one-time password", f"{ada.id}:password:{code}")
        moved.purpose, moved.digest = "email", signed
    refused(app, code)


@pytest.mark.parametrize("resend", [{}, {"resend": False}, {"resend": True}])
def test_a_new_code_replaces_the_old_one(app, ada, resend):
    old = app.otp(EMAIL)
    app.anonymous.post("/send-email-otp/", {"email": EMAIL, **resend}, status=200)
    new = app.otp(EMAIL)
    if new != old:
        refused(app, old)
    verify(app, new, status=200)


def test_the_answer_to_a_request_masks_the_address(app):
    reply = app.anonymous.post("/send-email-otp/", {"email": EMAIL}, status=200)
    assert reply.json["email"] == "ada***@school.example"
    assert reply.json["expires_in_minutes"] == 10
    short = app.anonymous.post("/send-email-otp/", {"email": "al@school.example"})
    assert short.json["email"] == "al***@school.example"
    long = app.anonymous.post("/send-email-otp/", {"email": "ada.lovelace@school.example"})
    assert long.json["email"] == "ada***@school.example"


def test_an_unknown_and_a_verified_address_get_the_same_reply_and_no_email(app):
    app.candidate(email=EMAIL, is_email_verified=False)
    app.candidate(email="adb@school.example")
    replies = [
        app.anonymous.post("/send-email-otp/", {"email": email}, status=200).json
        for email in (EMAIL, "adb@school.example", "adc@school.example")
    ]
    assert {reply.pop("email") for reply in replies} == {"ada***@school.example"} | {
        f"{name}***@school.example" for name in ("adb", "adc")
    }
    assert replies[0] == replies[1] == replies[2]
    assert [mail["To"] for mail in app.mails()] == [EMAIL]


def test_known_and_unknown_addresses_take_the_same_work(app):
    """Otherwise the response time would reveal which addresses have an account."""
    app.candidate(email=EMAIL, is_email_verified=False)
    for email in (EMAIL, "nobody@school.example"):
        app.anonymous.post("/send-email-otp/", {"email": email})
    with begin(app.runtime) as work:
        assert len(work.db.scalars(select(Mail)).all()) == 2
        assert len(work.db.scalars(select(Job)).all()) == 2


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/send-email-otp/", {}, "email"),
        ("/send-email-otp/", {"email": EMAIL, "resend": "zzz"}, "resend"),
        ("/verify-email-otp/", {"email": EMAIL}, "otp"),
        ("/verify-email-otp/", {"otp": "123456"}, "email"),
    ],
)
def test_a_missing_field_is_named(app, path, body, field):
    reply = app.anonymous.post(path, body, status=400, code="invalid")
    assert list(reply.json["errors"]) == [field]


def test_the_database_does_not_contain_the_code(app, ada):
    code = app.otp(EMAIL)
    with begin(app.runtime) as work:
        stored = work.db.scalars(select(OneTimePassword)).one()
        mail = work.db.scalars(select(Mail)).one()
        assert code not in stored.digest
        assert code not in str(mail.args)


def test_the_lifetime_of_a_code_and_its_number_of_guesses_are_settings(app_with):
    app = app_with({"competition.accounts.otp_minutes": "2", "competition.accounts.otp_tries": "1"})
    app.candidate(email=EMAIL, is_email_verified=False)
    reply = app.anonymous.post("/send-email-otp/", {"email": EMAIL})
    assert reply.json["expires_in_minutes"] == 2
    refused(app, other(app.otp(EMAIL)))
    refused(app, app.otp(EMAIL))
    app.anonymous.post("/send-email-otp/", {"email": EMAIL})
    code = app.otp(EMAIL)
    app.clock.advance(minutes=2)
    refused(app, code)


LIMITED = {
    "competition.ratelimit.enabled": "true",
    "competition.ratelimit.anonymous": "1000/minute",
}


@pytest.mark.parametrize("is_known", [True, False])
def test_three_codes_in_ten_minutes_are_sent_to_an_address(app_with, is_known):
    app = app_with(LIMITED)
    if is_known:
        app.candidate(email=EMAIL, is_email_verified=False)
    for email in (EMAIL, EMAIL.upper(), EMAIL):
        app.anonymous.post("/send-email-otp/", {"email": email}, status=200)
    reply = app.anonymous.post(
        "/send-email-otp/", {"email": EMAIL}, status=429, code="rate_limit_exceeded"
    )
    assert 0 < int(reply.headers["Retry-After"]) <= 600
    app.anonymous.post("/send-email-otp/", {"email": "other@school.example"}, status=200)


def test_the_registration_email_does_not_count_as_a_sent_code(app_with):
    app = app_with(LIMITED)
    fields = {
        "email": EMAIL,
        "first_name": "Ada",
        "last_name": "Lovelace",
        "phone": "1234567",
        "school": "Hillside School",
        "generate_password": True,
    }
    app.anonymous.post("/register/candidate/", fields)
    for _ in range(3):
        app.anonymous.post("/send-email-otp/", {"email": EMAIL}, status=200)


def at_once(live, codes):
    """Send all codes at the same time, and return the statuses."""

    def post(code):
        return live.http.post_json(
            "/v1/verify-email-otp/",
            {"email": EMAIL, "otp": code},
            headers={"X-Api-Key": live.key},
            expect_errors=True,
        ).status_int

    with ThreadPoolExecutor(len(codes)) as pool:
        return Counter(pool.map(post, codes))


@pytest.fixture
def live_code(live):
    live.candidate(email=EMAIL, is_email_verified=False)
    live.anonymous.post("/send-email-otp/", {"email": EMAIL})
    return live.otp(EMAIL)


def test_simultaneous_wrong_guesses_are_all_counted(live, live_code):
    assert at_once(live, [other(live_code)] * 4) == {400: 4}
    with begin(live.runtime) as work:
        assert work.db.scalar(select(OneTimePassword.tries)) == 4


def test_a_code_used_twice_simultaneously_works_once(live, live_code):
    assert at_once(live, [live_code] * 4) == {200: 1, 400: 3}
