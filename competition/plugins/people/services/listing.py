"""Lists of candidates, staff and users."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, Select, literal_column, select

from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import PermissionDenied
from competition.core.lists import Column, Page, Query, contains, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.seasons.models import CURRENT_ID
from competition.core.users.headcounts import ACCOUNTS, AccountCounts, Headcount
from competition.core.users.models import JOINED_SEASON, SLIP_DOMAIN, USERS
from competition.core.work import Work

ORDERING = {
    "date_joined": USERS.c.date_joined,
    "created_at": USERS.c.date_joined,
    "updated_at": USERS.c.updated_at,
    "email": USERS.c.email,
    "first_name": USERS.c.first_name,
    "last_name": USERS.c.last_name,
    "role": USERS.c.role,
}
CANDIDATE_ORDERING = {**ORDERING, "school": USERS.c.school}
STAFF_ORDERING = {**ORDERING, "occupation": USERS.c.occupation}

# A literal instead of a parameter, because PostgreSQL uses the index of unverified accounts only if
# the statement contains the value.
IS_VERIFIED = USERS.c.verification == literal_column("'approved'")
HAS_EMAIL = USERS.c.email.not_like(f"%@{SLIP_DOMAIN}")
# The columns that lists show.
LISTED = (
    *(USERS.c[name] for name in ("id", "kind", "email", "is_email_verified", "first_name")),
    *(USERS.c[name] for name in ("last_name", "phone", "role", "is_active", "status", "school")),
    *(USERS.c.occupation, USERS.c.date_joined, IS_VERIFIED.label("is_user_verified")),
    *(USERS.c[name] for name in ("year", "group", "external_id")),
    HAS_EMAIL.label("has_email"),
    JOINED_SEASON,
)


def page_of_candidates(work: Work, query: Query) -> Page[Row[Any]]:
    """A page of candidates, searched by name, email or school."""
    return _page(work, found_candidates(query, LISTED), query, CANDIDATE_ORDERING)


def found_candidates(query: Query, columns: Sequence[Any]) -> Select[*tuple[Any, ...]]:
    """SELECT of these columns, with one row per candidate who matches the filters of the query."""
    found = select(*columns).where(
        USERS.c.kind == "candidate", *contains_every_word(query["search"], USERS.c.search_text)
    )
    if query["role"]:
        found = found.where(USERS.c.role == query["role"])
    if query["status"]:
        found = found.where(USERS.c.status == query["status"])
    if query["verified"] is not None:
        found = found.where(IS_VERIFIED if query["verified"] else ~IS_VERIFIED)
    if query["joined"] is not None:
        has_joined = JOINED_SEASON.element >= CURRENT_ID
        found = found.where(has_joined if query["joined"] else ~has_joined)
    if query["has_email"] is True:
        found = found.where(HAS_EMAIL)
    elif query["has_email"] is False:
        # `search_text` contains the email address, and is indexed.
        found = found.where(~HAS_EMAIL, contains(f"@{SLIP_DOMAIN}", USERS.c.search_text))
    if query["school"]:
        # `search_text` contains the school, and is indexed.
        for column in (USERS.c.search_text, USERS.c.school):
            found = found.where(contains(query["school"], column))
    return found


def page_of_staff(work: Work, query: Query) -> Page[Row[Any]]:
    """A page of staff, searched by name or email."""
    return _page(work, found_staff(query, LISTED), query, STAFF_ORDERING)


def found_staff(query: Query, columns: Sequence[Any]) -> Select[*tuple[Any, ...]]:
    """SELECT of these columns, with one row per member of staff who matches the filters of the
    query."""
    found = select(*columns).where(
        USERS.c.kind == "staff", *contains_every_word(query["search"], USERS.c.search_text)
    )
    if query["role"]:
        found = found.where(USERS.c.role == query["role"])
    if query["occupation"]:
        found = found.where(contains(query["occupation"], USERS.c.occupation))
    return found


def headcounts(work: Work) -> AccountCounts | Headcount | None:
    """Counts of all accounts. Callers below manager get the counts of candidates only (decisions
    F20).

    The counts are at most a minute old. The result is None while another request is counting, so
    that a list does not wait for the counts.
    """
    counts = ACCOUNTS.read_if_ready(work)
    return counts if counts is None or _sees_staff(work) else counts.candidates


def _sees_staff(work: Work) -> bool:
    return has_rank(work.identity, StaffRole.MANAGER)


def page_of_users(work: Work, query: Query) -> Page[Row[Any]]:
    """A page of candidates, staff or both (decisions F14).

    Raises PermissionDenied if a caller below manager does not restrict it to candidates.
    """
    if query["profile"] != "candidate" and not _sees_staff(work):
        raise PermissionDenied(Message("Only managers can list staff. Set profile=candidate."))
    found = select(*LISTED).where(*contains_every_word(query["search"], USERS.c.search_text))
    if query["profile"]:
        found = found.where(USERS.c.kind == query["profile"])
    if query["is_active"] is not None:
        found = found.where(USERS.c.is_active == query["is_active"])
    return _page(work, found, query, ORDERING)


def _page(
    work: Work, found: Select[*tuple[Any, ...]], query: Query, ordering: Mapping[str, Column]
) -> Page[Row[Any]]:
    key, created = USERS.c.id, USERS.c.date_joined
    return paginate(work, found, query, key=key, created=created, ordering=ordering)
