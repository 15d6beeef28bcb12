"""The signing keys: signing, verifying, encrypting and decrypting.

The first key signs and encrypts; all keys verify and decrypt. To rotate keys, put a new key in
front, and remove the old one when everything signed with it has expired. Encrypted texts don't
expire, so code that stores such texts must pass them to `Keyring.renewed` regularly.
"""

import hmac
import subprocess
import sys
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from competition.core.settings import Secret, setting

# HS256 needs a key that is at least as long as its digest, 32 bytes (RFC 7518, section 3.2).
SHORTEST_KEY = 32
# How many guesses a key must withstand, as a decimal logarithm: 24 means 10**24, or 80 bits. A
# random key withstands far more guesses. A key of words, repeated characters or rows of the
# keyboard withstands fewer.
FEWEST_GUESSES = 24
# How many characters of a key the estimate reads.
ESTIMATED = 72
# The program that reads a key from its standard input and prints the estimate for it.
ESTIMATE = "import sys, zxcvbn; print(zxcvbn.zxcvbn(sys.stdin.read())['guesses_log10'])"


def _signing_keys(text: str) -> tuple[Secret, ...]:
    keys = tuple(Secret(word) for word in text.split())
    if any(len(key) < SHORTEST_KEY for key in keys):
        raise ValueError(f"each key needs at least {SHORTEST_KEY} characters")
    return keys


@dataclass(frozen=True, kw_only=True)
class SigningSettings:
    """`keys` are the keys that sign tokens and links, separated by spaces in the ini file. The
    first one signs and encrypts; all of them verify and decrypt."""

    prefix: ClassVar[str] = "competition.signing"
    keys: tuple[Secret, ...] = setting(parse=_signing_keys)


SETTINGS = SigningSettings


def is_guessable(key: str) -> bool:
    """Whether a key seems to have been invented by a person, and not generated at random."""
    # In a process of its own. Every process of the service checks its keys when it starts, and
    # would otherwise keep zxcvbn's lists of words, which take 12 MiB.
    guesses = subprocess.run(
        [sys.executable, "-P", "-X", "utf8", "-c", ESTIMATE],
        input=key[:ESTIMATED].encode(),
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    return float(guesses) < FEWEST_GUESSES


class UnknownKey(Exception):
    """The text can't be decrypted: its key was removed, or the text was changed."""


class Keyring:
    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = tuple(key.encode() for key in keys)

    def derived(self, purpose: str) -> tuple[bytes, ...]:
        """Keys of 32 bytes for this purpose only: one per signing key, in their order."""
        return tuple(hmac.digest(key, purpose.encode(), "sha256") for key in self._keys)

    def sign(self, purpose: str, message: str) -> str:
        return _mac(self.derived(purpose)[0], message)

    def verifies(self, purpose: str, message: str, signature: str) -> bool:
        # A list, not a generator, so that every key is tried. Otherwise the time that this takes
        # would reveal which key matches.
        matches = [
            hmac.compare_digest(_mac(key, message).encode(), signature.encode())
            for key in self.derived(purpose)
        ]
        return any(matches)

    def encrypt(self, purpose: str, text: str) -> str:
        return self._boxes(purpose)[0].encrypt(text.encode()).decode()

    def decrypt(self, purpose: str, encrypted: str) -> str:
        """The decrypted text. Raises UnknownKey if none of the keys can decrypt it."""
        try:
            return MultiFernet(self._boxes(purpose)).decrypt(encrypted).decode()
        except InvalidToken:
            raise UnknownKey from None

    def renewed(self, purpose: str, encrypted: str) -> str:
        """The same encrypted text if the first key encrypted it; otherwise the text encrypted by
        the first key. Raises UnknownKey if none of the keys can decrypt it."""
        text = self.decrypt(purpose, encrypted)
        try:
            self._boxes(purpose)[0].decrypt(encrypted)
        except InvalidToken:
            return self.encrypt(purpose, text)
        return encrypted

    def _boxes(self, purpose: str) -> list[Fernet]:
        return [Fernet(urlsafe_b64encode(key)) for key in self.derived(purpose)]


def _mac(key: bytes, message: str) -> str:
    return hmac.digest(key, message.encode(), "sha256").hex()
