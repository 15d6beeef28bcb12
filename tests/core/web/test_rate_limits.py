"""The rate limits with their real numbers (decisions C8, D12, H).

Nothing waits: the tests end a window by deleting its counter.
"""

import io

import pytest
import redis

from competition.core.limits.counters import RateLimiter
from competition.testing.exam_day import answers, make_exam
from competition.testing.races import together
from competition.testing.service import PASSWORD, START

ENABLED = {"competition.ratelimit.enabled": "true"}
COMMANDS = ("evalsha", "eval", "script|load")
HOME, SCHOOL = "198.51.100.7", "203.0.113.1"


@pytest.fixture
def service(app_with):
    return app_with(ENABLED)


def from_address(address, **headers):
    return {"environ": {"REMOTE_ADDR": address}, "headers": headers}


def log_in_from(address, service, email, password=PASSWORD, **options):
    options = {"status": "any", **from_address(address), **options}
    return service.log_in(email, password, **options)


def limit_headers(reply):
    return tuple(int(reply.headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining"))


def retry_after(reply):
    return int(reply.headers["Retry-After"])


def forget(service, pattern):
    """End windows by deleting their counters."""
    keys = service.runtime.redis.keys(pattern)
    assert keys
    service.runtime.redis.delete(*keys)


def use_up(person):
    """Send ten requests, all that the user may send in a minute."""
    for _ in range(10):
        person.get("/candidates/me/", status=200)


# Logged-in users


def test_a_user_has_ten_requests_a_minute(service):
    ada = service.candidate()
    for remaining in range(9, -1, -1):
        assert limit_headers(ada.get("/candidates/me/", status=200)) == (10, remaining)
    refused = ada.get("/candidates/me/", status=429, code="throttle_exceeded")
    assert limit_headers(refused) == (10, 0)
    assert 1 <= retry_after(refused) <= 60
    reset = int(refused.headers["X-RateLimit-Reset"]) - START.timestamp()
    assert retry_after(refused) - 1 <= reset <= 60


def test_a_user_has_sixty_requests_an_hour(service):
    ada = service.candidate()
    for _ in range(6):
        use_up(ada)
        forget(service, "limit:user:*:60")
    refused = ada.get("/candidates/me/", status=429, code="throttle_exceeded")
    assert limit_headers(refused) == (60, 0)
    assert 3000 < retry_after(refused) <= 3600


def test_a_user_has_a_thousand_requests_a_day(service):
    ada = service.candidate()
    ada.get("/candidates/me/", status=200)
    [key] = service.runtime.redis.keys("limit:user:*:86400")
    assert 86000 < service.runtime.redis.ttl(key) <= 86400
    service.runtime.redis.set(key, 999, keepttl=True)
    last = ada.get("/candidates/me/", status=200)
    # The headers describe the window with the fewest requests left.
    assert limit_headers(last) == (1000, 0)
    refused = ada.get("/candidates/me/", status=429)
    assert retry_after(refused) > 86000


def test_each_user_has_their_own_limit_from_any_address(service):
    ada, bob = service.candidate(), service.candidate()
    use_up(ada)
    ada.get("/candidates/me/", status=429, **from_address("192.0.2.9"))
    bob.get("/candidates/me/", status=200)


def test_the_sessions_of_a_user_share_one_limit(service):
    ada = service.candidate()
    use_up(ada)
    service.new_session(ada).get("/candidates/me/", status=429)


def test_failed_requests_are_counted(service):
    ada = service.candidate()
    for _ in range(10):
        ada.get("/staff/me/", status=403)
    ada.get("/candidates/me/", status=429)


def test_errors_have_the_rate_limit_headers(service):
    ada = service.candidate()
    assert limit_headers(ada.get("/staff/me/", status=403)) == (10, 9)


def test_a_rejected_request_does_not_lengthen_the_wait(service):
    """A rejected request is counted in no window, and does not restart the window that was used
    up.
    """
    ada = service.candidate()
    use_up(ada)
    counters = service.runtime.redis
    [minute] = counters.keys("limit:user:*:60")
    [hour] = counters.keys("limit:user:*:3600")
    counters.pexpire(minute, 30_000)
    for _ in range(5):
        refused = ada.get("/candidates/me/", status=429)
    assert int(counters.get(hour)) == 10
    assert retry_after(refused) <= 30


def test_a_request_over_two_limits_waits_for_the_later_one(app_with):
    service = app_with({**ENABLED, "competition.ratelimit.authenticated": "2/minute 2/hour"})
    ada = service.candidate()
    for _ in range(2):
        ada.get("/candidates/me/", status=200)
    refused = ada.get("/candidates/me/", status=429)
    assert limit_headers(refused) == (2, 0)
    assert retry_after(refused) > 60


def test_a_period_ends_a_minute_after_its_first_request(service):
    ada = service.candidate()
    ada.get("/candidates/me/")
    counters = service.runtime.redis
    [minute] = counters.keys("limit:user:*:60")
    counters.pexpire(minute, 30_000)
    ada.get("/candidates/me/")
    assert counters.pttl(minute) <= 30_000


def test_a_request_rejected_by_one_limit_is_counted_in_none(live_with):
    """The requests are sent simultaneously."""
    service = live_with(ENABLED)
    ada = service.candidate()
    replies = together(15, lambda index: ada.get("/candidates/me/", status="any").status_int)
    assert sorted(replies) == [200] * 10 + [429] * 5
    [hour] = service.runtime.redis.keys("limit:user:*:3600")
    assert int(service.runtime.redis.get(hour)) == 10


def test_all_limits_of_a_user_are_checked_in_one_round_trip(service):
    def scripts():
        found = service.runtime.redis.info("commandstats")
        return sum(found.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in COMMANDS)

    ada = service.candidate()
    # The first request loads the script.
    ada.get("/candidates/me/")
    for ask, trips in (
        (lambda: ada.get("/candidates/me/"), 1),
        # For an anonymous client, a first call counts the windows of the address, and a second call
        # the others.
        (lambda: service.anonymous.get("/registration/"), 2),
    ):
        before = scripts()
        ask()
        assert scripts() == before + trips


# Anonymous clients


def test_an_address_and_email_have_five_requests_a_minute(service):
    ada = service.candidate()
    for remaining in range(4, -1, -1):
        reply = log_in_from(HOME, service, ada.email, status=200)
        assert limit_headers(reply) == (5, remaining)
    refused = log_in_from(HOME, service, ada.email, status=429, code="throttle_exceeded")
    assert 1 <= retry_after(refused) <= 60


def test_an_address_and_email_have_sixty_requests_a_day(service):
    for _ in range(12):
        for _ in range(5):
            log_in_from(HOME, service, "ada@school.example", status=401)
        forget(service, "limit:anonymous:*:60")
    refused = log_in_from(HOME, service, "ada@school.example", status=429)
    assert limit_headers(refused) == (60, 0)
    assert 86000 < retry_after(refused) <= 86400


def test_spellings_of_an_email_address_share_one_limit(service):
    for _ in range(5):
        log_in_from(HOME, service, "ada@school.example", status=401)
    log_in_from(HOME, service, " ADA@School.example ", status=429)


def test_a_whole_class_logs_in_from_one_address(service):
    pupils = [service.candidate() for _ in range(30)]
    assert {log_in_from(SCHOOL, service, each.email).status_int for each in pupils} == {200}


def test_logins_from_elsewhere_do_not_lock_an_account(service):
    ada = service.candidate()
    for _ in range(6):
        log_in_from("192.0.2.66", service, ada.email, password="wrong")
    log_in_from(HOME, service, ada.email, status=200)


def test_an_address_has_three_hundred_requests_a_minute(service):
    def register(number):
        body = {"email": f"pupil{number}@school.example"}
        return service.anonymous.post(
            "/register/candidate/", body, status="any", **from_address(SCHOOL)
        )

    assert {register(number).status_int for number in range(300)} == {400}
    refused = register(300)
    assert refused.status_int == 429
    assert limit_headers(refused) == (300, 0)
    log_in_from(HOME, service, "somebody@school.example", status=401)


def test_without_an_email_an_address_has_five_requests_a_minute(service):
    for _ in range(5):
        service.anonymous.post("/auth/login/", {}, status=400, **from_address(HOME))
    service.anonymous.post("/auth/login/", {}, status=429, **from_address(HOME))
    service.anonymous.post("/auth/login/", {}, status=400, **from_address(SCHOOL))


@pytest.mark.parametrize("body", [b"{", b"[]", {"email": 7}, {"email": None}, {"email": " "}])
def test_a_body_without_an_email_is_counted_for_the_address(service, body):
    for _ in range(5):
        service.anonymous.post("/auth/login/", body, status=400, **from_address(HOME))
    service.anonymous.post("/auth/login/", body, status=429, **from_address(HOME))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/auth/token/refresh/", {"refresh": "x"}),
        ("/users/restore/", {"code": "x"}),
        ("/receipts/verify/", {"receipt": "x"}),
    ],
)
def test_an_email_in_a_body_without_such_a_field_is_ignored(service, path, body):
    def ask(number):
        sent = {**body, "email": f"pupil{number}@school.example"}
        return service.anonymous.post(path, sent, status="any", **from_address(HOME)).status_int

    found = [ask(number) for number in range(6)]
    assert 429 not in found[:5] and found[5] == 429


def test_a_token_is_ignored_by_endpoints_without_a_login(service):
    """Otherwise a login sent with a stale token of another user would be counted for that user."""
    ada = service.candidate()
    body = {"email": "bob@school.example", "password": "x"}
    for _ in range(5):
        ada.post("/auth/login/", body, status=401)
    ada.post("/auth/login/", body, status=429)
    ada.get("/candidates/me/", status=200)


def test_a_wrong_api_key_is_rejected_before_the_rate_limit(service):
    body = {"email": "ada@school.example", "password": "x"}
    for _ in range(6):
        options = {"headers": {"X-Api-Key": "wrong"}}
        service.anonymous.post("/auth/login/", body, status=401, **options)
    log_in_from(HOME, service, "ada@school.example", status=401)


def test_addresses_of_an_ipv6_network_share_one_limit(service):
    """An internet connection has up to 65,536 networks of 2**64 IPv6 addresses. If each had its own
    limit, guessing passwords would be unlimited."""
    for number in range(5):
        log_in_from(f"2001:db8:0:{number}::1", service, "ada@school.example", status=401)
    log_in_from("2001:db8:0:ffff::1", service, "ada@school.example", status=429)
    log_in_from("2001:db8:1::1", service, "ada@school.example", status=401)


# One-time passwords


def ask_for_a_code(service, email, address=HOME, **options):
    return service.anonymous.post(
        "/send-email-otp/", {"email": email}, **from_address(address), **options
    )


@pytest.mark.parametrize("known", [True, False])
def test_three_codes_are_sent_in_ten_minutes(service, known):
    """This holds for known and unknown addresses, so the limit does not reveal which have an
    account."""
    email = service.candidate(is_email_verified=False).email if known else "no@school.example"
    for number in range(3):
        ask_for_a_code(service, email, f"192.0.2.{number}", status=200)
    refused = ask_for_a_code(service, email, "192.0.2.2", status=429, code="rate_limit_exceeded")
    assert 540 < retry_after(refused) <= 600
    assert len(service.mails(email)) == (3 if known else 0)


def test_the_headers_of_a_rejected_code_request_describe_its_limit(service):
    for number in range(3):
        ask_for_a_code(service, "ada@school.example", f"192.0.2.{number}")
    refused = ask_for_a_code(service, "ada@school.example", "192.0.2.2", status=429)
    assert limit_headers(refused) == (3, 0)
    reset = int(refused.headers["X-RateLimit-Reset"]) - START.timestamp()
    assert 540 < reset <= 600


def test_codes_are_counted_per_purpose(service):
    ada = service.candidate(is_email_verified=False)
    for number in range(3):
        ask_for_a_code(service, ada.email, f"192.0.2.{number}")
    service.anonymous.post("/auth/password-change/request/", {"email": ada.email}, status=200)


def test_codes_are_counted_per_address(service):
    for number in range(3):
        ask_for_a_code(service, "ada@school.example", f"192.0.2.{number}")
    ask_for_a_code(service, "bob@school.example", status=200)


# Requests that the general limits never reject


def test_answers_are_accepted_when_the_users_limit_is_used_up(service):
    ada, admin = service.candidate(), service.staff("admin")
    exam_id = make_exam(service, admin)
    ada.get(f"/exams/{exam_id}/take-exam/", status=200)
    use_up(ada)
    body = answers(service, exam_id, "ABCDABCDAB")
    reply = ada.post(f"/exams/{exam_id}/submit-exam-answers/", body, status=201)
    assert limit_headers(reply) == (60, 59)


def test_submitting_has_a_rate_limit_of_its_own(service):
    ada = service.candidate()
    for _ in range(60):
        ada.post("/exams/1/submit-exam-answers/", {}, status=404)
    ada.post("/exams/1/submit-exam-answers/", {}, status=429, code="throttle_exceeded")
    ada.get("/candidates/me/", status=200)


def test_logging_out_is_never_rate_limited(service):
    ada = service.candidate()
    use_up(ada)
    for _ in range(20):
        service.anonymous.post("/auth/logout/", {"refresh": "x"}, status=401)
    reply = ada.post("/auth/logout/", {"refresh": ada.refresh}, status=204)
    assert "X-RateLimit-Limit" not in reply.headers


@pytest.mark.parametrize("path", ["/health/", "/docs/spec"])
def test_health_and_documents_are_exempt(service, path):
    replies = [service.anonymous.get(path) for _ in range(10)]
    assert all("X-RateLimit-Limit" not in each.headers for each in replies)


def refresh(service, person, **expected):
    return service.anonymous.post("/auth/token/refresh/", {"refresh": person.refresh}, **expected)


def test_refreshing_has_a_rate_limit_of_its_own_for_each_session(service):
    ada = service.candidate()
    use_up(ada)
    # The token just used can be sent again for a moment.
    for left in reversed(range(60)):
        assert limit_headers(refresh(service, ada, status=200)) == (60, left)
    refresh(service, ada, status=429, code="throttle_exceeded")
    again = service.log_in(ada.email, status=200).json
    service.anonymous.post("/auth/token/refresh/", {"refresh": again["refresh"]}, status=200)
    service.clock.advance(minutes=1)


def test_nothing_that_saving_and_submitting_need_has_the_general_limit(service):
    """A candidate reloads the page of an exam again and again, and then the token expires."""
    admin, ada = service.staff("admin"), service.candidate()
    exam_id = make_exam(service, admin, "AB")
    path = f"/exams/{exam_id}/"
    for sequence in range(1, 15):
        ada.refresh = refresh(service, ada, status=200).json["refresh"]
        for each in ("time/", "take-exam/", "draft/"):
            ada.get(path + each, status=200)
        body = {"sequence": sequence, **answers(service, exam_id, "A")}
        ada.put(f"{path}draft/", body, status=200)
    # All other requests are used up.
    while ada.get("/candidates/me/", status="any").status_int == 200:
        pass
    refresh(service, ada, status=200)
    for each in ("time/", "take-exam/", "draft/"):
        ada.get(path + each, status=200)
    ada.post(f"{path}submit-exam-answers/", answers(service, exam_id, "A"), status=201)


def test_a_malformed_refresh_token_is_counted_for_the_address(service):
    for _ in range(5):
        service.anonymous.post("/auth/token/refresh/", {"refresh": "x"}, status=401)
    service.anonymous.post("/auth/token/refresh/", {"refresh": "x"}, status=429)


def test_pupils_of_one_address_find_that_their_sessions_have_ended(service):
    people = [service.candidate() for _ in range(8)]
    service.clock.advance(days=8)
    for person in people:
        refresh(service, person, status=401, code="invalid_token")
    # Each token has a limit of its own.
    for _ in range(59):
        refresh(service, people[0], status=401)
    refresh(service, people[0], status=429, code="throttle_exceeded")
    refresh(service, people[1], status=401)
    service.log_in(people[0].email, status=200)


def test_an_expired_refresh_token_is_not_counted_for_its_user(service):
    """After a logout, another user may find such a token on a school's computer, and must not use
    up the owner's limit.
    """
    ada = service.candidate()
    service.anonymous.post("/auth/logout/", {"refresh": ada.refresh}, status=204)
    again = service.new_session(ada)
    for _ in range(10):
        service.anonymous.post("/auth/token/refresh/", {"refresh": ada.refresh}, status="any")
    assert limit_headers(again.get("/candidates/me/", status=200)) == (10, 9)


# Behind proxies


def windows_of(service):
    """The addresses for which requests were counted."""
    keys = service.runtime.redis.keys("limit:address:*")
    return sorted(key.decode().removeprefix("limit:address:").removesuffix(":60") for key in keys)


def ask(service, peer, forwarded):
    body = {"email": "ada@school.example", "password": "x"}
    options = from_address(peer, **{"X-Forwarded-For": forwarded})
    service.anonymous.post("/auth/login/", body, status=401, **options)
    return windows_of(service)


def test_a_forwarded_address_from_an_untrusted_peer_is_ignored(service):
    assert ask(service, HOME, "192.0.2.1") == [HOME]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("10.0.0.1", "192.0.2.1, 10.0.0.2", "192.0.2.1"),
        # Entries that the client has written are on the left.
        ("10.0.0.1", "1.2.3.4, 192.0.2.1", "192.0.2.1"),
        ("10.0.0.1", "10.0.0.9, 192.0.2.1", "192.0.2.1"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "2001:db8::7", "2001:db8::/48"),
        ("fd00::1", "192.0.2.1", "192.0.2.1"),
        ("::ffff:10.0.0.1", "192.0.2.1", "192.0.2.1"),
        (HOME, "10.0.0.1", HOME),
    ],
)
def test_a_forwarded_address_from_a_trusted_proxy_is_used(app_with, peer, forwarded, client):
    proxies = {"competition.ratelimit.trusted_proxies": "10.0.0.0/8 fd00::/8"}
    assert ask(app_with({**ENABLED, **proxies}), peer, forwarded) == [client]


def test_spellings_of_an_address_share_one_limit(app_with):
    proxies = {"competition.ratelimit.trusted_proxies": "10.0.0.0/8"}
    service = app_with({**ENABLED, **proxies})
    ask(service, "10.0.0.1", "2001:DB8:0:0::7")
    assert ask(service, "10.0.0.1", "2001:db8::7") == ["2001:db8::/48"]


# The cost of a rejection


class Unread(io.BytesIO):
    def read(self, size=-1):
        raise AssertionError("the body was read")


def test_a_chunked_body_is_read_after_the_address_was_counted(app_with):
    service = app_with({**ENABLED, "competition.ratelimit.address": "1/minute"})
    log_in_from(HOME, service, "ada@school.example", status=401)
    environ = {"REMOTE_ADDR": HOME, "wsgi.input": Unread(), "wsgi.input_terminated": True}
    headers = {"X-Api-Key": service.key, "Content-Type": "application/json"}
    reply = service.http.request(
        "/v1/verify-email-otp/", method="POST", headers=headers, environ=environ, expect_errors=True
    )
    assert (reply.status_int, reply.json["code"]) == (429, "throttle_exceeded")


def test_a_request_over_its_limit_takes_no_statement_and_is_logged_once(
    service, statements, caplog
):
    caplog.set_level("INFO", "competition.security")
    ada = service.candidate()
    use_up(ada)
    for _ in range(5):
        log_in_from(HOME, service, ada.email, "wrong", status=401)
    for ask, user_id in (
        (lambda: ada.get("/candidates/me/", status=429), str(ada.id)),
        (lambda: log_in_from(HOME, service, ada.email, status=429), None),
    ):
        caplog.clear()
        with statements() as executed:
            ask()
        assert executed == []
        [line] = [each for each in caplog.records if each.name == "competition.security"]
        assert (line.event, line.limit) == ("limit_refused", "general")
        assert getattr(line, "user_id", None) == user_id


def test_a_token_of_an_ended_session_is_counted_for_its_user(service):
    ada = service.candidate()
    again = service.new_session(ada)
    service.anonymous.post("/auth/logout/", {"refresh": ada.refresh}, status=204)
    refused = ada.get("/candidates/me/", status=401, code="invalid_token")
    assert limit_headers(refused) == (10, 9)
    assert limit_headers(again.get("/candidates/me/", status=200)) == (10, 8)


def test_an_invalid_token_is_ignored_where_none_is_needed(service):
    ada = service.candidate()
    service.anonymous.post("/auth/logout/", {"refresh": ada.refresh}, status=204)
    for client in (ada, service.client("no.token.at.all")):
        reply = client.get("/registration/", status=200, **from_address(HOME))
    assert limit_headers(reply) == (5, 3)


def test_a_request_rejected_by_the_accounts_limit_is_not_counted_for_the_address(service):
    for _ in range(8):
        log_in_from(HOME, service, "ada@school.example")
    [key] = service.runtime.redis.keys(f"limit:address:{HOME}:60")
    assert int(service.runtime.redis.get(key)) == 5


def bad_credentials(service):
    wrong_key, wrong_token = service.client("no.token.at.all"), service.client("no.token.at.all")
    wrong_key.key = "wrong"
    return wrong_key, wrong_token


def test_invalid_keys_and_tokens_are_counted_for_their_address(app_with):
    service = app_with({**ENABLED, "competition.ratelimit.address": "4/minute"})
    wrong_key, wrong_token = bad_credentials(service)
    for _ in range(2):
        for client in (wrong_key, wrong_token):
            client.get("/candidates/me/", status=401, **from_address(HOME))
    for client in (wrong_key, wrong_token):
        refused = client.get(
            "/candidates/me/", status=429, code="throttle_exceeded", **from_address(HOME)
        )
        assert retry_after(refused) > 0
    log_in_from(HOME, service, "ada@school.example", status=429)
    # A logged-in user is counted separately.
    service.candidate().get("/candidates/me/", status=200, **from_address(HOME))


def test_an_invalid_token_gets_401_from_endpoints_with_their_own_limit(app_with):
    """A candidate whose token has expired must get a 401, and not a 429: they need a new token, and
    waiting does not help.
    """
    service = app_with({**ENABLED, "competition.ratelimit.address": "1/minute"})
    _, wrong_token = bad_credentials(service)
    for _ in range(3):
        path = "/exams/1/submit-exam-answers/"
        wrong_token.post(path, {}, status=401, code="invalid_token", **from_address(HOME))


# The limits are settings


def test_a_rate_can_be_set_separately(app_with):
    service = app_with({**ENABLED, "competition.ratelimit.authenticated": "2/minute"})
    ada = service.candidate()
    assert limit_headers(ada.get("/candidates/me/")) == (2, 1)
    assert limit_headers(log_in_from(HOME, service, ada.email)) == (5, 4)


def test_a_named_network_has_its_own_limit(app_with):
    more = {"competition.ratelimit.networks": "203.0.113.0/24=4/minute 2001:db8::/32=600/minute"}
    service = app_with({**ENABLED, **more, "competition.ratelimit.address": "1/minute"})
    log_in_from(HOME, service, "ada@school.example", status=401)
    log_in_from(HOME, service, "bob@school.example", status=429)
    for number in range(4):
        log_in_from(SCHOOL, service, f"pupil{number}@school.example", status=401)
    log_in_from(SCHOOL, service, "another@school.example", status=429)
    log_in_from("2001:db8::7", service, "ada@school.example", status=401)


def test_a_class_in_a_named_network_can_open_the_app_together(app_with):
    more = {"competition.ratelimit.networks": "203.0.113.0/24=30/minute"}
    service = app_with({**ENABLED, **more})
    for address, allowed in ((SCHOOL, 30), (HOME, 5)):
        for _ in range(allowed):
            service.anonymous.get("/registration/", status=200, **from_address(address))
        service.anonymous.get("/registration/", status=429, **from_address(address))


def test_each_account_has_its_own_limit_in_a_named_network(app_with):
    more = {"competition.ratelimit.networks": "203.0.113.0/24=30/minute"}
    service = app_with({**ENABLED, **more})
    for _ in range(5):
        log_in_from(SCHOOL, service, "ada@school.example", status=401)
    log_in_from(SCHOOL, service, "ada@school.example", status=429)
    log_in_from(SCHOOL, service, "bob@school.example", status=401)


@pytest.mark.parametrize(
    "networks",
    [
        "203.0.0.0/8=2/minute 203.0.113.0/24=4/minute",
        "203.0.113.0/24=4/minute 203.0.0.0/8=2/minute",
    ],
)
def test_the_narrowest_of_nested_networks_applies(app_with, networks):
    service = app_with({**ENABLED, "competition.ratelimit.networks": networks})
    for number in range(4):
        log_in_from(SCHOOL, service, f"pupil{number}@school.example", status=401)
    log_in_from(SCHOOL, service, "another@school.example", status=429)


def test_without_limits_there_are_no_headers(app):
    ada = app.candidate()
    for _ in range(11):
        reply = ada.get("/candidates/me/", status=200)
    assert "X-RateLimit-Limit" not in reply.headers


# Redis unavailable


@pytest.fixture
def without_redis(service):
    client = redis.Redis.from_url("unix:///nowhere/redis.sock")
    runtime = service.runtime
    runtime.provide(RateLimiter, RateLimiter(client, runtime.redis_pause, runtime.metrics))
    yield service
    client.close()


def test_without_redis_requests_pass_and_it_is_logged(without_redis, caplog):
    ada = without_redis.candidate()
    for _ in range(12):
        reply = ada.get("/candidates/me/", status=200)
    assert "X-RateLimit-Limit" not in reply.headers
    assert "rate limits are not checked" in caplog.text


def test_without_redis_unchecked_limits_are_counted(without_redis):
    ada = without_redis.candidate()
    for _ in range(3):
        ada.get("/candidates/me/", status=200)
    counted = without_redis.runtime.metrics.exposition().decode()
    assert "competition_unchecked_limits_total 3.0" in counted


def test_without_redis_codes_are_sent(without_redis):
    for _ in range(4):
        ask_for_a_code(without_redis, "ada@school.example", status=200)


def test_a_script_that_redis_has_lost_is_loaded_again(service):
    ada = service.candidate()
    ada.get("/candidates/me/", status=200)
    service.runtime.redis.script_flush()
    assert limit_headers(ada.get("/candidates/me/", status=200)) == (10, 8)
