"""Lists of candidates, staff and users. A page takes one statement, whatever is on it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, literal, select

from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import PermissionDenied
from competition.core.users.headcounts import AccountCounts, Headcount, account_counts_if_ready
from competition.core.users.models import Candidate, Staff, User
from competition.core.web.pagination import Column, Page, Query, contains_every_word, paginate
from competition.core.work import Work

ORDERING = {
    "date_joined": User.date_joined,
    "created_at": User.date_joined,
    "updated_at": User.updated_at,
    "email": User.email,
    "first_name": User.first_name,
    "last_name": User.last_name,
    "role": User.role,
}

CANDIDATE_ORDERING = {**ORDERING, "school": Candidate.school}
STAFF_ORDERING = {**ORDERING, "occupation": Staff.occupation}


def page_of_candidates(work: Work, query: Query) -> Page[Candidate]:
    """A page of candidates, searched by name, email or school."""
    statement = select(Candidate)
    if query["role"]:
        statement = statement.where(Candidate.role == query["role"])
    if query["school"]:
        statement = statement.where(
            Candidate.school.icontains(query["school"], autoescape=True),
            # A school stands in the text of its candidates too, and that has the index.
            User.search_text.icontains(query["school"], autoescape=True),
        )
    if query["status"]:
        statement = statement.where(Candidate.status == query["status"])
    if query["verified"] is not None:
        approved = literal("approved", literal_execute=True)
        is_verified = User.verification == approved
        # The index of the others has the word in it.
        statement = statement.where(is_verified if query["verified"] else ~is_verified)
    return _page(work, statement, query, Candidate, CANDIDATE_ORDERING)


def page_of_staff(work: Work, query: Query) -> Page[Staff]:
    """A page of staff, searched by name or email."""
    statement = select(Staff)
    if query["role"]:
        statement = statement.where(Staff.role == query["role"])
    if query["occupation"]:
        statement = statement.where(
            Staff.occupation.icontains(query["occupation"], autoescape=True)
        )
    return _page(work, statement, query, Staff, STAFF_ORDERING)


def headcounts(work: Work) -> AccountCounts | Headcount | None:
    """Counts of all accounts, or for callers below manager of candidates alone (decisions F20). At
    most a minute old; None while they are being counted: a list does not wait for that."""
    counts = account_counts_if_ready(work)
    return counts if counts is None or _sees_staff(work) else counts.candidates


def _sees_staff(work: Work) -> bool:
    return has_rank(work.identity, StaffRole.MANAGER)


def page_of_users(work: Work, query: Query) -> Page[User]:
    """A page of candidates, staff or both; callers below manager list candidates only (decisions
    F14).

    Raises PermissionDenied.
    """
    if query["profile"] != "candidate" and not _sees_staff(work):
        raise PermissionDenied("Only managers list staff: use profile=candidate.")
    statement = select(User)
    if query["profile"]:
        statement = statement.where(User.kind == query["profile"])
    if query["is_active"] is not None:
        statement = statement.where(User.is_active == query["is_active"])
    return _page(work, statement, query, User, ORDERING)


def _page(
    work: Work,
    statement: Select[Any],
    query: Query,
    kind: type[User],
    ordering: Mapping[str, Column],
) -> Page[Any]:
    return paginate(
        work,
        statement.where(*contains_every_word(query["search"], User.search_text)),
        query,
        # Of its own kind: by the id of any user, the count would be of all users.
        key=kind.id,
        created=User.date_joined,
        ordering=ordering,
    )
