from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class RoleAssigned:
    """A candidate advanced to another stage, or a member of staff has another rank."""

    work: Work
    user_id: UUID
    old: str
    new: str
