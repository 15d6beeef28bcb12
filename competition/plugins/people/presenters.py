from typing import TypedDict

from competition.core.models import Candidate, Staff
from competition.core.profiles import (
    CandidateRoleName,
    StaffProfile,
    StaffRoleName,
    staff_profile,
)
from competition.core.work import Work


class OwnStaffProfile(StaffProfile):
    """`tour_available`: the get-started tour can be taken (decisions F21)."""

    tour_available: bool


class AssignedCandidateRole(TypedDict):
    role: CandidateRoleName


class AssignedStaffRole(TypedDict):
    role: StaffRoleName


def own_staff_profile(work: Work, staff: Staff, *, tour_available: bool) -> OwnStaffProfile:
    return OwnStaffProfile(**staff_profile(work, staff), tour_available=tour_available)


def candidate_role(candidate: Candidate) -> AssignedCandidateRole:
    role: CandidateRoleName = candidate.role  # type: ignore[assignment]  # the table's constraint
    return AssignedCandidateRole(role=role)


def staff_role(staff: Staff) -> AssignedStaffRole:
    role: StaffRoleName = staff.role  # type: ignore[assignment]  # the table's constraint
    return AssignedStaffRole(role=role)
