from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class ScoresRecorded:
    """Candidates have a new or changed score in an exam, computed or given by staff."""

    work: Work
    exam_id: int
    candidate_ids: Collection[UUID]


@dataclass(frozen=True)
class ScoresCorrected(ScoresRecorded):
    """Candidates' scores in an exam have changed because its answer key was corrected.

    The plugin that corrects the key also notifies the candidates, so subscribers don't have to.
    """
