"""Lists of candidates, staff and users. A page takes one statement, whatever is on it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    bindparam,
    func,
    literal_column,
    select,
    type_coerce,
)

from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import PermissionDenied
from competition.core.users.headcounts import (
    AccountCounts,
    Headcount,
    UserCount,
    account_counts_if_ready,
    how_many,
)
from competition.core.users.models import User
from competition.core.web.pagination import Column, ListOfRows, Page, Part, Query, contains
from competition.core.work import Work

# The index of the others has the word in it.
APPROVED: ColumnElement[str] = literal_column("'approved'")
# Of the table: what is listed is a row of these, with the names of User.
USER = User.__table__.c
LISTED = select(
    USER.id,
    USER.kind,
    USER.email,
    USER.is_email_verified,
    USER.first_name,
    USER.last_name,
    USER.phone,
    USER.role,
    USER.status,
    USER.is_active,
    USER.verification,
    USER.school,
    USER.occupation,
    USER.date_joined,
)

ORDERING = {
    "date_joined": USER.date_joined,
    "created_at": USER.date_joined,
    "updated_at": USER.updated_at,
    "email": USER.email,
    "first_name": USER.first_name,
    "last_name": USER.last_name,
    "role": USER.role,
}

CANDIDATE_ORDERING = {**ORDERING, "school": USER.school}
STAFF_ORDERING = {**ORDERING, "occupation": USER.occupation}


def _in_search_text(part: Any) -> ColumnElement[bool]:
    """As `contains`, of a text that is in lower case already, which each row need not be put into
    again."""
    # As the result of a query PostgreSQL does not look at it when it plans: it would, with each
    # request, guess how many have this one in them, for as much as finding them takes.
    return USER.search_text.like(select(func.lower(type_coerce(part, Part))).scalar_subquery())


def _is_verified(verified: bool) -> ColumnElement[bool]:
    is_verified = USER.verification == APPROVED
    return is_verified if verified else ~is_verified


def _listed(ordering: Mapping[str, Column], rows: Select[Any], **conditions: Any) -> ListOfRows:
    return ListOfRows(
        rows=rows,
        key=USER.id,
        created=USER.date_joined,
        ordering=ordering,
        word=_in_search_text,
        **conditions,
    )


CANDIDATES = _listed(
    CANDIDATE_ORDERING,
    LISTED.where(USER.kind == "candidate"),
    counts={(): how_many(UserCount.kind == "candidate")},
    filters={
        "role": USER.role.__eq__,
        "status": USER.status.__eq__,
        "verified": _is_verified,
    },
    # A school stands in the text of its candidates too, and that has the index.
    parts={"school": lambda part: contains(USER.school, part) & _in_search_text(part)},
)
STAFF = _listed(
    STAFF_ORDERING,
    LISTED.where(USER.kind == "staff"),
    counts={(): how_many(UserCount.kind == "staff")},
    filters={"role": USER.role.__eq__},
    parts={"occupation": lambda part: contains(USER.occupation, part)},
)
USERS = _listed(
    ORDERING,
    LISTED,
    filters={"profile": USER.kind.__eq__, "is_active": USER.is_active.__eq__},
    counts={(): how_many(), ("profile",): how_many(UserCount.kind == bindparam("profile"))},
)


def page_of_candidates(work: Work, query: Query) -> Page[Row[Any]]:
    """A page of candidates, searched by name, email or school."""
    return CANDIDATES.page(work, query)


def page_of_staff(work: Work, query: Query) -> Page[Row[Any]]:
    """A page of staff, searched by name or email."""
    return STAFF.page(work, query)


def headcounts(work: Work) -> AccountCounts | Headcount | None:
    """Counts of all accounts, or for callers below manager of candidates alone (decisions F20). At
    most a minute old; None while they are being counted: a list does not wait for that."""
    counts = account_counts_if_ready(work)
    return counts if counts is None or _sees_staff(work) else counts.candidates


def _sees_staff(work: Work) -> bool:
    return has_rank(work.identity, StaffRole.MANAGER)


def page_of_users(work: Work, query: Query) -> Page[Row[Any]]:
    """A page of candidates, staff or both; callers below manager list candidates only (decisions
    F14).

    Raises PermissionDenied.
    """
    if query["profile"] != "candidate" and not _sees_staff(work):
        raise PermissionDenied("Only managers list staff: use profile=candidate.")
    return USERS.page(work, query)
