from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work


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
