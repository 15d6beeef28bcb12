import pytest

from competition.core.auth import passwords

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
    ["qwertzuiop9", "lkjhgfdsa", "1qay2wsx", "!QAZ@wsx#edc", "abcdefgh", "zyxwvut1", "asdfASDF7"],
)
def test_a_walk_over_the_keyboard_is_refused(password):
    assert "keyboard" in str(passwords.problems(password, PERSON))


@pytest.mark.parametrize(
    "password",
    ["Password1!", "competition", "P@ssw0rd2026", "!!dragon!!", "Trustno1", "Elizabeth7"],
)
def test_a_common_word_with_a_little_around_it_is_refused(password):
    assert "too common" in str(passwords.problems(password, PERSON))


@pytest.mark.parametrize(
    "password", ["AdaLovelace7", "lovelace1815!", "Hillside2026", "league league"]
)
def test_a_password_of_own_words_is_refused(password):
    own = (*PERSON, "Hillside School", "The mathematics league")
    assert passwords.problems(password, own)


def test_a_hundred_thousand_common_words_and_passwords_are_known():
    assert len(passwords._common) > 100_000


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


def test_the_longest_password_is_judged_at_once():
    """Some texts keep an estimate busy for half a minute; here each takes a bounded number of
    looks."""
    assert passwords.problems("4@8({[<369601!|7$5+%2" * 6, PERSON) == []


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
