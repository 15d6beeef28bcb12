"""The profile of one person."""

from uuid import UUID

from competition.core.auth.access import StaffRole, outranks_or_equals
from competition.core.errors import NotFound
from competition.core.users.models import Candidate, Staff
from competition.core.work import Work


def own_candidate(work: Work) -> Candidate:
    return work.db.get_one(Candidate, work.identity.user_id)


def own_staff(work: Work) -> Staff:
    return work.db.get_one(Staff, work.identity.user_id)


def has_tour(staff: Staff) -> bool:
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
