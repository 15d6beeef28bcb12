from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict
from uuid import UUID

from competition.core.audit import AuditEntry
from competition.core.auth.identity import Kind
from competition.core.lists import Page, Pagination
from competition.core.slots import Contributed, Slot, spread
from competition.core.users.headcounts import AccountCounts, Headcount
from competition.core.users.models import Candidate, ProfileStatus, Staff, User
from competition.core.users.profiles import (
    CandidateProfile,
    CandidateRoleName,
    DocumentLinks,
    StaffProfile,
    StaffRoleName,
    candidate_profile,
    staff_profile,
)
from competition.core.work import Work

# What plugins above show of a candidate, by the user's id: to staff, and in the account. Who is
# shown has been loaded.
CANDIDATE_DETAIL = Slot[UUID]("people.candidate_detail")
CANDIDATE_ACCOUNT = Slot[UUID]("people.candidate_account")
COUNTING = "The accounts are being counted. Ask again in a moment."


class OwnStaffProfile(StaffProfile):
    """A member of staff's own profile. `tour_available`: the get-started tour can be taken."""

    tour_available: bool


class AssignedCandidateRole(TypedDict):
    role: CandidateRoleName


class AssignedStaffRole(TypedDict):
    role: StaffRoleName


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
    role: CandidateRoleName


class StaffSummary(ProfileSummary):
    occupation: str
    role: StaffRoleName


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
    """For callers below manager: counts of candidates only."""

    total_users: int
    active_users: int
    candidate_count: int


class UsersOverview(CandidatesOverview):
    staff_count: int


class NoOverview(TypedDict):
    """Instead of the overview while the counts are being computed."""

    message: str


class UserList(TypedDict):
    """A page of accounts. `stats_overview` counts all accounts, whatever the list is filtered
    by."""

    stats_overview: UsersOverview | CandidatesOverview | NoOverview
    results: list[UserItem] | list[CandidateItem] | list[StaffItem]
    pagination: Pagination


class CandidateDetail(CandidateProfile):
    contributed: NotRequired[Annotated[Contributed, CANDIDATE_DETAIL]]


class CandidateAccount(CandidateProfile):
    contributed: NotRequired[Annotated[Contributed, CANDIDATE_ACCOUNT]]


class Account(TypedDict):
    profile: CandidateAccount | StaffProfile


class ChangedAccount(Account):
    message: str


class InvitationReceipt(TypedDict):
    message: str


class AuditItem(TypedDict):
    """`old` and `new` are what the action changed, in a form of its own. `hash` is over this and
    all entries that were sealed before it; null for the seconds until this one is."""

    id: int
    actor_id: UUID | None
    target_id: UUID | None
    action: str
    subject: str
    old: Any
    new: Any
    address: str | None
    request_id: str
    created_at: datetime
    hash: str | None


class AuditList(TypedDict):
    results: list[AuditItem]
    pagination: Pagination


def own_staff_profile(
    work: Work, staff: Staff, links: DocumentLinks, *, tour_available: bool
) -> OwnStaffProfile:
    return OwnStaffProfile(**staff_profile(work, staff, links), tour_available=tour_available)


def candidate_role(candidate: Candidate) -> AssignedCandidateRole:
    return AssignedCandidateRole(role=_candidate_role(candidate))


def staff_role(staff: Staff) -> AssignedStaffRole:
    return AssignedStaffRole(role=_staff_role(staff))


def _candidate_role(candidate: Candidate) -> CandidateRoleName:
    return candidate.role  # type: ignore[return-value]  # the table's constraint says so


def _staff_role(staff: Staff) -> StaffRoleName:
    return staff.role  # type: ignore[return-value]  # the table's constraint says so


def candidate_list(page: Page[Candidate], url: str) -> CandidateList:
    return CandidateList(
        results=[_candidate_item(candidate) for candidate in page.items],
        pagination=page.pagination(url),
    )


def staff_list(page: Page[Staff], url: str) -> StaffList:
    return StaffList(
        results=[_staff_item(staff) for staff in page.items], pagination=page.pagination(url)
    )


def _candidate_item(candidate: Candidate) -> CandidateItem:
    return CandidateItem(**_candidate_summary(candidate), user=_listed_user(candidate))


def _staff_item(staff: Staff) -> StaffItem:
    return StaffItem(**_staff_summary(staff), user=_listed_user(staff))


def user_list(
    page: Page[User],
    kind: Kind | None,
    counts: AccountCounts | Headcount | None,
    url: str,
) -> UserList:
    """The items of a kind that was asked for are those of its own list."""
    return UserList(
        stats_overview=_overview(counts),
        results=_users(page.items, kind),
        pagination=page.pagination(url),
    )


def _users(
    users: Sequence[User], kind: Kind | None
) -> list[UserItem] | list[CandidateItem] | list[StaffItem]:
    if kind == "candidate":
        return [_candidate_item(user) for user in users if isinstance(user, Candidate)]
    if kind == "staff":
        return [_staff_item(user) for user in users if isinstance(user, Staff)]
    return [_user_item(user) for user in users]


def _overview(
    counts: AccountCounts | Headcount | None,
) -> CandidatesOverview | UsersOverview | NoOverview:
    """A single headcount is that of the candidates."""
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


def _user_item(user: User) -> UserItem:
    return UserItem(
        id=user.id,
        email=user.email,
        first_name=user.first_name,
        last_name=user.last_name,
        is_active=user.is_active,
        date_joined=user.date_joined,
        staff_profile=_staff_summary(user) if isinstance(user, Staff) else None,
        candidate_profile=_candidate_summary(user) if isinstance(user, Candidate) else None,
    )


def _candidate_summary(candidate: Candidate) -> CandidateSummary:
    return CandidateSummary(
        **_summary(candidate), school=candidate.school, role=_candidate_role(candidate)
    )


def _staff_summary(staff: Staff) -> StaffSummary:
    return StaffSummary(**_summary(staff), occupation=staff.occupation, role=_staff_role(staff))


def _summary(user: User) -> ProfileSummary:
    return ProfileSummary(
        status=user.status,
        is_active=user.is_active,
        is_user_verified=user.verification == "approved",
    )


def _listed_user(user: User) -> ListedUser:
    return ListedUser(
        id=user.id,
        email=user.email,
        is_email_verified=user.is_email_verified,
        first_name=user.first_name,
        last_name=user.last_name,
        phone=user.phone,
        date_joined=user.date_joined,
    )


def candidate_detail(work: Work, candidate: Candidate, links: DocumentLinks) -> CandidateDetail:
    [contributed] = CANDIDATE_DETAIL.load(work, [candidate.id])
    profile = candidate_profile(work, candidate, links)
    return spread(CandidateDetail(**profile, contributed=contributed))


def account(work: Work, user: User, links: DocumentLinks) -> Account:
    return Account(profile=_account(work, user, links))


def changed_account(
    work: Work, user: User, links: DocumentLinks, held_back: Sequence[str] = ()
) -> ChangedAccount:
    message = "The account has been updated."
    if held_back:
        message = f"This waits for a manager: {', '.join(held_back)}. Anything else is updated."
    return ChangedAccount(message=message, profile=_account(work, user, links))


def _account(work: Work, user: User, links: DocumentLinks) -> CandidateAccount | StaffProfile:
    if isinstance(user, Candidate):
        [contributed] = CANDIDATE_ACCOUNT.load(work, [user.id])
        profile = candidate_profile(work, user, links)
        return spread(CandidateAccount(**profile, contributed=contributed))
    assert isinstance(user, Staff)
    return staff_profile(work, user, links)


def audit_list(page: Page[AuditEntry], url: str) -> AuditList:
    return AuditList(
        results=[_audit_item(entry) for entry in page.items], pagination=page.pagination(url)
    )


def _audit_item(entry: AuditEntry) -> AuditItem:
    return AuditItem(
        id=entry.id,
        actor_id=entry.actor_id,
        target_id=entry.target_id,
        action=entry.action,
        subject=entry.subject,
        old=entry.old,
        new=entry.new,
        address=entry.address,
        request_id=entry.request_id,
        created_at=entry.created_at,
        hash=entry.hash,
    )
