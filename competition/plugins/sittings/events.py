"""Events of sittings, told in the transaction in which they happen."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from competition.core.work import Work
from competition.plugins.sittings.models import HandedInBy, Submission


@dataclass(frozen=True)
class AttemptStarted:
    """A candidate has opened the paper. Whoever hears it may give the attempt extra time."""

    work: Work
    exam_id: int
    candidate_id: UUID


@dataclass(frozen=True)
class SubmissionsStored:
    """Submissions to an exam were stored: one that a candidate made, or all of those that the
    service has just made for candidates."""

    work: Work
    exam_id: int
    submissions: Collection[Submission]
    handed_in_by: HandedInBy = "candidate"

    @property
    def candidate_ids(self) -> list[UUID]:
        return [each.candidate_id for each in self.submissions]


@dataclass(frozen=True)
class SubmissionsWithdrawn:
    """What the service had handed in for these candidates is gone again: they have got more time,
    and go on. Whatever was made of it has to go too."""

    work: Work
    exam_id: int
    candidate_ids: Collection[UUID]


@dataclass(frozen=True)
class ExamsSealing:
    """These exams are being sealed: nobody can hand in answers any more, and scores and ranks come
    next. Whoever hears it may still store submissions that were made in time."""

    work: Work
    exam_ids: Collection[int]
