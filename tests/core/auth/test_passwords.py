import pytest

from competition.core.auth import passwords

PERSON = ("Ada", "Lovelace", "ada.lovelace@example.org")


@pytest.mark.parametrize(
    "password", ["short1!", "1234567890123", "password1", "Lovelace1", "x" * 129]
)
def test_a_weak_password_is_refused(password):
    assert passwords.problems(password, PERSON)


def test_a_good_password_is_taken():
    assert passwords.problems("correct horse battery", PERSON) == []


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
