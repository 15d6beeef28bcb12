from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class DocumentsDecided:
    """Somebody of staff approved or rejected a user's documents; `reason` is of a rejection."""

    work: Work
    user_id: UUID
    is_approved: bool
    reason: str | None
