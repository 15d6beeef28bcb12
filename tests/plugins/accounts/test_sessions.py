"""Refreshing and ending sessions (decisions C8 to C13)."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.service import PASSWORD


def refresh(service, token, **options):
    return service.anonymous.post("/auth/token/refresh/", {"refresh": token}, **options)


def log_out(service, token, **options):
    return service.anonymous.post("/auth/logout/", {"refresh": token}, **options)


def ended(service, *access_tokens):
    for token in access_tokens:
        service.client(token).get("/auth/sessions/", status=401, code="invalid_token")


def test_refreshing_gives_new_tokens_that_work(app):
    person = app.candidate()
    app.clock.advance(hours=3)
    tokens = refresh(app, person.refresh, status=200).json
    assert set(tokens) == {"access", "refresh"}
    assert tokens["refresh"] != person.refresh
    app.client(tokens["access"]).get("/auth/sessions/", status=200)
    refresh(app, tokens["refresh"], status=200)


def test_within_ten_seconds_an_old_token_gets_the_same_successor(app):
    person = app.candidate()
    first = refresh(app, person.refresh).json
    app.clock.advance(seconds=10)
    second = refresh(app, person.refresh, status=200).json
    assert second["refresh"] == first["refresh"]
    app.client(second["access"]).get("/auth/sessions/", status=200)


def test_reuse_after_ten_seconds_ends_the_whole_session(app):
    person = app.candidate()
    tokens = refresh(app, person.refresh).json
    app.clock.advance(seconds=11)
    refresh(app, person.refresh, status=401, code="invalid_token")
    refresh(app, tokens["refresh"], status=401, code="invalid_token")
    ended(app, tokens["access"], person.token)


KEY, OTHER_KEY = {"Idempotency-Key": "7f3a"}, {"Idempotency-Key": "c02e"}


def test_a_client_that_got_no_reply_gets_the_same_successor_with_its_key(app):
    person = app.candidate()
    first = refresh(app, person.refresh, headers=KEY, status=200).json
    for hours in (1, 24):
        app.clock.advance(hours=hours)
        again = refresh(app, person.refresh, headers=KEY, status=200).json
        assert again["refresh"] == first["refresh"]
        app.client(again["access"]).get("/auth/sessions/", status=200)
    refresh(app, first["refresh"], headers=OTHER_KEY, status=200)


@pytest.mark.parametrize("headers", [{}, OTHER_KEY])
def test_an_old_token_without_its_key_ends_the_session(app, headers):
    person = app.candidate()
    tokens = refresh(app, person.refresh, headers=KEY, status=200).json
    app.clock.advance(seconds=11)
    refresh(app, person.refresh, headers=headers, status=401, code="invalid_token")
    refresh(app, person.refresh, headers=KEY, status=401, code="invalid_token")
    ended(app, tokens["access"], person.token)


def test_a_key_is_no_use_after_a_refresh_without_a_key(app):
    person = app.candidate()
    tokens = refresh(app, person.refresh, status=200).json
    app.clock.advance(seconds=11)
    refresh(app, person.refresh, headers=KEY, status=401, code="invalid_token")
    ended(app, tokens["access"])


def test_after_the_successor_was_used_the_key_does_not_help(app):
    person = app.candidate()
    second = refresh(app, person.refresh, headers=KEY, status=200).json
    third = refresh(app, second["refresh"], headers=KEY, status=200).json
    assert third["refresh"] != second["refresh"]
    refresh(app, person.refresh, headers=KEY, status=401, code="invalid_token")
    ended(app, third["access"])


@pytest.mark.parametrize("key", ["", "two words", "x" * 256])
def test_an_invalid_key_changes_nothing(app, key):
    person = app.candidate()
    headers = {"Idempotency-Key": key}
    reply = refresh(app, person.refresh, headers=headers, status=400, code="invalid")
    assert list(reply.json["errors"]) == ["idempotency_key"]
    refresh(app, person.refresh, headers=KEY, status=200)


def test_only_the_latest_replaced_token_can_be_used_again(app):
    person = app.candidate()
    second = refresh(app, person.refresh).json
    third = refresh(app, second["refresh"]).json
    refresh(app, person.refresh, status=401, code="invalid_token")
    ended(app, third["access"])


def test_reuse_does_not_end_other_sessions(app):
    person, other = app.candidate(), app.candidate()
    refresh(app, person.refresh)
    app.clock.advance(seconds=11)
    refresh(app, person.refresh, status=401)
    refresh(app, other.refresh, status=200)


def test_a_refresh_token_lives_seven_days(app):
    person = app.candidate()
    app.clock.advance(days=6, hours=23, minutes=59)
    tokens = refresh(app, person.refresh, status=200).json
    app.clock.advance(days=7)
    refresh(app, tokens["refresh"], status=401, code="invalid_token")


def log_in_at_a_shared_computer(service, person):
    body = {"email": person.email, "password": PASSWORD, "shared_device": True}
    return service.anonymous.post("/auth/login/", body, status=200).json


def test_the_session_of_a_shared_computer_ends_two_hours_after_its_last_use(app):
    person = app.candidate()
    tokens = log_in_at_a_shared_computer(app, person)
    other = app.log_in(person.email, PASSWORD).json
    app.clock.advance(minutes=119)
    # A request that only reads is a use, and so is a request that changes something.
    client = app.client(tokens["access"])
    client.get("/candidates/me/", status=200)
    app.clock.advance(minutes=119)
    tokens = refresh(app, tokens["refresh"], status=200).json
    app.clock.advance(minutes=119)
    app.client(tokens["access"]).patch("/account-management/", {"first_name": "Ada"}, status=200)
    app.clock.advance(minutes=119)
    tokens = refresh(app, tokens["refresh"], status=200).json
    app.clock.advance(minutes=120)
    refresh(app, tokens["refresh"], status=401, code="invalid_token")
    log_out(app, tokens["refresh"], status=401, code="invalid_token")
    ended(app, tokens["access"])
    refresh(app, other["refresh"], status=200)


def test_a_session_that_ended_after_its_last_use_is_not_listed(app):
    person = app.candidate()
    log_in_at_a_shared_computer(app, person)
    assert len(person.get("/auth/sessions/").json) == 2
    app.clock.advance(hours=2)
    token = refresh(app, person.refresh).json["access"]
    [listed] = app.client(token).get("/auth/sessions/").json
    assert listed["current"]


def test_an_access_token_that_outlives_a_shared_session_is_rejected(app_with):
    service = app_with({"competition.tokens.access_lifetime": str(5 * 60 * 60)})
    tokens = log_in_at_a_shared_computer(service, service.candidate())
    service.clock.advance(hours=2)
    ended(service, tokens["access"])


def test_an_access_token_does_not_refresh(app):
    person = app.candidate()
    refresh(app, person.token, status=401, code="invalid_token")
    log_out(app, person.token, status=401, code="invalid_token")


@pytest.mark.parametrize("token", ["malformed", "a.b.c", "é.ü.ö"])
def test_a_malformed_token_is_invalid(app, token):
    refresh(app, token, status=401, code="invalid_token")
    log_out(app, token, status=401, code="invalid_token")


@pytest.mark.parametrize("body", [{}, {"refresh": None}, {"refresh": 5}, {"refresh": ""}])
def test_without_a_token_the_body_is_invalid(app, body):
    for path in ("/auth/token/refresh/", "/auth/logout/"):
        reply = app.anonymous.post(path, body, status=400, code="invalid")
        assert list(reply.json["errors"]) == ["refresh"]


def test_a_deactivated_user_can_not_refresh(app):
    person = app.candidate()
    with begin(app.runtime) as work:
        work.db.get_one(User, person.id).is_active = False
    refresh(app, person.refresh, status=401, code="invalid_token")


def test_a_deleted_user_can_not_refresh(app):
    person = app.candidate()
    with begin(app.runtime) as work:
        work.db.delete(work.db.get_one(User, person.id))
    refresh(app, person.refresh, status=401, code="invalid_token")
    person.get("/auth/sessions/", status=401, code="invalid_token")


def test_logging_out_ends_the_session_immediately(app):
    person = app.candidate()
    reply = log_out(app, person.refresh, status=204)
    assert reply.body == b""
    ended(app, person.token)
    refresh(app, person.refresh, status=401, code="invalid_token")
    log_out(app, person.refresh, status=401, code="invalid_token")


def test_logging_out_invalidates_all_access_tokens_of_the_session(app):
    person = app.candidate()
    tokens = refresh(app, person.refresh).json
    log_out(app, tokens["refresh"], status=204)
    ended(app, person.token, tokens["access"])


def test_an_older_replaced_token_does_not_log_out(app):
    person = app.candidate()
    third = refresh(app, refresh(app, person.refresh).json["refresh"]).json
    log_out(app, person.refresh, status=401, code="invalid_token")
    app.client(third["access"]).get("/auth/sessions/", status=200)


def test_rotating_signing_keys_logs_nobody_out(app_with):
    old, new = "development-" + "o" * 32, "development-" + "n" * 32
    person = app_with({"competition.signing.keys": old}).candidate()
    rotated = app_with({"competition.signing.keys": f"{new} {old}"})
    rotated.client(person.token).get("/auth/sessions/", status=200)
    tokens = refresh(rotated, person.refresh, status=200).json
    without_old = app_with({"competition.signing.keys": new})
    without_old.client(tokens["access"]).get("/auth/sessions/", status=200)
    without_old.client(person.token).get("/auth/sessions/", status=401, code="invalid_token")


def test_refreshing_and_logging_out_do_not_count_towards_the_users_limit(app_with):
    app = app_with(
        {
            "competition.ratelimit.enabled": "true",
            "competition.ratelimit.anonymous": "1/minute",
            "competition.ratelimit.authenticated": "2/minute",
        }
    )
    pupils = [app.candidate() for _ in range(3)]
    for pupil in pupils:
        pupil.refresh = refresh(app, pupil.refresh, status=200).json["refresh"]
    for _ in range(2):
        pupils[0].get("/auth/sessions/", status=200)
    last = refresh(app, pupils[0].refresh, status=200).json["refresh"]
    for pupil, token in zip(pupils, (last, pupils[1].refresh, pupils[2].refresh), strict=True):
        log_out(app, token, status=204)
        # The first pupil has reached the rate limit.
        pupil.get("/auth/sessions/", status=429 if pupil is pupils[0] else 401)


@pytest.mark.parametrize("key", [{}, KEY])
def test_two_simultaneous_refreshes_both_succeed(live, key):
    person = live.candidate()

    def post(_):
        return live.http.post_json(
            "/v1/auth/token/refresh/",
            {"refresh": person.refresh},
            headers={"X-Api-Key": live.key, **key},
        ).json

    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(post, range(6)))
    assert len({reply["refresh"] for reply in replies}) == 1
    for reply in replies:
        live.client(reply["access"]).get("/auth/sessions/", status=200)


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)"
            " Chrome/131.0.0.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"
            " (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
            " Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
            "Firefox on Linux",
        ),
        ("curl/8.5.0", None),
        ("\x00" * 5000, None),
    ],
)
def test_a_session_names_the_device_that_logged_in(app, user_agent, device):
    ada = app.candidate()
    app.clock.advance(seconds=1)
    body = {"email": ada.email, "password": PASSWORD}
    app.anonymous.post("/auth/login/", body, status=200, headers={"User-Agent": user_agent})
    latest, earlier = ada.get("/auth/sessions/", status=200).json
    assert (latest["device"], earlier["device"]) == (device, None)
