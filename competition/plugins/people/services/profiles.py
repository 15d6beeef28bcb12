"""The profile of one person."""

from typing import Any
from uuid import UUID

from sqlalchemy import Row

from competition.core.auth.access import StaffRole, outranks_or_equals
from competition.core.errors import existing
from competition.core.users.models import Staff
from competition.core.work import Work


def own(work: Work) -> Row[Any]:
    """The row of the caller's account. Only for endpoints that require a login."""
    assert isinstance(work.user, Row)
    return work.user


def has_tour(staff: Row[Any]) -> bool:
    """Whether the get-started tour is open to a member of staff: from the role moderator on, with a
    verified email address, once identity documents have been submitted (decisions F21)."""
    return (
        staff.is_email_verified
        and staff.verification != "not_submitted"
        and outranks_or_equals(staff.role, StaffRole.MODERATOR)
    )


def staff(work: Work, staff_id: UUID) -> Staff:
    """The member of staff with this id. Raises NotFound if there is none."""
    return existing(work.db.get(Staff, staff_id))
