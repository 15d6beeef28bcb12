"""Hashing of passwords, their rules (decisions D5), and generated ones (D7)."""

import difflib
import re
import secrets
import string
from collections.abc import Iterable
from functools import cache

import argon2
from zxcvbn.frequency_lists import FREQUENCY_LISTS

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 128
# As Django's validator has it: how alike a password and a name may be.
MOST_ALIKE = 0.7
GENERATED_LENGTH = 16
SYMBOLS = "!#$%&*+-=?@"

# OWASP's minimum for argon2id: 19 MiB, two passes, one lane. 16 ms instead of 128 ms.
_hasher = argon2.PasswordHasher(memory_cost=19 * 1024, time_cost=2, parallelism=1)
_common = frozenset(FREQUENCY_LISTS["passwords"])


def hash_password(password: str) -> str:
    return _hasher.hash(password)


def matches(password_hash: str | None, password: str) -> bool:
    """Without a hash (no such user) it takes the same time, and is False."""
    try:
        return _hasher.verify(password_hash or _nobody(), password) and password_hash is not None
    except argon2.exceptions.VerifyMismatchError:
        return False


@cache
def _nobody() -> str:
    return _hasher.hash(secrets.token_urlsafe())


def problems(password: str, personal: Iterable[str]) -> list[str]:
    """What is wrong with a new password; `personal` are the user's names and email."""
    found = []
    if len(password) < SHORTEST_PASSWORD:
        found.append(f"The password needs at least {SHORTEST_PASSWORD} characters.")
    if len(password) > LONGEST_PASSWORD:
        # The other rules would only cost time on it.
        return [f"The password may have at most {LONGEST_PASSWORD} characters."]
    if password.isdigit():
        found.append("The password may not consist of digits alone.")
    if password.lower() in _common:
        found.append("The password is too common.")
    if any(_alike(password.lower(), text.lower()) for text in personal):
        found.append("The password is too much like your name or email address.")
    return found


def _alike(password: str, text: str) -> bool:
    parts = [*re.split(r"\W+", text), text]
    return any(
        len(part) > 2 and difflib.SequenceMatcher(a=password, b=part).ratio() >= MOST_ALIKE
        for part in parts
    )


def generate() -> str:
    """Has a lower-case letter, an upper-case letter, a digit and a symbol."""
    classes = (string.ascii_lowercase, string.ascii_uppercase, string.digits, SYMBOLS)
    letters = [secrets.choice(each) for each in classes]
    letters += [secrets.choice("".join(classes)) for _ in range(GENERATED_LENGTH - len(letters))]
    secrets.SystemRandom().shuffle(letters)
    return "".join(letters)
