import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import argon2
import pytest

from competition.core.auth import passwords
from competition.core.errors import ServiceUnavailable
from competition.core.web.service import endpoints
from competition.testing.service import PASSWORD

PERSON = ("Ada", "Lovelace", "ada.lovelace@example.org")


@pytest.mark.parametrize(
    "password", ["short1!", "1234567890123", "password1", "Lovelace1", "x" * 129]
)
def test_a_weak_password_is_refused(password):
    assert passwords.problems(password, PERSON)


@pytest.mark.parametrize("password", ["aaaaaaaa", " " * 8, "AbabABab", "hop hop hop", "11112222a"])
def test_a_password_that_repeats_itself_is_refused(password):
    assert "repeats itself" in str(passwords.problems(password, PERSON))


@pytest.mark.parametrize(
    "password",
    [
        *("qwertzuiop9", "lkjhgfdsa", "1qay2wsx", "!QAZ@wsx#edc", "abcdefgh", "zyxwvut1"),
        *("asdfASDF7", "1234567890qwertyuiop"),
    ],
)
def test_a_walk_over_the_keyboard_is_refused(password):
    assert passwords.problems(password, PERSON)


@pytest.mark.parametrize(
    "password",
    ["Password1!", "competition", "P@ssw0rd2026", "!!dragon!!", "Trustno1", "Elizabeth7"],
)
def test_a_common_word_with_a_little_around_it_is_refused(password):
    assert passwords.problems(password, PERSON)


def test_why_a_password_is_easy_to_guess_is_told():
    assert passwords.problems("zyxwvut1", PERSON) == [
        'The password is too easy to guess. Sequences like "abc" or "6543" are easy to guess.'
    ]


@pytest.mark.parametrize(
    "password", ["AdaLovelace7", "lovelace1815!", "Hillside2026", "league league"]
)
def test_a_password_of_own_words_is_refused(password):
    own = (*PERSON, "Hillside School", "The mathematics league")
    assert passwords.problems(password, own)


def test_the_hundred_thousand_most_common_ones_are_refused():
    common = passwords._vendored.read_text().splitlines()
    assert len(set(common)) == 100_000
    long_enough = [each for each in common if len(each) >= passwords.SHORTEST_PASSWORD]
    # From the beginning to the end of the list.
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
def test_a_good_password_is_taken(password):
    assert passwords.problems(password, PERSON) == []


@pytest.mark.parametrize("password", ["4@8({[<369601!|7$5+%2" * 6, "(<[{+|!$%@0147" * 9])
def test_zxcvbn_reads_little_of_a_long_password_and_no_symbols_that_are_many_letters(
    password, monkeypatch
):
    """It would take seconds, and others wait for it."""
    read, estimate = [], passwords.zxcvbn

    def notice(text, **options):
        read.append(text)
        return estimate(text, **options)

    monkeypatch.setattr(passwords, "zxcvbn", notice)
    assert passwords.problems(password, PERSON) == []
    assert {len(text) for text in read} == {72}
    assert not {*"".join(read)} & {*"@({<!|$+%"}


@pytest.fixture
def hasty_threads():
    """Threads that take turns all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_the_name_of_one_user_is_not_held_against_another(hasty_threads):
    """Though zxcvbn keeps the words of a call in its module."""
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
    digest = passwords.hash_password("correct horse battery")
    assert passwords.matches(digest, "correct horse battery")
    assert not passwords.matches(digest, "correct horse batterz")
    assert not passwords.matches(None, "correct horse battery")


def arrivals(rush, first, count, apart=0.2):
    return [rush.is_flood(first + number * apart) for number in range(count)]


def test_a_class_that_logs_in_at_once_is_no_flood():
    assert not any(arrivals(passwords.Rush(), 100.0, 10))


def test_a_rush_that_goes_on_is_a_flood_until_it_pauses():
    rush = passwords.Rush()
    assert arrivals(rush, 100.0, 14) == [False] * 11 + [True] * 3
    assert not any(arrivals(rush, 100.0 + 13 * 0.2 + passwords.PAUSE, 10))


def test_arrivals_with_pauses_are_no_flood():
    assert not any(arrivals(passwords.Rush(), 100.0, 100, passwords.PAUSE + 0.01))


def test_in_a_flood_who_would_have_to_wait_is_sent_away_at_once(monkeypatch):
    turns, tried = passwords.Turns(1), []
    acquire = turns._free.acquire

    def watched(**how):
        tried.append(how)
        return acquire(blocking=False)

    with turns.take():
        monkeypatch.setattr(turns._free, "acquire", watched)
        for is_flood in (False, True):
            monkeypatch.setattr(turns._rush, "is_flood", lambda now, is_flood=is_flood: is_flood)
            with pytest.raises(ServiceUnavailable), turns.take():
                pass
    at_once, patiently = {"blocking": False}, {"timeout": passwords.LONGEST_RUSH}
    assert tried == [at_once, patiently, at_once]


@pytest.mark.needs("accounts", "people")
def test_while_too_many_hash_nobody_logs_in_and_all_else_goes_on(app, monkeypatch):
    ada = app.candidate()
    monkeypatch.setattr(passwords, "LONGEST_RUSH", 0.01)
    turns = passwords.Turns(1)
    monkeypatch.setattr(passwords, "_turns", turns)
    with turns.take():
        reply = app.log_in(ada.email, status=503, code="service_unavailable")
        assert int(reply.headers["Retry-After"]) > 0
        registration = {
            **{"email": "bob@school.example", "first_name": "Bob", "last_name": "Number"},
            **{"phone": "+4912345678", "school": "S", "password": PASSWORD, "password2": PASSWORD},
        }
        app.anonymous.post("/register/candidate/", registration, status=503)
        new = {"new_password": "fields and forms", "confirm_password": "fields and forms"}
        body = {"email": ada.email, "otp": "123456", **new}
        app.anonymous.post("/auth/password-change/", body, status=503)
        ada.get("/candidates/me/", status=200)
    app.log_in(ada.email, status=200)


@pytest.mark.needs("accounts", "people", "privacy")
def test_who_waits_for_a_turn_keeps_nobody_waiting(app, statements, monkeypatch):
    """It waits in a thread for that alone, and holds no lock."""
    manager, ada = app.staff("manager"), app.candidate()
    passwords_twice = {"password": PASSWORD, "password2": PASSWORD}
    person = {"first_name": "Bob", "last_name": "Number", "phone": "+4912345678", **passwords_twice}
    new = {"new_password": "fields and forms", "confirm_password": "fields and forms"}
    asked = {
        ("POST", "/auth/login/"): (ada, {"email": ada.email, "password": PASSWORD}),
        ("POST", "/auth/password-change/"): (ada, {"email": ada.email, "otp": "123456", **new}),
        ("POST", "/register/candidate/"): (None, {**person, "email": "b@c.example", "school": "S"}),
        ("POST", "/register/staff/"): (None, {**person, "email": "b@s.example"}),
        ("POST", "/staff/invite/"): (manager, {**person, "email": "c@s.example", "role": "admin"}),
        ("DELETE", "/users/me/"): (ada, {"password": PASSWORD}),
    }
    before_turns = []
    monkeypatch.setattr(passwords, "turn", lambda _: turns(before_turns, executed))
    for (method, path), (client, body) in asked.items():
        with statements() as executed:
            getattr(client or app.anonymous, method.lower())(path, body, status="any")
    assert len(before_turns) == len(asked)
    assert not [each for sent in before_turns for each in sent if "FOR " in each]
    declared = endpoints(app.http.app.registry)
    assert {(each.method, each.path) for each in declared if each.hashes_password} == asked.keys()


def turns(seen, executed):
    seen.append([*executed])
    return nullcontext()


@pytest.mark.parametrize(
    "former",
    [{"memory_cost": 1024}, {"time_cost": 1}, {"salt_len": 8}, {"salt_len": 8, "hash_len": 40}],
)
def test_a_hash_of_other_parameters_is_outdated(former):
    today = {"memory_cost": 19 * 1024, "time_cost": 2, "parallelism": 1}
    assert passwords.is_outdated(argon2.PasswordHasher(**{**today, **former}).hash("a password"))
    assert not passwords.is_outdated(argon2.PasswordHasher(**today).hash("a password"))
