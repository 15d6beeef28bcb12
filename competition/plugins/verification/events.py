from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class ChangesDecided:
    """Somebody of staff approved or rejected what a user wanted to change of an identity that was
    approved before, and still is; `reason` is of a rejection."""

    work: Work
    user_id: UUID
    is_approved: bool
    reason: str | None


@dataclass(frozen=True)
class DocumentsDecided:
    """Somebody of staff approved or rejected a user's documents; `reason` is of a rejection."""

    work: Work
    user_id: UUID
    is_approved: bool
    reason: str | None
