"""Lists of candidates, staff and users."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from sqlalchemy import Row

from competition.core.auth.access import CandidateRole, StaffRole
from competition.core.auth.identity import Kind
from competition.core.lists import Page, Pagination
from competition.core.messages import Message
from competition.core.users.headcounts import AccountCounts, Headcount
from competition.core.users.models import ProfileStatus

COUNTING = Message("The accounts are being counted. Try again in a moment.")


class ListedUser(TypedDict):
    id: UUID
    email: str
    is_email_verified: bool
    first_name: str
    last_name: str
    phone: str
    date_joined: datetime


class ProfileSummary(TypedDict):
    status: ProfileStatus
    is_active: bool
    is_user_verified: bool


class CandidateSummary(ProfileSummary):
    school: str
    role: CandidateRole
    year: int | None
    group: str
    external_id: str | None
    has_email: bool
    season: int


class StaffSummary(ProfileSummary):
    occupation: str
    role: StaffRole


class CandidateItem(CandidateSummary):
    user: ListedUser


class StaffItem(StaffSummary):
    user: ListedUser


class CandidateList(TypedDict):
    results: list[CandidateItem]
    pagination: Pagination


class StaffList(TypedDict):
    results: list[StaffItem]
    pagination: Pagination


class UserItem(TypedDict):
    """An account in a list. One of the two profiles is null."""

    id: UUID
    email: str
    first_name: str
    last_name: str
    is_active: bool
    date_joined: datetime
    staff_profile: StaffSummary | None
    candidate_profile: CandidateSummary | None


class CandidatesOverview(TypedDict):
    """The overview for callers below manager: it counts candidates only."""

    total_users: int
    active_users: int
    candidate_count: int


class UsersOverview(CandidatesOverview):
    staff_count: int


class NoOverview(TypedDict):
    """The reply instead of the overview while the accounts are being counted."""

    message: str


class UserList(TypedDict):
    """A page of accounts. `stats_overview` counts all accounts, regardless of the filters."""

    stats_overview: UsersOverview | CandidatesOverview | NoOverview
    results: list[UserItem] | list[CandidateItem] | list[StaffItem]
    pagination: Pagination


def candidate_list(page: Page[Row[Any]], url: str) -> CandidateList:
    return CandidateList(
        results=[_candidate_item(candidate) for candidate in page.items],
        pagination=page.pagination(url),
    )


def staff_list(page: Page[Row[Any]], url: str) -> StaffList:
    return StaffList(
        results=[_staff_item(staff) for staff in page.items], pagination=page.pagination(url)
    )


def _candidate_item(candidate: Row[Any]) -> CandidateItem:
    return CandidateItem(**_candidate_summary(candidate), user=_listed_user(candidate))


def _staff_item(staff: Row[Any]) -> StaffItem:
    return StaffItem(**_staff_summary(staff), user=_listed_user(staff))


def user_list(
    page: Page[Row[Any]],
    kind: Kind | None,
    counts: AccountCounts | Headcount | None,
    url: str,
) -> UserList:
    """A page of accounts. If the list is of one kind only, the items have the shape of that kind's
    own list."""
    return UserList(
        stats_overview=_overview(counts),
        results=_users(page.items, kind),
        pagination=page.pagination(url),
    )


def _users(
    users: Sequence[Row[Any]], kind: Kind | None
) -> list[UserItem] | list[CandidateItem] | list[StaffItem]:
    if kind == "candidate":
        return [_candidate_item(user) for user in users]
    if kind == "staff":
        return [_staff_item(user) for user in users]
    return [_user_item(user) for user in users]


def _overview(
    counts: AccountCounts | Headcount | None,
) -> CandidatesOverview | UsersOverview | NoOverview:
    """The overview for the reply. Callers who may not see staff get a Headcount of the candidates.
    None means that the accounts are being counted."""
    if counts is None:
        return NoOverview(message=COUNTING)
    if isinstance(counts, Headcount):
        return CandidatesOverview(
            total_users=counts.registered,
            active_users=counts.not_deactivated,
            candidate_count=counts.registered,
        )
    return UsersOverview(
        total_users=counts.total_users,
        active_users=counts.active_users,
        candidate_count=counts.candidates.registered,
        staff_count=counts.staff.registered,
    )


def _user_item(user: Row[Any]) -> UserItem:
    return UserItem(
        id=user.id,
        email=user.email,
        first_name=user.first_name,
        last_name=user.last_name,
        is_active=user.is_active,
        date_joined=user.date_joined,
        staff_profile=_staff_summary(user) if user.kind == "staff" else None,
        candidate_profile=_candidate_summary(user) if user.kind == "candidate" else None,
    )


def _candidate_summary(candidate: Row[Any]) -> CandidateSummary:
    return CandidateSummary(
        **_summary(candidate),
        school=candidate.school,
        role=CandidateRole(candidate.role),
        year=candidate.year,
        group=candidate.group,
        external_id=candidate.external_id,
        has_email=candidate.has_email,
        season=candidate.season,
    )


def _staff_summary(staff: Row[Any]) -> StaffSummary:
    return StaffSummary(**_summary(staff), occupation=staff.occupation, role=StaffRole(staff.role))


def _summary(user: Row[Any]) -> ProfileSummary:
    return ProfileSummary(
        status=user.status,
        is_active=user.is_active,
        is_user_verified=user.is_user_verified,
    )


def _listed_user(user: Row[Any]) -> ListedUser:
    return ListedUser(
        id=user.id,
        email=user.email,
        is_email_verified=user.is_email_verified,
        first_name=user.first_name,
        last_name=user.last_name,
        phone=user.phone,
        date_joined=user.date_joined,
    )
