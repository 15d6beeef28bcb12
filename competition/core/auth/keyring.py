"""Signing keys, and what is signed with them.

The first key signs, all verify: to rotate, put a new key in front and drop the old one when what
it signed has expired. So it is with what is encrypted; but that does not expire: whoever keeps it
has it `renewed` now and then.
"""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from zxcvbn import zxcvbn

from competition.core.settings import Secret, setting

# HS256 wants a key as long as its digest (RFC 7518, 3.2).
SHORTEST_KEY = 32
# Ten to the power of it, which is 80 bits. A key that was drawn at random takes more by far, one of
# words, repeats or rows of the keyboard fewer.
FEWEST_GUESSES = 24
# What the estimate reads of a longer one.
ESTIMATED = 72


def _signing_keys(text: str) -> tuple[Secret, ...]:
    keys = tuple(Secret(word) for word in text.split())
    if any(len(key) < SHORTEST_KEY for key in keys):
        raise ValueError(f"each key needs at least {SHORTEST_KEY} characters")
    return keys


@dataclass(frozen=True, kw_only=True)
class SigningSettings:
    """The keys that sign tokens and links, separated by blanks; the first one signs."""

    prefix: ClassVar[str] = "competition.signing"
    keys: tuple[Secret, ...] = setting(parse=_signing_keys)


SETTINGS = SigningSettings


def is_guessable(key: str) -> bool:
    """Whether a key looks made up by a person, instead of drawn at random."""
    guesses: float = zxcvbn(key[:ESTIMATED])["guesses_log10"]
    return guesses < FEWEST_GUESSES


class UnknownKey(Exception):
    """Encrypted by none of the keys there are, or changed since."""


class Keyring:
    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = tuple(key.encode() for key in keys)

    def derived(self, purpose: str) -> tuple[bytes, ...]:
        """For each signing key a key of 32 bytes that is good for this purpose alone."""
        return tuple(hmac.digest(key, purpose.encode(), "sha256") for key in self._keys)

    def sign(self, purpose: str, message: str) -> str:
        return _mac(self.derived(purpose)[0], message)

    def verifies(self, purpose: str, message: str, signature: str) -> bool:
        # A list, not a generator: every key is tried, so that the time tells nothing.
        matches = [
            hmac.compare_digest(_mac(key, message).encode(), signature.encode())
            for key in self.derived(purpose)
        ]
        return any(matches)

    def encrypt(self, purpose: str, text: str) -> str:
        return self._boxes(purpose)[0].encrypt(text.encode()).decode()

    def decrypt(self, purpose: str, encrypted: str) -> str:
        """Raises UnknownKey."""
        try:
            return MultiFernet(self._boxes(purpose)).decrypt(encrypted).decode()
        except InvalidToken:
            raise UnknownKey from None

    def renewed(self, purpose: str, encrypted: str) -> str:
        """The same when the first key encrypted it, else encrypted anew by that one. Raises
        UnknownKey."""
        text = self.decrypt(purpose, encrypted)
        try:
            self._boxes(purpose)[0].decrypt(encrypted)
        except InvalidToken:
            return self.encrypt(purpose, text)
        return encrypted

    def _boxes(self, purpose: str) -> list[Fernet]:
        return [Fernet(urlsafe_b64encode(key)) for key in self.derived(purpose)]


def _mac(key: bytes, message: str) -> str:
    return hmac.new(key, message.encode(), hashlib.sha256).hexdigest()
