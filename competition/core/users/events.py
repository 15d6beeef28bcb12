from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class AccountDeactivated:
    """An account was switched off, and its sessions are over."""

    work: Work
    user_id: UUID
