from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, TypedDict
from uuid import UUID

from competition.core.lists import Page, Pagination
from competition.core.users.affected import Affected
from competition.core.users.affiliations import Affiliations
from competition.core.users.models import Candidate
from competition.core.users.profiles import StaffProfile, editor_profile
from competition.core.work import Work
from competition.plugins.allowances import models
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.presenters import MINUTE, seconds_remaining, whole_minutes

# An interval in which candidates lost time.
Lost = TypedDict("Lost", {"from": datetime, "until": datetime})


class GivenTime(TypedDict):
    """Extra time in an exam for a candidate, a school or everyone: either `extra_minutes`, or the
    part of the interval `lost` that each attempt lost."""

    id: int
    exam: int
    candidate_id: UUID | None
    school: str | None
    everyone: bool
    extra_minutes: int | None
    lost: Lost | None
    reason: str
    created_at: datetime


class OwnTime(TypedDict):
    """How long the caller can work on an exam, from the start to the deadline."""

    minutes: int


class ServedCandidate(TypedDict):
    user_id: UUID
    full_name: str
    school: str


class Allowance(GivenTime):
    """Extra time in an exam, with the candidate who gets it and the member of staff who gave it. It
    is either `extra_minutes`, or the part of the interval `lost` that each attempt lost."""

    candidate: ServedCandidate | None
    affected: int
    created_by: StaffProfile | None


class AllowanceList(TypedDict):
    results: list[Allowance]
    pagination: Pagination


class PercentFields(TypedDict):
    """The percentage by which a candidate's countdown is extended, in every exam that they start
    from now on. While nobody has set it, `percent` is 0 and the other fields are null."""

    percent: int
    reason: str | None
    updated_at: datetime | None


class CandidatePercent(PercentFields):
    updated_by: StaffProfile | None


class CandidateAllowances(PercentFields):
    """A candidate's extra time: the percentage in every exam, and the time in single exams."""

    exams: list[GivenTime]


class AllowancePreview(Affected):
    """The candidates who would get extra time now. `can_start` counts further candidates, who have
    not started and would get the time when they start."""

    can_start: int


class Clock(TypedDict):
    exam: int
    server_time: datetime
    deadline: datetime
    seconds_remaining: int
    extra_minutes: int


class ClockActivity(TypedDict):
    """A candidate's clock. The service sends it when the deadline moves, to candidates who are
    taking the exam."""

    type: Literal["exam_clock"]
    message: Clock


def given_time(row: models.Allowance) -> GivenTime:
    lost = None
    if row.lost_from is not None and row.lost_until is not None:
        lost = Lost({"from": row.lost_from, "until": row.lost_until})
    return GivenTime(
        id=row.id,
        exam=row.exam_id,
        candidate_id=row.candidate_id,
        school=row.school,
        everyone=row.candidate_id is None and row.school is None,
        extra_minutes=row.extra_minutes,
        lost=lost,
        reason=row.reason,
        created_at=row.created_at,
    )


def allowance(work: Work, exam: Exam, row: models.Allowance) -> Allowance:
    """The reply for an allowance. `row.candidate` and `row.created_by` have to be loaded."""
    [shown] = _allowances(work, exam, [row])
    return shown


def _allowances(work: Work, exam: Exam, rows: Sequence[models.Allowance]) -> list[Allowance]:
    then = Affiliations(work, [(exam, row.candidate) for row in rows if row.candidate is not None])
    return [
        Allowance(
            **given_time(row),
            candidate=None
            if row.candidate is None
            else _served(row.candidate, then.of(exam, row.candidate).school),
            affected=row.affected,
            created_by=editor_profile(work, row.created_by),
        )
        for row in rows
    ]


def _served(candidate: Candidate, school: str) -> ServedCandidate:
    return ServedCandidate(user_id=candidate.id, full_name=candidate.full_name, school=school)


def own_time(time: timedelta) -> OwnTime:
    return OwnTime(minutes=time // MINUTE)


def allowance_list(work: Work, exam: Exam, page: Page[models.Allowance], url: str) -> AllowanceList:
    return AllowanceList(
        results=_allowances(work, exam, page.items), pagination=page.pagination(url)
    )


def candidate_percent(work: Work, found: models.Percent) -> CandidatePercent:
    return CandidatePercent(
        percent=found.percent,
        reason=found.reason,
        updated_by=editor_profile(work, found.updated_by),
        updated_at=found.updated_at,
    )


def clock_activity(
    exam: Exam, deadline: datetime, extra: timedelta, now: datetime
) -> ClockActivity:
    message = Clock(
        exam=exam.id,
        server_time=now,
        deadline=deadline,
        seconds_remaining=seconds_remaining(deadline, now),
        extra_minutes=whole_minutes(extra),
    )
    return ClockActivity(type="exam_clock", message=message)
