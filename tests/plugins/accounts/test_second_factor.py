"""The second factor of staff.

The codes come from pyotp, as in an authenticator app, at the service's time.
"""

import re
from dataclasses import dataclass

import pyotp
import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.auth.keyring import Keyring
from competition.core.limits.counters import parse_rates
from competition.core.users import accounts, personal_data, sessions
from competition.core.users.models import Staff
from competition.core.work import begin
from competition.plugins.accounts.models import LoginChallenge, RecoveryCode, SecondFactor
from competition.plugins.accounts.services import challenges, second_factor
from competition.testing.command_line import Run
from competition.testing.races import together
from competition.testing.service import PASSWORD, Person, Service, text_of

REQUIRED = {"competition.sessions.second_factor_from": "manager"}
SETUP, CONFIRM = "/auth/second-factor/", "/auth/second-factor/confirm/"
ANSWER = "/auth/login/second-factor/"


@dataclass
class Member:
    """A member of staff with an authenticator app."""

    service: Service
    person: Person
    secret: str
    recovery_codes: list[str]

    def code(self, seconds: float = 0) -> str:
        """The app's code, some `seconds` from now."""
        return pyotp.TOTP(self.secret).at(self.service.clock.now.timestamp() + seconds)

    def challenge(self):
        reply = self.service.log_in(self.person.email, status=401, code="second_factor_required")
        return reply.json["challenge"]

    def answer(self, typed, challenge=None, **options):
        body = {"challenge": challenge or self.challenge(), "code": typed}
        return self.service.anonymous.post(ANSWER, body, **options)

    def refused(self, typed, challenge=None):
        return self.answer(typed, challenge, status=400, code="invalid_otp")


def member(service, role="admin", **fields):
    """A new member of staff with a second factor. The app's present code has not been used yet."""
    person = service.staff(role, **fields)
    secret = person.post(SETUP, status=201).json["secret"]
    found = Member(service, person, secret, [])
    reply = person.post(CONFIRM, {"code": found.code()}, status=200)
    found.recovery_codes = reply.json["recovery_codes"]
    service.clock.advance(seconds=30)
    return found


@pytest.fixture
def ada(app):
    return member(app)


def wrong(code):
    return f"{(int(code) + 500_000) % 10**6:06}"


def actions(service):
    with begin(service.runtime) as work:
        return list(
            work.db.scalars(
                select(AuditEntry.action)
                .where(AuditEntry.action.startswith("second_factor."))
                .order_by(AuditEntry.id)
            )
        )


# Setting up a second factor


def test_the_secret_is_shown_in_the_format_of_authenticator_apps(app):
    reply = app.staff("admin", email="ada@league.example").post(SETUP, status=201).json
    assert len(reply["secret"]) == 32
    parsed = pyotp.parse_uri(reply["otpauth_url"])
    assert parsed.secret == reply["secret"]
    assert (parsed.name, parsed.issuer) == ("ada@league.example", app.runtime.service.name)


def test_a_second_factor_is_required_once_it_is_confirmed(app):
    person = app.staff("admin")
    secret = person.post(SETUP).json["secret"]
    app.log_in(person.email, status=200)
    code = Member(app, person, secret, []).code()
    person.post(CONFIRM, {"code": wrong(code)}, status=400, code="invalid_otp")
    app.log_in(person.email, status=200)
    person.post(CONFIRM, {"code": code}, status=200)
    app.log_in(person.email, status=401, code="second_factor_required")


def test_a_new_secret_replaces_an_unconfirmed_one(app):
    person = app.staff("admin")
    first = Member(app, person, person.post(SETUP).json["secret"], [])
    second = Member(app, person, person.post(SETUP).json["secret"], [])
    person.post(CONFIRM, {"code": first.code()}, status=400, code="invalid_otp")
    person.post(CONFIRM, {"code": second.code()}, status=200)


def test_setup_five_minutes_after_the_login_needs_the_password(app):
    """A person who finds a logged-in computer must not be able to lock the owner out."""
    person = app.staff("admin")
    app.clock.advance(minutes=5)
    reply = person.post(SETUP, status=400, code="invalid")
    assert set(reply.json["errors"]) == {"password"}
    reply = person.post(SETUP, {"password": "wrong"}, status=400, code="invalid")
    assert set(reply.json["errors"]) == {"password"}
    secret = person.post(SETUP, {"password": PASSWORD}, status=201).json["secret"]
    person.post(CONFIRM, {"code": Member(app, person, secret, []).code()}, status=200)


def test_refreshing_a_token_does_not_count_as_a_login(app):
    person = app.staff("admin")
    app.clock.advance(minutes=5)
    body = {"refresh": person.refresh}
    token = app.anonymous.post("/auth/token/refresh/", body).json["access"]
    app.client(token).post(SETUP, status=400, code="invalid")


def test_five_wrong_passwords_an_hour_are_allowed(app_with):
    service = app_with({"competition.ratelimit.enabled": "true"})
    person = service.staff("admin")
    service.clock.advance(minutes=5)
    for _ in range(5):
        person.post(SETUP, {"password": "wrong"}, status=400, code="invalid")
    person.post(SETUP, {"password": PASSWORD}, status=429, code="rate_limit_exceeded")
    # Deleting the account needs the password too, and has the same limit.
    body = {"password": PASSWORD}
    person.delete("/users/me/", body, status=429, code="rate_limit_exceeded")


def test_another_session_neither_replaces_nor_confirms_a_secret(app):
    person = app.staff("admin")
    other = app.new_session(person)
    waiting = Member(app, person, person.post(SETUP).json["secret"], [])
    other.post(SETUP, status=400, code="invalid")
    other.post(SETUP, {"password": PASSWORD}, status=400, code="invalid")
    other.post(CONFIRM, {"code": waiting.code()}, status=400, code="invalid")
    person.post(CONFIRM, {"code": waiting.code()}, status=200)


def test_an_unconfirmed_secret_expires_after_ten_minutes(app):
    person = app.staff("admin")
    other = app.new_session(person)
    waiting = Member(app, person, person.post(SETUP).json["secret"], [])
    app.clock.advance(minutes=10)
    person.post(CONFIRM, {"code": waiting.code()}, status=400, code="invalid")
    other.post(SETUP, {"password": PASSWORD}, status=201)


def test_a_secret_of_an_ended_session_can_be_replaced(app):
    person = app.staff("admin")
    other = app.new_session(person)
    person.post(SETUP, status=201)
    app.anonymous.post("/auth/logout/", {"refresh": person.refresh}, status=204)
    other.post(SETUP, status=201)


def test_a_user_with_a_second_factor_can_not_set_up_another(app, ada):
    ada.person.post(SETUP, status=400, code="invalid")
    ada.person.post(CONFIRM, {"code": ada.code()}, status=400, code="invalid")
    ada.answer(ada.code(), status=200)


def test_without_a_setup_there_is_nothing_to_confirm(app):
    app.staff("admin").post(CONFIRM, {"code": "123456"}, status=400, code="invalid")


def test_staff_read_whether_they_have_a_second_factor(app, ada):
    assert app.staff("volunteer").get(SETUP, status=200).json == {
        "is_set_up": False,
        "recovery_codes_left": 0,
    }
    assert ada.person.get(SETUP).json == {"is_set_up": True, "recovery_codes_left": 10}
    ada.answer(ada.recovery_codes[0], status=200)
    assert ada.person.get(SETUP).json == {"is_set_up": True, "recovery_codes_left": 9}


def test_ten_recovery_codes_are_shown(ada):
    assert len(set(ada.recovery_codes)) == 10
    for code in ada.recovery_codes:
        assert re.fullmatch(r"([A-Z2-7]{4}-){5}[A-Z2-7]{4}", code)


def test_recovery_codes_are_renewed_by_password_and_code(app, ada):
    path = "/auth/second-factor/recovery-codes/"
    body = {"password": PASSWORD, "code": ada.code()}
    ada.person.post(path, {**body, "password": "wrong"}, status=400, code="invalid")
    ada.person.post(path, {**body, "code": wrong(ada.code())}, status=400, code="invalid_otp")
    app.staff("admin").post(path, body, status=404, code="not_found")
    renewed = ada.person.post(path, body, status=201).json["recovery_codes"]
    assert len(set(renewed)) == 10
    ada.refused(ada.recovery_codes[0])
    ada.answer(renewed[0], status=200)
    assert actions(app).count("second_factor.renew") == 1


def test_confirming_a_second_factor_ends_other_sessions(app):
    person = app.staff("admin")
    other = app.new_session(person)
    found = Member(app, person, person.post(SETUP).json["secret"], [])
    person.post(CONFIRM, {"code": found.code()})
    other.get("/auth/sessions/", status=401, code="invalid_token")
    person.get("/auth/sessions/", status=200)


def test_only_staff_can_set_up_a_second_factor(app):
    app.candidate().post(SETUP, status=403, code="permission_denied")
    app.staff("sponsor").post(SETUP, status=403, code="permission_denied")
    app.staff("volunteer", verification="not_submitted").post(SETUP, status=201)


# Logging in


def test_a_challenge_contains_its_lifetime(app, ada):
    reply = app.log_in(ada.person.email, status=401, code="second_factor_required").json
    assert set(reply) == {"detail", "code", "challenge", "expires_in_minutes"}
    assert reply["expires_in_minutes"] == 5


def test_a_wrong_password_gets_no_challenge(app, ada):
    app.log_in(ada.person.email, "wrong", status=401, code="authentication_failed")


def test_a_challenge_with_its_code_logs_in(app, ada):
    reply = ada.answer(ada.code(), status=200).json
    assert set(reply) == {"access", "refresh", "profile"}
    assert reply["profile"]["user"]["email"] == ada.person.email
    app.client(reply["access"]).get("/auth/sessions/", status=200)


def test_a_challenge_remembers_a_shared_computer(app, ada):
    body = {"email": ada.person.email, "password": PASSWORD, "shared_device": True}
    reply = app.anonymous.post("/auth/login/", body, status=401, code="second_factor_required")
    tokens = ada.answer(ada.code(), reply.json["challenge"], status=200).json
    app.clock.advance(hours=2)
    body = {"refresh": tokens["refresh"]}
    app.anonymous.post("/auth/token/refresh/", body, status=401, code="invalid_token")


def test_without_a_second_factor_the_password_logs_in(app):
    person = app.staff("superadmin")
    assert set(app.log_in(person.email, status=200).json) == {"access", "refresh", "profile"}


def test_spaces_in_a_code_are_ignored(ada):
    code = ada.code()
    ada.answer(f" {code[:3]} {code[3:]}", status=200)


def test_a_challenge_is_not_accepted_as_a_token(app, ada):
    challenge = ada.challenge()
    app.client(challenge).get("/auth/sessions/", status=401, code="invalid_token")
    body = {"refresh": challenge}
    app.anonymous.post("/auth/token/refresh/", body, status=401, code="invalid_token")


def test_a_challenge_is_answered_once(ada):
    challenge = ada.challenge()
    ada.answer(ada.code(), challenge, status=200)
    ada.refused(ada.code(30), challenge)


def test_a_challenge_expires_after_five_minutes(app, ada):
    challenge = ada.challenge()
    app.clock.advance(minutes=4, seconds=59)
    late = ada.challenge()
    app.clock.advance(seconds=1)
    ada.refused(ada.code(), challenge)
    ada.answer(ada.code(), late, status=200)


def test_five_wrong_codes_make_a_challenge_invalid(ada):
    challenge = ada.challenge()
    for _ in range(5):
        ada.refused(wrong(ada.code()), challenge)
    ada.refused(ada.code(), challenge)
    ada.refused(ada.recovery_codes[0], challenge)
    ada.answer(ada.code(), status=200)


def test_a_challenge_is_valid_after_four_wrong_codes(ada):
    challenge = ada.challenge()
    for _ in range(4):
        ada.refused(wrong(ada.code()), challenge)
    ada.answer(ada.code(), challenge, status=200)


def test_a_challenge_rejects_codes_of_another_account(app, ada):
    bob = member(app)
    ada.refused(bob.code(), ada.challenge())
    ada.refused(bob.recovery_codes[0], ada.challenge())


def test_unknown_wrong_and_expired_challenges_get_the_same_reply(app, ada):
    challenge = ada.challenge()
    answers = [
        ada.refused(ada.code(), "unknown").json,
        ada.refused(wrong(ada.code()), challenge).json,
    ]
    app.clock.advance(minutes=5)
    answers.append(ada.refused(ada.code(), challenge).json)
    assert answers[0] == answers[1] == answers[2]


def test_a_challenge_with_the_email_of_another_account_is_rejected(app, ada):
    challenge = ada.challenge()
    body = {"challenge": challenge, "code": ada.code()}
    wrong_email = {**body, "email": "somebody@school.example"}
    app.anonymous.post(ANSWER, wrong_email, status=400, code="invalid_otp")
    app.anonymous.post(ANSWER, {**body, "email": f" {ada.person.email}."}, status=200)


def test_a_deactivated_account_can_not_answer_a_challenge(app, ada):
    challenge = ada.challenge()
    with begin(app.runtime) as work:
        accounts.set_active(work, ada.person.id, False)
    ada.refused(ada.code(), challenge)


def test_a_new_password_makes_older_challenges_invalid(app, ada):
    challenge, email = ada.challenge(), ada.person.email
    app.anonymous.post("/auth/password-change/request/", {"email": email})
    new = {"new_password": "fields and forms", "confirm_password": "fields and forms"}
    body = {"email": email, "otp": app.otp(email), **new}
    app.anonymous.post("/auth/password-change/", body, status=200)
    ada.refused(ada.code(), challenge)
    app.log_in(email, "fields and forms", status=401, code="second_factor_required")


@pytest.mark.parametrize("seconds", [-30, 0, 30])
def test_a_code_one_time_step_off_is_accepted(app, ada, seconds):
    app.clock.advance(minutes=5)
    ada.answer(ada.code(seconds), status=200)


@pytest.mark.parametrize("seconds", [-60, 60])
def test_a_code_two_time_steps_off_is_rejected(app, ada, seconds):
    app.clock.advance(minutes=5)
    ada.refused(ada.code(seconds))


def test_a_code_is_accepted_once(ada):
    code = ada.code()
    ada.answer(code, status=200)
    ada.refused(code)


def test_the_code_that_confirmed_the_factor_is_used_up(app):
    person = app.staff("admin")
    found = Member(app, person, person.post(SETUP).json["secret"], [])
    code = found.code()
    person.post(CONFIRM, {"code": code})
    found.refused(code)


def test_no_code_is_accepted_after_a_later_one(ada):
    ada.answer(ada.code(30), status=200)
    ada.refused(ada.code())


def test_one_of_simultaneous_logins_with_a_code_succeeds(live):
    ada = member(live)
    code, challenges = ada.code(), [ada.challenge() for _ in range(4)]

    def answer(index):
        return ada.answer(code, challenges[index], status="any").status_int

    assert sorted(together(4, answer)) == [200, 400, 400, 400]


def test_simultaneous_wrong_codes_are_all_counted(live):
    ada = member(live)
    challenge, code = ada.challenge(), wrong(ada.code())
    together(5, lambda index: ada.answer(code, challenge, status="any").status_int)
    ada.refused(ada.code(), challenge)


@pytest.fixture
def three_codes(app_with, monkeypatch):
    """A service that accepts three codes per hour for an account."""
    monkeypatch.setattr(second_factor, "CODES", parse_rates("3/hour"))
    limits = {"enabled": "true", "anonymous": "1000/minute"}
    return app_with({f"competition.ratelimit.{name}": value for name, value in limits.items()})


def test_wrong_codes_for_an_account_are_limited(three_codes):
    """Otherwise an attacker with the password could begin a login from each of many addresses."""
    ada = member(three_codes)
    for _ in range(2):
        ada.refused(wrong(ada.code()))
    reply = ada.answer(ada.code(), status=429, code="rate_limit_exceeded")
    assert int(reply.headers["Retry-After"]) > 0


def test_wrong_codes_from_elsewhere_do_not_lock_the_owner_out_of_a_known_network(three_codes):
    ada = member(three_codes)
    home, elsewhere = ({"REMOTE_ADDR": each} for each in ("198.51.100.7", "203.0.113.1"))
    ada.answer(ada.code(), environ=home, status=200)
    three_codes.clock.advance(seconds=30)
    ada.answer(wrong(ada.code()), environ=elsewhere, status=400)
    ada.answer(ada.code(), environ=elsewhere, status=429, code="rate_limit_exceeded")
    ada.answer(ada.code(), environ=home, status=200)


# Recovery codes


def test_a_recovery_code_replaces_a_code_once(ada):
    code = ada.recovery_codes[3]
    ada.answer(code, status=200)
    ada.refused(code)
    ada.answer(ada.recovery_codes[4].lower().replace("-", " "), status=200)


# Removing the second factor


def delete(found, typed, **options):
    return found.person.request("DELETE", SETUP, {"code": typed}, **options)


def test_a_code_removes_the_second_factor(app, ada):
    delete(ada, wrong(ada.code()), status=400, code="invalid_otp")
    delete(ada, ada.code(), status=204)
    app.log_in(ada.person.email, status=200)
    delete(ada, ada.code(), status=404, code="not_found")
    with begin(app.runtime) as work:
        assert not work.db.scalars(select(RecoveryCode)).all()


def test_a_recovery_code_removes_the_second_factor(app, ada):
    delete(ada, ada.recovery_codes[0], status=204)


def test_a_required_second_factor_can_not_be_removed(app_with):
    ada = member(app_with(REQUIRED), "manager")
    delete(ada, ada.code(), status=403, code="permission_denied")
    ada.answer(ada.code(), status=200)


def test_an_operator_can_remove_a_second_factor(live: Service, run: Run):
    ada = member(live)
    output = run("user", "reset-second-factor", ada.person.email).output
    assert ada.person.email in output
    ada.person.get("/auth/sessions/", status=401, code="invalid_token")
    live.log_in(ada.person.email, status=200)
    again = run("user", "reset-second-factor", ada.person.email, status=1)
    assert "has no second factor" in again.output
    assert "reset-second-factor" in run("user", "--help").output


# Required by role


@pytest.mark.parametrize("role", ["manager", "superadmin"])
def test_if_a_second_factor_is_required_a_password_opens_only_its_setup(app_with, role):
    service = app_with(REQUIRED)
    tokens = service.log_in(service.staff(role).email, status=200).json
    client = service.client(tokens["access"])
    for path in ("/auth/sessions/", "/staff/me/", "/staff/", "/audit/"):
        client.get(path, status=403, code="second_factor_required")
    service.anonymous.post("/auth/token/refresh/", {"refresh": tokens["refresh"]}, status=200)
    found = Member(service, None, client.post(SETUP, status=201).json["secret"], [])
    client.post(CONFIRM, {"code": found.code()}, status=200)
    client.get("/staff/", status=200)


def test_by_default_no_role_requires_a_second_factor(app):
    person = app.staff("superadmin")
    app.log_in(person.email, status=200)
    person.get("/staff/", status=200)


@pytest.mark.parametrize("role", ["moderator", "admin", "sponsor"])
def test_lower_roles_do_not_require_a_second_factor(app_with, role):
    person = app_with(REQUIRED).staff(role)
    expected = 403 if role == "sponsor" else 200
    reply = person.get("/staff/me/", status=expected)
    assert reply.json.get("code") != "second_factor_required"


def test_candidates_do_not_need_a_second_factor(app_with):
    setting = {"competition.sessions.second_factor_from": "volunteer"}
    app_with(setting).candidate().get("/auth/sessions/", status=200)


def test_a_login_with_a_second_factor_has_full_access(app_with):
    service = app_with(REQUIRED)
    ada = member(service, "manager")
    service.client(ada.answer(ada.code()).json["access"]).get("/staff/", status=200)


def test_access_stays_after_a_refresh(app_with):
    service = app_with(REQUIRED)
    ada = member(service, "manager")
    refresh = {"refresh": ada.answer(ada.code()).json["refresh"]}
    tokens = service.anonymous.post("/auth/token/refresh/", refresh).json
    service.client(tokens["access"]).get("/staff/", status=200)


def test_a_promoted_member_of_staff_needs_a_second_factor_at_the_next_request(app_with):
    service = app_with(REQUIRED)
    person, boss = service.staff("admin"), member(service, "superadmin")
    person.get("/staff/me/", status=200)
    boss.person.put(f"/staff/{person.id}/roles/assign/", {"role": "manager"}, status=200)
    person.get("/staff/me/", status=403, code="second_factor_required")


def test_a_promotion_after_removing_the_factor_requires_a_new_one(app_with):
    service = app_with(REQUIRED)
    ada, boss = member(service, "admin"), member(service, "superadmin")
    delete(ada, ada.code(), status=204)
    boss.person.put(f"/staff/{ada.person.id}/roles/assign/", {"role": "manager"}, status=200)
    ada.person.get("/staff/me/", status=403, code="second_factor_required")


def test_the_owner_is_emailed_about_changes_of_the_factor(app):
    """An attacker who has guessed the password might set up a second factor."""
    ada = member(app)

    def says_that_it_was_added():
        mail = app.mails(ada.person.email)[-1]
        assert mail["Subject"] == "Your second factor was changed"
        assert "support@league.example" in text_of(mail) and ada.secret not in text_of(mail)
        return "no longer" not in text_of(mail)

    assert says_that_it_was_added()
    delete(ada, wrong(ada.code()), status=400)
    assert len(app.mails(ada.person.email)) == 1
    delete(ada, ada.code(), status=204)
    assert not says_that_it_was_added()
    ada = member(app)
    assert says_that_it_was_added()
    with begin(app.runtime) as work:
        second_factor.reset(work, ada.person.id)
    assert not says_that_it_was_added() and len(app.mails(ada.person.email)) == 2


# Stored data


def test_everything_is_audited(app, ada):
    ada.refused(wrong(ada.code()))
    ada.answer(ada.recovery_codes[0])
    delete(ada, ada.code())
    assert actions(app) == [
        *("second_factor.begin", "second_factor.use", "second_factor.confirm"),
        *("second_factor.refuse", "second_factor.use"),
        *("second_factor.use", "second_factor.remove"),
    ]
    with begin(app.runtime) as work:
        entries = work.db.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
        assert {entry.target_id for entry in entries if "second" in entry.action} == {ada.person.id}
        recorded = str([(entry.old, entry.new, entry.subject) for entry in entries])
        assert ada.secret not in recorded
        assert ada.recovery_codes[0] not in recorded


def test_the_database_contains_no_secret_in_plain_text(app, ada):
    challenge = ada.challenge()
    with begin(app.runtime) as work:
        factor = work.db.scalars(select(SecondFactor)).one()
        assert ada.secret not in factor.secret
        digests = work.db.scalars(select(RecoveryCode.digest)).all()
        asked = work.db.scalars(select(LoginChallenge.digest)).all()
    stored = "".join([*digests, *asked])
    assert not any(each in stored for each in (challenge, *ada.recovery_codes))


def test_a_rotated_signing_key_still_decrypts_the_secret(app, ada):
    old, new = "o" * 32, "n" * 32
    with begin(app.runtime) as work:
        factor = work.db.scalars(select(SecondFactor)).one()
        factor.secret = Keyring([old]).encrypt("second factor", ada.secret)
    app.runtime.keyring = Keyring([new, old])
    ada.answer(ada.code(), status=200)
    app.run_jobs()
    with begin(app.runtime) as work:
        second_factor.renew_encryption(work)
    app.run_jobs()
    app.runtime.keyring = Keyring([new])
    app.clock.advance(seconds=30)
    ada.answer(ada.code(), status=200)


def test_recovery_codes_work_after_the_signing_key_is_lost(app, ada, caplog):
    app.runtime.keyring = Keyring(["n" * 32])
    ada.refused(ada.code())
    assert "no signing key decrypts it" in caplog.text
    ada.answer(ada.recovery_codes[0], status=200)
    with begin(app.runtime) as work:
        second_factor.renew_encryption(work)
    app.run_jobs()


def test_expired_challenges_are_deleted(app, ada):
    ada.challenge()
    app.clock.advance(minutes=5)
    ada.challenge()
    with begin(app.runtime) as work:
        challenges.delete_expired(work)
    with begin(app.runtime) as work:
        assert len(work.db.scalars(select(LoginChallenge)).all()) == 1


def test_a_second_factor_is_exported_and_erased_with_the_account(app, ada):
    ada.challenge()
    with begin(app.runtime) as work:
        exported = personal_data.export(work, ada.person.id)["second factor"]
        assert exported["recovery_codes"] == 10
        assert set(exported) == {"confirmed_at", "recovery_codes"}
        none = app.staff("admin")
        assert personal_data.export(work, none.id)["second factor"] is None
        personal_data.erase(work, ada.person.id)
    with begin(app.runtime) as work:
        for table in (SecondFactor, RecoveryCode, LoginChallenge):
            assert not work.db.scalars(select(table)).all()


def test_a_plugins_login_can_count_as_a_second_factor(app_with):
    """For example, a plugin may log users in by an identity provider."""
    service = app_with(REQUIRED)
    person = service.staff("manager")
    with begin(service.runtime) as work:
        tokens = sessions.start(work, accounts.locked(work, Staff, person.id), second_factor=True)
    service.client(tokens.access).get("/staff/me/", status=200)


def test_the_login_checks_the_password_before_the_second_factor(app, ada):
    """The response reveals that an account has a second factor only after the correct password."""
    unknown = app.log_in("nobody@school.example", status=401).json
    assert app.log_in(ada.person.email, "wrong", status=401).json == unknown
    assert app.log_in(ada.person.email, PASSWORD, status=401).json != unknown
