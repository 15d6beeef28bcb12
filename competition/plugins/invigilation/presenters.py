from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal, NotRequired, TypedDict
from uuid import UUID

from competition.core.lists import Page, Pagination
from competition.core.slots import Contributed, spread
from competition.core.work import Work
from competition.plugins.exams.models import Exam, ExamStatus, status_of
from competition.plugins.invigilation.models import Seat, State
from competition.plugins.sittings.models import HandedInBy
from competition.plugins.sittings.offered_slots import ATTEMPT
from competition.plugins.sittings.presenters import whole_minutes


class StateCounts(TypedDict):
    """How many candidates are in each state. Every candidate is in exactly one state; `eligible` is
    the sum of all states."""

    eligible: int
    not_started: int
    sitting: int
    silent: int
    submitted: int
    handed_in: int


class WatchedCandidate(TypedDict):
    user_id: UUID
    full_name: str
    school: str


class WatchedSeat(TypedDict):
    """A candidate's progress in an exam. The state `silent` means that the candidate is taking the
    exam but was not seen for two minutes (setting `competition.invigilation.silent_after`), or that
    the time is over and nothing was submitted. Times are null before the start."""

    candidate: WatchedCandidate
    state: State
    started_at: datetime | None
    deadline: datetime | None
    extra_minutes: int
    last_seen_at: datetime | None
    contributed: NotRequired[Annotated[Contributed, ATTEMPT]]
    submitted_at: datetime | None
    handed_in_by: HandedInBy | None


class Watch(TypedDict):
    exam: int
    status: ExamStatus
    server_time: datetime
    counts: StateCounts
    results: list[WatchedSeat]
    pagination: Pagination


class Activity(TypedDict):
    exam: int
    counts: StateCounts


class ExamActivity(TypedDict):
    """The counts of an exam. Sent when the counts have changed, to staff who follow the exam."""

    type: Literal["exam_activity"]
    message: Activity


def exam_activity(exam_id: int, found: dict[State, int]) -> ExamActivity:
    message = Activity(exam=exam_id, counts=state_counts(found))
    return ExamActivity(type="exam_activity", message=message)


def watch(work: Work, exam: Exam, counts: StateCounts, page: Page[Seat], url: str) -> Watch:
    return Watch(
        exam=exam.id,
        status=status_of(exam, work.now),
        server_time=work.now,
        counts=counts,
        results=_seats(work, exam.id, page.items),
        pagination=page.pagination(url),
    )


def state_counts(found: dict[State, int]) -> StateCounts:
    return StateCounts(
        eligible=sum(found.values()),
        not_started=found.get("not_started", 0),
        sitting=found.get("sitting", 0),
        silent=found.get("silent", 0),
        submitted=found.get("submitted", 0),
        handed_in=found.get("handed_in", 0),
    )


def _seats(work: Work, exam_id: int, seats: Sequence[Seat]) -> list[WatchedSeat]:
    contributed = ATTEMPT.load(work, [(exam_id, seat.candidate.id) for seat in seats])
    return [
        spread(
            WatchedSeat(
                candidate=WatchedCandidate(
                    user_id=seat.candidate.id,
                    full_name=seat.candidate.full_name,
                    school=seat.school,
                ),
                state=seat.state,
                started_at=seat.started_at,
                deadline=seat.deadline,
                extra_minutes=whole_minutes(seat.extra),
                last_seen_at=seat.last_seen_at,
                contributed=fields,
                submitted_at=seat.submitted_at,
                handed_in_by=seat.handed_in_by,
            )
        )
        for seat, fields in zip(seats, contributed, strict=True)
    ]
