from collections.abc import Collection
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


@dataclass(frozen=True)
class RolesAssigned:
    """These candidates were moved from one stage to another together. Told once, in the place of a
    RoleAssigned for each; whoever moves them tells them."""

    work: Work
    user_ids: Collection[UUID]
    old: str
    new: str
