import json
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Event

import argon2
import pytest
import zxcvbn

from competition.core.auth import hashing, passwords
from competition.core.errors import ServiceUnavailable
from competition.core.messages import worded
from competition.core.web.service import endpoints
from competition.testing.service import PASSWORD
from competition.testing.waiting import PATIENCE, wait_until

PERSON = ("Ada", "Lovelace", "ada.lovelace@example.org")


@pytest.mark.parametrize(
    "password", ["short1!", "1234567890123", "password1", "Lovelace1", "x" * 129]
)
def test_a_weak_password_is_rejected(password):
    assert passwords.problems(password, PERSON)


@pytest.mark.parametrize("password", ["aaaaaaaa", " " * 8, "AbabABab", "hop hop hop", "11112222a"])
def test_a_password_that_repeats_itself_is_rejected(password):
    assert "repeats the same characters" in str(passwords.problems(password, PERSON))


@pytest.mark.parametrize(
    "password",
    [
        *("qwertzuiop9", "lkjhgfdsa", "1qay2wsx", "!QAZ@wsx#edc", "abcdefgh", "zyxwvut1"),
        *("asdfASDF7", "1234567890qwertyuiop"),
    ],
)
def test_a_keyboard_pattern_is_rejected(password):
    assert passwords.problems(password, PERSON)


@pytest.mark.parametrize(
    "password",
    ["Password1!", "competition", "P@ssw0rd2026", "!!dragon!!", "Trustno1", "Elizabeth7"],
)
def test_a_common_word_with_a_few_characters_around_it_is_rejected(password):
    assert passwords.problems(password, PERSON)


def test_the_error_explains_why_a_password_is_easy_to_guess():
    assert worded(passwords.problems("zyxwvut1", PERSON)) == [
        'The password is too easy to guess. Sequences like "abc" or "6543" are easy to guess.'
        " Use several uncommon words."
    ]


@pytest.mark.parametrize(
    "password", ["AdaLovelace7", "lovelace1815!", "Hillside2026", "league league"]
)
def test_a_password_made_of_the_users_own_words_is_rejected(password):
    own = (*PERSON, "Hillside School", "The mathematics league")
    assert passwords.problems(password, own)


def test_the_hundred_thousand_most_common_passwords_are_rejected():
    common = passwords.COMMON_PASSWORDS.read_text().splitlines()
    assert len(set(common)) == 100_000
    long_enough = [each for each in common if len(each) >= passwords.SHORTEST_PASSWORD]
    # Test every 500th password, from the whole length of the list.
    for password in long_enough[::500]:
        assert "too common" in str(passwords.problems(password, ())), password


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery",
        "rings and ideals",
        "kitchen table",
        "mvdkwqzr",
        "assertxy kq",
        "Blumentopf mit Erde",
        "qwerty grapes",
        "4kq dragon 7 pens",
    ],
)
def test_a_strong_password_is_accepted(password):
    assert passwords.problems(password, PERSON) == []


@pytest.mark.parametrize("password", ["4@8({[<369601!|7$5+%2" * 6, "(<[{+|!$%@0147" * 9])
def test_zxcvbn_checks_a_bounded_part_of_a_password(password, monkeypatch):
    """Estimating the strength of a very long password would take seconds, and block other
    requests.
    """
    read, estimate = [], zxcvbn.zxcvbn

    def notice(text, **options):
        read.append(text)
        return estimate(text, **options)

    monkeypatch.setattr(zxcvbn, "zxcvbn", notice)
    assert passwords.problems(password, PERSON) == []
    assert {len(text) for text in read} == {72}
    assert not {*"".join(read)} & {*"@({<!|$+%"}


@pytest.fixture
def hasty_threads():
    """Make Python switch between threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_a_password_has_at_most_128_characters():
    longest = "".join(chr(0x4E00 + 37 * index) for index in range(128))
    assert passwords.problems(longest, PERSON) == []
    assert worded(passwords.problems(longest + "x", PERSON)) == [
        "The password may have at most 128 characters."
    ]


def test_the_name_of_one_user_does_not_affect_passwords_of_others(hasty_threads):
    """zxcvbn stores the words of a call in a variable of its module, which all threads share."""
    password, other = "zyqw0rth4m kj", "Vylbrecht"

    def judge(name):
        return passwords.problems(password, (name,))

    assert judge("zyqwortham") and not judge(other)
    with ThreadPoolExecutor(4) as executor:
        found = list(executor.map(judge, ["zyqwortham", other] * 100))
    assert all(found[0::2]) and not any(found[1::2])


def test_generated_passwords_follow_the_rules_and_have_four_classes():
    for _ in range(50):
        password = passwords.generate()
        assert passwords.problems(password, PERSON) == []
        assert any(c.islower() for c in password) and any(c.isupper() for c in password)
        assert any(c.isdigit() for c in password)
        assert any(c in passwords.SYMBOLS for c in password)


def test_only_the_right_password_matches():
    digest = hashing.hash_password("correct horse battery")
    assert hashing.matches(digest, "correct horse battery")
    assert not hashing.matches(digest, "correct horse batterz")
    assert not hashing.matches(None, "correct horse battery")


def test_two_requests_hash_three_wait_and_further_ones_are_rejected():
    permits, over, begun = hashing.Permits(2, 3), Event(), []

    def hash_something():
        with permits.hold():
            begun.append(len(begun))
            over.wait(PATIENCE)

    with ThreadPoolExecutor(6) as pool:
        requests = [pool.submit(hash_something) for _ in range(6)]
        try:
            wait_until(lambda: any(each.done() for each in requests) and len(begun) == 2)
            [refused] = [each for each in requests if each.done()]
            assert isinstance(refused.exception(), ServiceUnavailable)
        finally:
            over.set()
    assert len(begun) == 5
    with permits.hold():
        pass


def test_a_failed_request_returns_its_permit():
    permits = hashing.Permits(1, 0)
    for _ in range(3):
        with pytest.raises(RuntimeError), permits.hold():
            raise RuntimeError
    with permits.hold(), pytest.raises(ServiceUnavailable), permits.hold():
        pass


PASSWORDS = {"password": PASSWORD, "password2": PASSWORD}
NEW = {"new_password": "fields and forms", "confirm_password": "fields and forms"}
BOB = {"first_name": "Bob", "last_name": "Number", "phone": "+4912345678", **PASSWORDS}


def requests_with_passwords(app):
    """For each endpoint that hashes a password, by method and path: a client and a body."""
    manager, teacher, ada = app.staff("manager"), app.staff("volunteer"), app.candidate()
    school = manager.post("/schools/", {"name": "West"}).json
    linked = {"email": teacher.email, "first_name": "Ada", "last_name": "Lovelace"}
    manager.post(f"/schools/{school['id']}/teachers/", linked)
    return {
        ("POST", "/auth/login/"): (ada, {"email": ada.email, "password": PASSWORD}),
        ("POST", "/auth/password-change/"): (ada, {"email": ada.email, "otp": "123456", **NEW}),
        ("POST", "/register/candidate/"): (
            app.anonymous,
            {**BOB, "email": "bob@school.example", "school": "S"},
        ),
        ("POST", "/register/staff/"): (app.anonymous, {**BOB, "email": "bob@staff.example"}),
        ("POST", "/staff/invite/"): (
            manager,
            {**BOB, "email": "eve@staff.example", "role": "admin"},
        ),
        ("DELETE", "/users/me/"): (ada, {"password": PASSWORD}),
        ("POST", "/auth/second-factor/"): (manager, {"password": PASSWORD}),
        ("POST", "/auth/second-factor/recovery-codes/"): (
            manager,
            {"password": PASSWORD, "code": "123456"},
        ),
        ("POST", "/candidates/slips/"): (manager, {"candidates": [str(ada.id)]}),
        ("POST", "/school/slips/"): (teacher, {"candidates": [str(ada.id)]}),
    }


def test_without_a_free_permit_only_requests_with_passwords_are_rejected(
    app, statements, monkeypatch
):
    permits, ada = hashing.Permits(1, 0), app.candidate()
    asked = requests_with_passwords(app)
    declared = endpoints(app.http.app.registry)
    assert {(each.method, each.path) for each in declared if each.hashes_password} == asked.keys()
    monkeypatch.setattr(hashing, "permits", permits)
    with permits.hold():
        for (method, path), (client, body) in asked.items():
            # A request that waits for a permit uses no database connection, because it has read
            # nothing.
            with statements() as executed:
                reply = client.request(method, path, body, status=503, code="service_unavailable")
            assert int(reply.headers["Retry-After"]) > 0
            assert executed == []
        ada.get("/candidates/me/", status=200)
    app.log_in(ada.email, status=200)


def test_a_body_arrives_before_its_request_takes_a_permit(app, monkeypatch):
    """Otherwise a client that stalls would occupy the permit."""
    permits, read_under_a_permit = hashing.Permits(1, 0), []
    monkeypatch.setattr(hashing, "permits", permits)

    class Body(BytesIO):
        def read(self, size=-1):
            try:
                with permits.hold():
                    pass
            except ServiceUnavailable:
                read_under_a_permit.append(size)
            return super().read(size)

    for (method, path), (client, body) in requests_with_passwords(app).items():
        content = json.dumps(body).encode()
        headers = {"X-Api-Key": app.key, "Content-Type": "application/json"}
        if client.token:
            headers["Authorization"] = f"Bearer {client.token}"
        for environ in ({"CONTENT_LENGTH": str(len(content))}, {"wsgi.input_terminated": True}):
            environ |= {"wsgi.input": Body(content), "REQUEST_METHOD": method}
            app.http.request(f"/v1{path}", headers=headers, environ=environ, status="*")
    assert read_under_a_permit == []


def test_a_large_body_with_a_password_is_rejected_unread(app):
    """Such a request is not authenticated yet, so the service must not read a large body for it."""
    for (method, path), (client, body) in requests_with_passwords(app).items():
        body = {**body, "more": "a" * 16 * 1024}
        reply = client.request(method, path, body, status=400, code="invalid")
        assert "too large" in reply.json["detail"]


@pytest.mark.parametrize(
    "former",
    [{"memory_cost": 1024}, {"time_cost": 1}, {"salt_len": 8}, {"salt_len": 8, "hash_len": 40}],
)
def test_a_hash_with_other_parameters_is_outdated(monkeypatch, real_hasher, former):
    monkeypatch.setattr(hashing, "hasher", real_hasher)
    today = {"memory_cost": 19 * 1024, "time_cost": 2, "parallelism": 1}
    assert hashing.is_outdated(argon2.PasswordHasher(**{**today, **former}).hash("a password"))
    assert not hashing.is_outdated(argon2.PasswordHasher(**today).hash("a password"))
