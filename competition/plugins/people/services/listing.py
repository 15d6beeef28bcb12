"""Lists of candidates, staff and users."""

from sqlalchemy import Select, literal_column, select

from competition.core.auth.access import StaffRole, has_rank
from competition.core.errors import PermissionDenied
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.users.headcounts import (
    AccountCounts,
    Headcount,
    account_counts_if_ready,
)
from competition.core.users.models import Candidate, Staff, User
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

# A literal instead of a parameter, because PostgreSQL uses the index of unverified accounts only if
# the statement contains the value.
IS_VERIFIED = User.verification == literal_column("'approved'")


def page_of_candidates(work: Work, query: Query) -> Page[Candidate]:
    """A page of candidates, searched by name, email or school."""
    found = select(Candidate).where(*contains_every_word(query["search"], Candidate.search_text))
    if query["role"]:
        found = found.where(Candidate.role == query["role"])
    if query["status"]:
        found = found.where(Candidate.status == query["status"])
    if query["verified"] is not None:
        found = found.where(IS_VERIFIED if query["verified"] else ~IS_VERIFIED)
    if query["school"]:
        # `search_text` contains the school, and is indexed.
        for column in (Candidate.search_text, Candidate.school):
            found = found.where(column.icontains(query["school"], autoescape=True))
    return paginate(
        work,
        found,
        query,
        key=Candidate.id,
        created=Candidate.date_joined,
        ordering=CANDIDATE_ORDERING,
    )


def page_of_staff(work: Work, query: Query) -> Page[Staff]:
    """A page of staff, searched by name or email."""
    found = select(Staff).where(*contains_every_word(query["search"], Staff.search_text))
    if query["role"]:
        found = found.where(Staff.role == query["role"])
    if query["occupation"]:
        found = found.where(Staff.occupation.icontains(query["occupation"], autoescape=True))
    return paginate(
        work, found, query, key=Staff.id, created=Staff.date_joined, ordering=STAFF_ORDERING
    )


def headcounts(work: Work) -> AccountCounts | Headcount | None:
    """Counts of all accounts. Callers below manager get the counts of candidates only (decisions
    F20).

    The counts are at most a minute old. The result is None while another request is counting, so
    that a list does not wait for the counts.
    """
    counts = account_counts_if_ready(work)
    return counts if counts is None or _sees_staff(work) else counts.candidates


def _sees_staff(work: Work) -> bool:
    return has_rank(work.identity, StaffRole.MANAGER)


def page_of_users(work: Work, query: Query) -> Page[User]:
    """A page of candidates, staff or both (decisions F14).

    Raises PermissionDenied if a caller below manager does not restrict it to candidates.
    """
    if query["profile"] != "candidate" and not _sees_staff(work):
        raise PermissionDenied(Message("Only managers can list staff. Set profile=candidate."))
    found: Select[User] = select(User).where(
        *contains_every_word(query["search"], User.search_text)
    )
    if query["profile"]:
        found = found.where(User.kind == query["profile"])
    if query["is_active"] is not None:
        found = found.where(User.is_active == query["is_active"])
    return paginate(work, found, query, key=User.id, created=User.date_joined, ordering=ORDERING)
