"""The keys of receipts. The first key in the settings signs; all keys verify, even retired keys."""

import hashlib
from base64 import urlsafe_b64encode
from functools import cache
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from competition.core.settings import Settings
from competition.plugins.receipts import ReceiptSettings, decoded
from competition.plugins.receipts.presenters import Jwk, Reason, jwk


class Keys:
    """Sign and verify with the keys in the settings."""

    def __init__(self, settings: ReceiptSettings) -> None:
        private = [Ed25519PrivateKey.from_private_bytes(decoded(each)) for each in settings.keys]
        retired = [Ed25519PublicKey.from_public_bytes(decoded(x)) for x in settings.retired_keys]
        public = [*(each.public_key() for each in private), *retired]
        self._public = {key_id(encoded(each.public_bytes_raw())): each for each in public}
        self._signing = private[0]
        self.signing_id = next(iter(self._public))

    def sign(self, text: bytes) -> str:
        return encoded(self._signing.sign(text))

    def flaw(self, key_id: Any, text: bytes, signature: Any) -> Reason | None:
        """The reason why the signature of a text is not valid, or None if it is."""
        key = self._public.get(str(key_id))
        if key is None:
            return "unknown_key"
        try:
            raw = decoded(str(signature))
            key.verify(raw, text)
        except (InvalidSignature, ValueError):
            return "signature"
        # Several base64 strings decode to the same bytes; only the canonical string is valid.
        return None if encoded(raw) == signature else "signature"

    def public(self) -> list[Jwk]:
        """All public keys. The key that verifies new receipts comes first."""
        return [
            jwk(encoded(each.public_bytes_raw()), key_id) for key_id, each in self._public.items()
        ]


def keys(settings: Settings) -> Keys:
    return _keys(settings[ReceiptSettings])


# Cached, because deriving the public keys takes longer than signing. The cache has one Keys object
# for each object of settings.
_keys = cache(Keys)


def key_id(x: str) -> str:
    """The thumbprint of a public key (RFC 7638)."""
    return digest({"crv": "Ed25519", "kty": "OKP", "x": x})


def digest(value: Any) -> str:
    """SHA-256 of the value's canonical JSON, base64url-encoded."""
    return encoded(hashlib.sha256(canonical(value)).digest())


def canonical(value: Any) -> bytes:
    """Canonical JSON (RFC 8785) of the values in receipts: ASCII names, strings, and integers that
    are exact as a float."""
    return msgspec.json.encode(value, order="sorted")


def encoded(raw: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
