"""The profile of one person."""

from typing import Any
from uuid import UUID

from sqlalchemy import Row

from competition.core.auth.access import StaffRole, outranks_or_equals
from competition.core.errors import NotFound
from competition.core.users.models import Candidate, Staff
from competition.core.users.profiles import OWN
from competition.core.web.pagination import Query
from competition.core.work import Read, Work


def first_read(query: Query) -> Read:
    return OWN


def own(work: Work) -> Row[Any]:
    """The caller's account: what a profile shows, by the names of User."""
    [account] = work.read(OWN)
    return account


def has_tour(staff: Row[Any]) -> bool:
    """Whether the get-started tour is available (decisions F21)."""
    return (
        staff.is_email_verified
        and staff.verification != "not_submitted"
        and outranks_or_equals(staff.role, StaffRole.MODERATOR)
    )


def candidate(work: Work, candidate_id: UUID) -> Candidate:
    """Raises NotFound."""
    found = work.db.get(Candidate, candidate_id)
    if found is None:
        raise NotFound
    return found


def staff(work: Work, staff_id: UUID) -> Staff:
    """Raises NotFound."""
    found = work.db.get(Staff, staff_id)
    if found is None:
        raise NotFound
    return found
