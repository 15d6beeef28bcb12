"""What others are told of sittings, in the transaction in which it happens."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class SubmissionsStored:
    """These candidates' answers to the exam are in."""

    work: Work
    exam_id: int
    candidate_ids: Collection[UUID]


@dataclass(frozen=True)
class ExamsSealing:
    """Nobody can hand in answers to these exams any more; scores and ranks come next. Whoever hears
    it may still store submissions that were made in time."""

    work: Work
    exam_ids: Collection[int]
