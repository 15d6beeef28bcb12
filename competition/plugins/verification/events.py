from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class ChangesDecided:
    """A manager approved or rejected the changes that a user requested to an approved identity.

    The identity stays approved in both cases. `reason` is None unless the changes were rejected
    with a reason.
    """

    work: Work
    user_id: UUID
    is_approved: bool
    reason: str | None


@dataclass(frozen=True)
class DocumentsDecided:
    """A manager approved or rejected a user's documents. `reason` is None unless they were rejected
    with a reason."""

    work: Work
    user_id: UUID
    is_approved: bool
    reason: str | None
