"""Lists of candidates, staff and users. A page takes one statement, whatever is on it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, literal_column, select

from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import PermissionDenied
from competition.core.users.headcounts import AccountCounts, Headcount, account_counts_if_ready
from competition.core.users.models import User
from competition.core.web.pagination import Column, Page, Query, contains_every_word, paginate_rows
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


def page_of_candidates(work: Work, query: Query) -> Page[Row[Any]]:
    """A page of candidates, searched by name, email or school."""
    statement = LISTED.where(USER.kind == "candidate")
    if query["role"]:
        statement = statement.where(USER.role == query["role"])
    if query["school"]:
        statement = statement.where(
            USER.school.icontains(query["school"], autoescape=True),
            # A school stands in the text of its candidates too, and that has the index.
            USER.search_text.icontains(query["school"], autoescape=True),
        )
    if query["status"]:
        statement = statement.where(USER.status == query["status"])
    if query["verified"] is not None:
        is_verified = USER.verification == APPROVED
        statement = statement.where(is_verified if query["verified"] else ~is_verified)
    return _page(work, statement, query, CANDIDATE_ORDERING)


def page_of_staff(work: Work, query: Query) -> Page[Row[Any]]:
    """A page of staff, searched by name or email."""
    statement = LISTED.where(USER.kind == "staff")
    if query["role"]:
        statement = statement.where(USER.role == query["role"])
    if query["occupation"]:
        statement = statement.where(USER.occupation.icontains(query["occupation"], autoescape=True))
    return _page(work, statement, query, STAFF_ORDERING)


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
    statement = LISTED
    if query["profile"]:
        statement = statement.where(USER.kind == query["profile"])
    if query["is_active"] is not None:
        statement = statement.where(USER.is_active == query["is_active"])
    return _page(work, statement, query, ORDERING)


def _page(
    work: Work, statement: Select[Any], query: Query, ordering: Mapping[str, Column]
) -> Page[Row[Any]]:
    return paginate_rows(
        work,
        statement.where(*contains_every_word(query["search"], USER.search_text)),
        query,
        key=USER.id,
        created=USER.date_joined,
        ordering=ordering,
        searches=any(query.get(name) for name in ("search", "school", "occupation")),
    )
