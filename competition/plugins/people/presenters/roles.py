"""Replies about assigned roles."""

from typing import TypedDict

from competition.core.auth.access import CandidateRole, StaffRole


class AssignedCandidateRole(TypedDict):
    role: CandidateRole


class AssignedStaffRole(TypedDict):
    role: StaffRole
