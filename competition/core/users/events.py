from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class AccountChanging:
    """Somebody asks for other values of an account's fields; it is locked, and has the old ones.

    Told whether they differ or not. A subscriber may take fields out of `values`: these are not
    changed now, and what is to become of them is its matter.
    """

    work: Work
    user_id: UUID
    values: dict[str, Any]


@dataclass(frozen=True)
class AccountDeactivated:
    """An account was switched off, and its sessions are over."""

    work: Work
    user_id: UUID


@dataclass(frozen=True)
class AccountErased:
    """Nothing is kept about a person any more; the row that results refer to stays."""

    work: Work
    user_id: UUID


@dataclass(frozen=True)
class CredentialsChanged:
    """What opens an account is another one than before: its owner may not be who changed it."""

    work: Work
    user_id: UUID
    credential: Literal["password", "second_factor"]
