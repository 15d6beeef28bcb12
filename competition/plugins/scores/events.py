from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class ScoresRecorded:
    """These candidates have a score in the exam, or another one; computed or given by hand."""

    work: Work
    exam_id: int
    candidate_ids: Collection[UUID]


@dataclass(frozen=True)
class ScoresCorrected(ScoresRecorded):
    """They have another score since the exam's key was corrected. Whoever tells of it tells the
    candidates, too."""
