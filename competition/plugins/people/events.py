from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from competition.core.imports import Row
from competition.core.work import Work


@dataclass(frozen=True)
class RoleAssigned:
    """A candidate was moved to another stage, or a member of staff got another rank."""

    work: Work
    user_id: UUID
    old: str
    new: str


@dataclass(frozen=True)
class CandidateRowsChecked:
    """The rows of an import of candidates were checked, and may be applied in this transaction.

    Subscribers reject the rows that must not be applied. They may not change anything.
    """

    work: Work
    rows: Sequence[Row]


@dataclass(frozen=True)
class RolesAssigned:
    """Several candidates were moved from one stage to another together.

    This is emitted once, instead of a RoleAssigned for each candidate. The plugin that moves the
    candidates also notifies them.
    """

    work: Work
    user_ids: Collection[UUID]
    old: str
    new: str
