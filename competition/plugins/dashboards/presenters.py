from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict
from uuid import UUID

from competition.core.slots import Contributed, Slot, spread
from competition.core.users.headcounts import AccountCounts, CandidateCounts, Headcount
from competition.core.users.models import Candidate, Staff, User
from competition.core.users.profiles import CandidateRoleName, StaffRoleName

# What others show of a candidate's season, by the candidate's id.
CANDIDATE_DASHBOARD = Slot[UUID](
    "dashboards.candidate",
    (
        "exam_stats",
        "leaderboard_ranking",
        "recent_scores",
        "available_exams",
        "concluded_exams",
    ),
)
# Numbers of the whole season, which are kept for a minute; there is one row of them, `SEASON`.
SEASON_NUMBERS = Slot[str]("dashboards.season", ("exams", "questions", "scores"))
SEASON = "season"
# What is current on the staff's dashboard, by the id of who looks.
STAFF_DASHBOARD = Slot[UUID]("dashboards.staff", ("upcoming_exams",))


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
    role: CandidateRoleName


class CandidateDashboard(TypedDict):
    """What a candidate sees first. `recent_scores` are the last five, the latest first."""

    candidate_info: CandidateInfo
    contributed: NotRequired[Annotated[Contributed, CANDIDATE_DASHBOARD]]


class StaffInfo(PersonInfo):
    role: StaffRoleName
    occupation: str


class Count(TypedDict):
    count: int


class CountsByRole(TypedDict):
    screening: Count
    league: Count
    final: Count
    winner: Count


class CandidateNumbers(TypedDict):
    """Totals over all candidates. `active` are accounts that are not deactivated,
    `recent_registrations` those of the last seven days; `verification_rate` is in percent."""

    total: int
    active: int
    verified: int
    recent_registrations: int
    by_role: CountsByRole
    verification_rate: float


class StaffDashboard(TypedDict):
    """What staff sees first. `upcoming_exams` are the next ten, the first one first."""

    staff_info: StaffInfo
    candidates: CandidateNumbers
    numbers: NotRequired[Annotated[Contributed, SEASON_NUMBERS]]
    contributed: NotRequired[Annotated[Contributed, STAFF_DASHBOARD]]


class AccountsByStatus(TypedDict):
    registered: int
    active: int
    inactive: int
    pending: int
    deactivated: int


class Overview(TypedDict):
    """How many accounts there are. `active_users` are all accounts but the deactivated ones."""

    candidates: AccountsByStatus
    staff: AccountsByStatus
    total_users: int
    active_users: int
    staff_count: int
    candidate_count: int
    generated_at: datetime


def candidate_dashboard(account: Candidate, season: Contributed) -> CandidateDashboard:
    return spread(
        CandidateDashboard(
            candidate_info=CandidateInfo(
                **_person(account),
                phone=account.phone,
                school=account.school,
                role=account.role,  # type: ignore[typeddict-item]  # the table's constraint says so
            ),
            contributed=season,
        )
    )


def _person(account: User) -> PersonInfo:
    return PersonInfo(
        name=account.full_name,
        email=account.email,
        is_user_verified=account.is_user_verified,
        is_email_verified=account.is_email_verified,
        is_active=account.is_active,
        date_joined=account.date_joined,
    )


def staff_dashboard(
    account: Staff, numbers: Mapping[str, Any], current: Contributed
) -> StaffDashboard:
    """`numbers` are those of the season, with `candidates`."""
    others = {name: value for name, value in numbers.items() if name != "candidates"}
    return spread(
        StaffDashboard(
            staff_info=StaffInfo(
                **_person(account),
                role=account.role,  # type: ignore[typeddict-item]  # the table's constraint says so
                occupation=account.occupation,
            ),
            candidates=numbers["candidates"],
            numbers=Contributed(others),
            contributed=current,
        )
    )


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
