"""Events of sittings. Subscribers handle them in the transaction that emits them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from competition.core.work import Work
from competition.plugins.sittings.models import HandedInBy, Submission


@dataclass(frozen=True)
class AttemptStarted:
    """A candidate's attempt at an exam has started. Subscribers may give it extra time."""

    work: Work
    exam_id: int
    candidate_id: UUID


@dataclass(frozen=True)
class SubmissionsStored:
    """Submissions to an exam were stored: one by a candidate, several that the service has just
    made on behalf of candidates, or several that staff have imported from paper. Each is a
    Submission, or a row of its columns."""

    work: Work
    exam_id: int
    submissions: Collection[Submission | Row[Any]]
    handed_in_by: HandedInBy = "candidate"

    @property
    def candidate_ids(self) -> list[UUID]:
        return [each.candidate_id for each in self.submissions]


@dataclass(frozen=True)
class SubmissionsWithdrawing:
    """The submissions of these candidates are about to be deleted, and are still there.

    If `is_own` is true, a candidate has submitted the answers, and staff take the submission back.
    Subscribers can reject that by raising Invalid. Otherwise the service has submitted them, and
    the candidates have got more time.
    """

    work: Work
    exam_id: int
    candidate_ids: Collection[UUID]
    is_own: bool = False


@dataclass(frozen=True)
class SubmissionsWithdrawn:
    """The submissions of these candidates were deleted, because the candidates can continue: they
    got more time after an automatic submission, or staff took back a candidate's own submission
    (`is_own`). Subscribers have to delete the data that they derived from the submissions. They may
    give extra time that a candidate missed because of an own submission."""

    work: Work
    exam_id: int
    candidate_ids: Collection[UUID]
    is_own: bool = False


@dataclass(frozen=True)
class AttemptsReopened:
    """Deadlines of this exam may have moved, and the automatic submissions of candidates who have
    time again were withdrawn. The exam's paper is locked. Subscribers that closed something at an
    earlier deadline have to open it again."""

    work: Work
    exam_id: int


@dataclass(frozen=True)
class ClockChanged:
    """One candidate's attempt runs again, because staff took the submission back. Its deadline may
    have moved. Subscribers push the clock to the candidate."""

    work: Work
    exam_id: int
    candidate_id: UUID


@dataclass(frozen=True)
class ExamsSealing:
    """These exams are being sealed: nobody can submit answers any longer, and scoring follows.
    Subscribers may still store submissions on behalf of candidates."""

    work: Work
    exam_ids: Collection[int]
