from datetime import datetime
from typing import Literal, TypedDict
from uuid import UUID

from competition.plugins.sittings.models import HandedInBy

# Why a receipt is not valid.
Reason = Literal["signature", "unknown_key", "answers"]


class Content(TypedDict):
    """The signed fields of a receipt."""

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
    """Signed proof of a submission. `digest` is computed over the salt and the answers. `signature`
    is the Ed25519 signature of the canonical JSON of all other fields, made with the key whose
    `kid` is `key_id`."""

    signature: str


class Receipts(TypedDict):
    """The receipts of the caller's submissions to an exam, the newest first."""

    results: list[Receipt]


class Verdict(TypedDict):
    """Whether a receipt is valid. If it is, `reason` is null."""

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
    """The public keys that verify receipts. New receipts are signed with the first key."""

    keys: list[Jwk]


def verdict(reason: Reason | None) -> Verdict:
    return Verdict(valid=reason is None, reason=reason)


def jwk(x: str, key_id: str) -> Jwk:
    return Jwk(kty="OKP", crv="Ed25519", x=x, kid=key_id, alg="EdDSA", use="sig")
