from datetime import datetime
from typing import Literal, TypedDict
from uuid import UUID

from competition.plugins.sittings.models import HandedInBy

# Why a receipt proves nothing.
Reason = Literal["signature", "unknown_key", "answers"]


class Content(TypedDict):
    """What is signed of a receipt."""

    exam: int
    candidate: UUID
    submitted_at: datetime
    handed_in_by: HandedInBy
    questions: int
    answered: int
    salt: str
    digest: str
    key_id: str


class Receipt(Content):
    """Proof of a submission. `digest` is of the salt and the answers, `signature` is Ed25519, by
    the key with the `kid` that `key_id` says, over the canonical JSON of all other fields."""

    signature: str


class Verdict(TypedDict):
    """`reason` is null when the receipt is valid."""

    valid: bool
    reason: Reason | None


class Jwk(TypedDict):
    """A public key (RFC 8037); `kid` is its thumbprint (RFC 7638)."""

    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    alg: Literal["EdDSA"]
    use: Literal["sig"]


class Keys(TypedDict):
    """The first one signs now; those of older receipts come after it."""

    keys: list[Jwk]


def verdict(reason: Reason | None) -> Verdict:
    return Verdict(valid=reason is None, reason=reason)


def jwk(x: str, key_id: str) -> Jwk:
    return Jwk(kty="OKP", crv="Ed25519", x=x, kid=key_id, alg="EdDSA", use="sig")
