"""Replies about assigned roles."""

from typing import TypedDict

from competition.core.auth.access import CandidateRole, StaffRole
from competition.core.users.models import Candidate, Staff


class AssignedCandidateRole(TypedDict):
    role: CandidateRole


class AssignedStaffRole(TypedDict):
    role: StaffRole


def candidate_role(candidate: Candidate) -> AssignedCandidateRole:
    return AssignedCandidateRole(role=CandidateRole(candidate.role))


def staff_role(staff: Staff) -> AssignedStaffRole:
    return AssignedStaffRole(role=StaffRole(staff.role))
