import re

import argon2
import pytest
from sqlalchemy import func, select

from competition.core.auth import hashing
from competition.core.users import accounts, api_keys, sessions
from competition.core.users.credentials import AuthSession
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.races import overtaken
from competition.testing.service import PASSWORD, PASSWORD_HASH, START


def change(service, person, **fields):
    with begin(service.runtime) as work:
        user = work.db.get_one(User, person.id)
        for name, value in fields.items():
            setattr(user, name, value)


def test_login_gives_tokens_and_the_profile_of_a_candidate(app):
    person = app.candidate("league", school="Hillside School")
    reply = app.log_in(person.email, status=200).json
    assert set(reply) == {"access", "refresh", "profile"}
    assert reply["profile"]["profile_type"] == "candidate"
    assert reply["profile"]["role"] == "league"
    assert reply["profile"]["user"]["id"] == str(person.id)
    mine = app.client(reply["access"]).get("/candidates/me/", status=200)
    # Plugins add fields to the own profile, such as the current season.
    assert mine.json.items() >= reply["profile"].items()


def test_login_gives_the_profile_of_staff(app):
    profile = app.log_in(app.staff("admin", occupation="Judge").email).json["profile"]
    assert (profile["profile_type"], profile["role"]) == ("staff", "admin")
    assert profile["occupation"] == "Judge"


def test_the_email_is_compared_trimmed_and_in_lower_case(app):
    person = app.candidate()
    person.email = f" {person.email.upper()} "
    app.log_in(person.email, status=200)


def test_the_profile_shows_the_users_own_documents(app):
    person = app.candidate(face_id="documents/face.png")
    stranger = app.candidate()
    body = {"email": person.email, "password": PASSWORD}
    for client in (app.anonymous, stranger.client):
        profile = client.post("/auth/login/", body).json["profile"]
        assert "documents/face.png?" in profile["face_id"]
        assert profile["id_card"] is None


def test_an_unknown_account_a_wrong_password_and_an_inactive_account_get_the_same_reply(app):
    person = app.candidate()
    wrong = app.log_in(person.email, "wrong", status=401, code="authentication_failed")
    assert wrong.headers["WWW-Authenticate"] == "Bearer"
    change(app, person, is_active=False)
    inactive = app.log_in(person.email, status=401, code="authentication_failed")
    person.email = "nobody@school.example"
    unknown = app.log_in(person.email, status=401, code="authentication_failed")
    assert wrong.json == inactive.json == unknown.json


def account(service, kind, **fields):
    return service.candidate(**fields) if kind == "candidate" else service.staff("admin", **fields)


@pytest.fixture
def compared(monkeypatch):
    """The list of hashes that passwords were compared with."""
    verify, found = argon2.PasswordHasher.verify, []

    def note(hasher, password_hash, password):
        found.append(password_hash)
        return verify(hasher, password_hash, password)

    monkeypatch.setattr(argon2.PasswordHasher, "verify", note)
    return found


@pytest.mark.parametrize(
    "fields",
    [
        None,
        {},
        {"is_active": False},
        {"password_is_generated": True, "password_ends_at": START},
        {"password_hash": ""},
    ],
    ids=["unknown", "wrong", "inactive", "ended", "none"],
)
@pytest.mark.parametrize("kind", ["candidate", "staff"])
def test_a_rejected_login_compares_one_hash(app, compared, kind, fields):
    """Otherwise the response time would reveal which addresses have an account."""
    person = account(app, kind, **fields or {})
    email = person.email if fields is not None else "nobody@school.example"
    app.log_in(email, "wrong", status=401)
    assert len(compared) == 1


@pytest.mark.parametrize("fields", [{}, {"password_is_generated": True}])
@pytest.mark.parametrize("kind", ["candidate", "staff"])
def test_a_successful_login_compares_one_hash(app, compared, kind, fields):
    app.log_in(account(app, kind, **fields).email, status=200)
    assert compared == [PASSWORD_HASH]


def change_password(person):
    def in_work(work):
        user = accounts.locked(work, User, person.id)
        user.password_hash = argon2.PasswordHasher(memory_cost=1024, time_cost=1).hash("another")
        sessions.end_all(work, user.id)

    return in_work


def deactivate(person):
    return lambda work: accounts.set_active(work, person.id, False)


@pytest.mark.parametrize("happens", [change_password, deactivate])
@pytest.mark.parametrize("kind", ["candidate", "staff"])
def test_a_login_during_a_change_of_the_account_is_rejected(live, kind, happens):
    """The password was checked before the change, so this session would survive the end of the
    account's other sessions."""
    boss, person = live.staff("superadmin"), account(live, kind)
    reply = overtaken(live, boss, happens(person), lambda: live.log_in(person.email, status="any"))
    assert (reply.status_int, reply.json["code"]) == (401, "authentication_failed")
    with begin(live.runtime) as work:
        assert not work.db.scalar(
            select(func.count()).where(
                AuthSession.user_id == person.id, AuthSession.revoked_at.is_(None)
            )
        )


@pytest.mark.parametrize("kind", ["candidate", "staff"])
def test_a_login_succeeds_while_the_same_password_is_rehashed(live, kind):
    """If the hash of the password has outdated parameters, a concurrent login replaces it."""
    boss, person = live.staff("superadmin"), account(live, kind)

    def renew(work):
        accounts.locked(work, User, person.id).password_hash = hashing.hash_password(PASSWORD)

    reply = overtaken(live, boss, renew, lambda: live.log_in(person.email, status="any"))
    assert reply.status_int == 200


def test_a_password_that_a_simultaneous_change_made_wrong_is_counted(live_with):
    live = live_with({"competition.ratelimit.enabled": "true"})
    boss, person = live.staff("superadmin"), live.candidate()
    change = change_password(person)
    overtaken(live, boss, change, lambda: live.log_in(person.email, status=401))
    counted = live.runtime.redis.keys("limit:action:accounts.password:*")
    assert {int(live.runtime.redis.get(key)) for key in counted} == {1}


@pytest.mark.parametrize("field", ["email", "password"])
def test_a_missing_field_is_named(app, field):
    body = {"email": "ada@school.example", "password": PASSWORD}
    del body[field]
    reply = app.anonymous.post("/auth/login/", body, status=400, code="invalid")
    assert list(reply.json["errors"]) == [field]


def test_login_with_an_unverified_email_is_allowed(app):
    profile = app.log_in(app.candidate(is_email_verified=False).email, status=200).json["profile"]
    assert profile["user"]["is_email_verified"] is False


def test_login_and_refresh_are_never_cached(app):
    reply = app.log_in(app.candidate().email)
    assert reply.headers["Cache-Control"] == "no-store"
    refreshed = app.anonymous.post("/auth/token/refresh/", {"refresh": reply.json["refresh"]})
    assert refreshed.headers["Cache-Control"] == "no-store"


def test_a_sponsor_logs_in_and_reaches_nothing(app):
    tokens = app.log_in(app.staff("sponsor").email, status=200).json
    sponsor = app.client(tokens["access"])
    sponsor.get("/auth/sessions/", status=403, code="permission_denied")
    app.anonymous.post("/auth/token/refresh/", {"refresh": tokens["refresh"]}, status=200)


def test_an_expired_token_does_not_prevent_a_login(app):
    person = app.candidate()
    app.clock.advance(hours=3)
    person.post("/auth/login/", {"email": person.email, "password": PASSWORD}, status=200)
    person.get("/registration/", status=200)


def test_every_login_starts_its_own_session(app):
    person = app.candidate()
    first, second = app.log_in(person.email).json, app.log_in(person.email).json
    app.anonymous.post("/auth/logout/", {"refresh": first["refresh"]}, status=204)
    app.client(first["access"]).get("/auth/sessions/", status=401)
    app.client(second["access"]).get("/auth/sessions/", status=200)


def test_the_api_key_is_checked_before_the_token(app):
    client = app.client("malformed")
    client.key = None
    client.get("/auth/sessions/", status=401, code="not_authenticated")
    client.key = "wrong"
    client.get("/auth/sessions/", status=401, code="authentication_failed")
    client.key = app.key
    client.get("/auth/sessions/", status=401, code="invalid_token")


@pytest.mark.parametrize(
    "path",
    [
        "/auth/login/",
        "/auth/token/refresh/",
        "/auth/logout/",
        "/register/candidate/",
        "/register/staff/",
        "/verify-email-otp/",
        "/send-email-otp/",
    ],
)
def test_public_endpoints_check_the_api_key_first(app, path):
    app.anonymous.key = None
    app.anonymous.post(path, {}, status=401, code="not_authenticated")
    app.anonymous.key = "wrong"
    app.anonymous.post(path, {}, status=401, code="authentication_failed")


def test_a_revoked_key_is_rejected_within_15_seconds(app):
    with begin(app.runtime) as work:
        key = api_keys.create(work, "lost")
    client = app.client()
    client.key = key
    client.post("/auth/logout/", {}, status=400)
    with begin(app.runtime) as work:
        api_keys.revoke(work, "lost")
    app.clock.advance(seconds=15)
    client.post("/auth/logout/", {}, status=401, code="authentication_failed")


def test_without_a_token_a_user_is_not_authenticated(app):
    reply = app.anonymous.get("/auth/sessions/", status=401, code="not_authenticated")
    assert reply.headers["WWW-Authenticate"] == "Bearer"


def test_an_access_token_lives_two_hours(app):
    person = app.candidate()
    app.clock.advance(hours=1, minutes=59)
    person.get("/auth/sessions/", status=200)
    app.clock.advance(minutes=1)
    reply = person.get("/auth/sessions/", status=401, code="invalid_token")
    assert reply.headers["WWW-Authenticate"] == "Bearer"


def test_a_refresh_token_is_no_access_token(app):
    person = app.candidate()
    app.client(person.refresh).get("/auth/sessions/", status=401, code="invalid_token")


def test_a_token_of_a_deactivated_account_is_invalid(app):
    person = app.candidate()
    change(app, person, is_active=False)
    person.get("/auth/sessions/", status=401, code="invalid_token")


def test_the_role_is_read_from_the_database(app):
    person = app.candidate()
    change(app, person, role="final")
    assert person.get("/candidates/me/").json["role"] == "final"


def test_all_sessions_of_a_user_can_be_ended(app):
    person, other = app.candidate(), app.candidate()
    with begin(app.runtime) as work:
        sessions.end_all(work, person.id)
    person.get("/auth/sessions/", status=401, code="invalid_token")
    other.get("/auth/sessions/", status=200)


def test_the_processor_time_of_passwords_is_a_metric(app):
    def cpu_seconds():
        text = app.runtime.metrics.exposition().decode()
        [found] = re.findall(r"^competition_password_cpu_seconds_total (\S+)", text, re.MULTILINE)
        return float(found)

    person = app.candidate()
    before = cpu_seconds()
    app.log_in(person.email, status=200)
    right = cpu_seconds()
    app.log_in(person.email, "wrong", status=401)
    wrong = cpu_seconds()
    assert before < right < wrong
    person.get("/auth/sessions/", status=200)
    assert cpu_seconds() == wrong


NFC, NFD = "l\u00e9vrier au galop", "le\u0301vrier au galop"


@pytest.mark.parametrize(
    ("chosen", "typed"), [(NFC, NFD), (NFD, NFC), ("ﬁn de l\u2019été ²", "fin de l\u2019été 2")]
)
def test_a_password_is_the_same_in_all_forms_of_its_characters(app, chosen, typed):
    person = app.candidate(password_hash=hashing.hash_password(chosen))
    for password in (chosen, typed):
        app.log_in(person.email, password, status=200)


def test_a_hash_of_a_password_as_it_was_sent_still_matches_and_is_renewed(app):
    as_sent = hashing.hasher.hash(NFD)
    person = app.candidate(password_hash=as_sent)
    app.log_in(person.email, NFC, status=401)
    app.log_in(person.email, NFD, status=200)
    assert app.user(person).password_hash != as_sent
    app.log_in(person.email, NFC, status=200)


@pytest.mark.parametrize("password", ["wrong password", NFC, NFD])
def test_an_unknown_address_takes_as_many_hashes_as_a_wrong_password(app, monkeypatch, password):
    hashes = []
    verify = type(hashing.hasher).verify
    monkeypatch.setattr(
        type(hashing.hasher), "verify", lambda *given: hashes.append(given) or verify(*given)
    )
    counts = []
    for email in (app.candidate().email, "nobody@school.example"):
        app.log_in(email, password, status=401)
        counts.append(len(hashes))
        hashes.clear()
    assert counts == [1 + (password == NFD)] * 2


def test_a_hash_with_outdated_parameters_is_renewed(app):
    person = app.candidate()
    weak = argon2.PasswordHasher(memory_cost=1024, time_cost=1).hash(PASSWORD)
    change(app, person, password_hash=weak)
    app.log_in(person.email, status=200)
    renewed = app.user(person).password_hash
    assert renewed != weak and not hashing.is_outdated(renewed)
    app.log_in(person.email, status=200)
    assert app.user(person).password_hash == renewed
