from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from sqlalchemy import Row

from competition.core.auth.access import CandidateRole, StaffRole
from competition.core.slots import Contributed, spread
from competition.core.users.headcounts import AccountCounts, CandidateCounts, Headcount
from competition.plugins.dashboards.offered_slots import (
    CANDIDATE_DASHBOARD,
    DAY_NUMBERS,
    SEASON_NUMBERS,
    STAFF_DASHBOARD,
    Count,
)


class PersonInfo(TypedDict):
    name: str
    email: str
    is_user_verified: bool
    is_email_verified: bool
    is_active: bool
    date_joined: datetime


class CandidateInfo(PersonInfo):
    phone: str
    school: str
    role: CandidateRole


class CandidateDashboard(TypedDict):
    """The start page of a candidate. `recent_scores` has the five latest scores, the latest
    first."""

    candidate_info: CandidateInfo
    contributed: NotRequired[Annotated[Contributed, CANDIDATE_DASHBOARD]]


class StaffInfo(PersonInfo):
    role: StaffRole
    occupation: str


class CountsByRole(TypedDict):
    screening: Count
    league: Count
    final: Count
    winner: Count


class CandidateNumbers(TypedDict):
    """Totals over all candidates."""

    total: int
    active: int
    verified: int
    recent_registrations: int
    by_role: CountsByRole
    verification_rate: float


class WaitingTodo(TypedDict):
    """Things that wait for staff, for example identity documents to review. `link` is the address
    of a page of the console, relative to the console's own address. If only one thing waits, this
    is usually the page of that thing; otherwise it is usually a list."""

    kind: str
    count: int
    oldest: datetime | None
    link: str


class TodoMessage(TypedDict):
    todo: list[WaitingTodo]


class TodoActivity(TypedDict):
    """The current to-dos of the caller's rank. The service sends them to staff who follow them,
    when they have changed."""

    type: Literal["todo_activity"]
    message: TodoMessage


class DayNumbers(TypedDict):
    """The numbers of one day in the league's time zone, such as how many candidates registered."""

    day: date
    registrations: int
    contributed: NotRequired[Annotated[Contributed, DAY_NUMBERS]]


class StaffDashboard(TypedDict):
    """The start page of a member of staff. `upcoming_exams` has the next ten exams, and
    `current_exams` all that are open or will open within a day; the earliest come first. `todo`
    has the kinds of things that wait for staff of the caller's rank, and `by_day` the last 30 days,
    the earliest first."""

    staff_info: StaffInfo
    todo: list[WaitingTodo]
    candidates: CandidateNumbers
    numbers: NotRequired[Annotated[Contributed, SEASON_NUMBERS]]
    contributed: NotRequired[Annotated[Contributed, STAFF_DASHBOARD]]
    by_day: list[DayNumbers]


class AccountsByStatus(TypedDict):
    registered: int
    active: int
    inactive: int
    pending: int
    deactivated: int


class Overview(TypedDict):
    """The number of accounts, by kind and status."""

    candidates: AccountsByStatus
    staff: AccountsByStatus
    total_users: int
    active_users: int
    staff_count: int
    candidate_count: int
    generated_at: datetime


def candidate_dashboard(account: Row[Any], season: Contributed) -> CandidateDashboard:
    return spread(
        CandidateDashboard(
            candidate_info=CandidateInfo(
                **_person(account),
                phone=account.phone,
                school=account.school,
                role=CandidateRole(account.role),
            ),
            contributed=season,
        )
    )


def _person(account: Row[Any]) -> PersonInfo:
    return PersonInfo(
        name=account.full_name,
        email=account.email,
        is_user_verified=account.is_user_verified,
        is_email_verified=account.is_email_verified,
        is_active=account.is_active,
        date_joined=account.date_joined,
    )


def staff_dashboard(
    account: Row[Any],
    numbers: Mapping[str, Any],
    todo: list[WaitingTodo],
    by_day: list[DayNumbers],
    current: Contributed,
) -> StaffDashboard:
    """The start page of a member of staff. `numbers` are the totals of the season by name, with
    `candidates` among them."""
    others = {name: value for name, value in numbers.items() if name != "candidates"}
    return spread(
        StaffDashboard(
            staff_info=StaffInfo(
                **_person(account),
                role=StaffRole(account.role),
                occupation=account.occupation,
            ),
            todo=todo,
            candidates=numbers["candidates"],
            numbers=Contributed(others),
            contributed=current,
            by_day=by_day,
        )
    )


def day_numbers(day: date, registrations: int, others: Contributed) -> DayNumbers:
    return spread(DayNumbers(day=day, registrations=registrations, contributed=others))


def todo_activity(todo: list[WaitingTodo]) -> TodoActivity:
    return TodoActivity(type="todo_activity", message=TodoMessage(todo=todo))


def candidate_numbers(counts: CandidateCounts) -> CandidateNumbers:
    by_role = counts.by_role
    return CandidateNumbers(
        total=counts.total,
        active=counts.active,
        verified=counts.verified,
        recent_registrations=counts.recent,
        by_role=CountsByRole(
            screening=Count(count=by_role["screening"]),
            league=Count(count=by_role["league"]),
            final=Count(count=by_role["final"]),
            winner=Count(count=by_role["winner"]),
        ),
        verification_rate=counts.verification_rate,
    )


def overview(counts: AccountCounts) -> Overview:
    candidates, staff = counts.candidates, counts.staff
    return Overview(
        candidates=_by_status(candidates),
        staff=_by_status(staff),
        total_users=counts.total_users,
        active_users=counts.active_users,
        staff_count=staff.registered,
        candidate_count=candidates.registered,
        generated_at=counts.generated_at,
    )


def _by_status(counts: Headcount) -> AccountsByStatus:
    return AccountsByStatus(
        registered=counts.registered,
        active=counts.active,
        inactive=counts.inactive,
        pending=counts.pending,
        deactivated=counts.deactivated,
    )
