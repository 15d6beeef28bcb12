"""Receipts: signed proof of which answers were submitted and when, which anyone can verify.

A receipt is created in the transaction that stores the submission. Its digest proves the answers
without revealing them. docs/decisions/0019-receipts.md describes what exactly is signed.
"""

from base64 import b64decode
from dataclasses import dataclass
from typing import ClassVar

from pyramid.config import Configurator

from competition.core.settings import Secret, setting

REQUIRES = ("sittings",)
# The length of an Ed25519 key, private or public, in bytes.
KEY_LENGTH = 32


def decoded(text: str) -> bytes:
    """Decode base64 in the standard or the URL-safe alphabet, with or without padding. Raises
    ValueError if the text is not valid base64."""
    bare = text.rstrip("=")
    return b64decode(bare + "=" * (-len(bare) % 4), "-_", validate=True)


def _keys(text: str) -> list[str]:
    words = text.split()
    try:
        are_keys = all(len(decoded(word)) == KEY_LENGTH for word in words)
    except ValueError:
        are_keys = False
    if not are_keys:
        raise ValueError(
            f"each key must be {KEY_LENGTH} bytes in base64; `openssl rand -base64 32` creates one"
        )
    return words


@dataclass(frozen=True, kw_only=True)
class ReceiptSettings:
    """The keys that sign and verify receipts.

    `keys` are private Ed25519 keys, separated by spaces. The first key signs; all keys verify.
    `retired_keys` are public keys: they verify receipts whose private key was removed.
    """

    prefix: ClassVar[str] = "competition.receipts"
    keys: tuple[Secret, ...] = setting(parse=lambda text: tuple(map(Secret, _keys(text))))
    retired_keys: tuple[str, ...] = setting((), parse=lambda text: tuple(_keys(text)))


SETTINGS = ReceiptSettings


def includeme(config: Configurator) -> None:
    config.add_examples(
        exam=7,
        candidate="8f14e45f-ceea-467f-a8c5-1f2b3c4d5e6f",
        submitted_at="2026-03-14T09:48:12.504913Z",
        handed_in_by="candidate",
        questions=40,
        answered=38,
        salt="q1vG0b8m2kJ4Yx7nZp3sTA",
        digest="s3UwOdz2xPVYd4o1fLZ9gWm5oQ0c7bTnE8rKxJhVq2A",
        key_id="kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
        kid="kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
        x="11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        signature="9b1Yt2C" + "w" * 79,
        valid=True,
        reason=None,
        question=11,
        selected_option="B",
    )
    config.scan()
