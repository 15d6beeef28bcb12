from dataclasses import dataclass
from uuid import UUID

from competition.core.auth.identity import Kind
from competition.core.work import Work


@dataclass(frozen=True)
class AccountRegistered:
    """An account was made, by its owner or by an invitation; its email is not proven yet."""

    work: Work
    user_id: UUID
    kind: Kind


@dataclass(frozen=True)
class EmailProven:
    """The owner of an account has shown that its address is theirs."""

    work: Work
    user_id: UUID
