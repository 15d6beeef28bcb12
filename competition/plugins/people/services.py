from uuid import UUID

from competition.core import audit
from competition.core.errors import NotFound, PermissionDenied, UnverifiedCandidate
from competition.core.models import Candidate, Staff, User
from competition.core.roles import StaffRole, outranks_or_equals, rank
from competition.core.work import Work


def own_candidate(work: Work) -> Candidate:
    return work.db.get_one(Candidate, work.identity.user_id)


def own_staff(work: Work) -> Staff:
    return work.db.get_one(Staff, work.identity.user_id)


def has_tour(staff: Staff) -> bool:
    """The get-started tour (decisions F21)."""
    return (
        staff.is_email_verified
        and staff.verification != "not_submitted"
        and outranks_or_equals(staff.role, StaffRole.MODERATOR)
    )


def movable_candidate(work: Work, candidate_id: UUID) -> Candidate:
    """Locked. Raises NotFound, UnverifiedCandidate."""
    candidate = work.db.get(Candidate, candidate_id, with_for_update={"key_share": True})
    if candidate is None:
        raise NotFound
    if not (candidate.is_email_verified and candidate.is_user_verified):
        raise UnverifiedCandidate
    return candidate


def assign_candidate_role(work: Work, candidate_id: UUID, role: str) -> Candidate:
    """Any role; the same one changes nothing (decisions F12).

    Raises NotFound, UnverifiedCandidate.
    """
    candidate = movable_candidate(work, candidate_id)
    _assign(work, candidate, "candidate.role", role)
    return candidate


def movable_staff(work: Work, staff_id: UUID) -> Staff:
    """Locked. Nobody moves themselves, nor who is not below them in rank (decisions F13).

    Raises NotFound, PermissionDenied.
    """
    staff = work.db.get(Staff, staff_id, with_for_update={"key_share": True})
    if staff is None:
        raise NotFound
    if staff_id == work.identity.user_id:
        raise PermissionDenied("Nobody changes their own role.")
    if not _is_below(work, staff.role):
        raise PermissionDenied(f"You may not change the role of a {staff.role}.")
    return staff


def assign_staff_role(work: Work, staff_id: UUID, role: str) -> Staff:
    """A role below the actor's own; the same one changes nothing.

    Raises NotFound, PermissionDenied.
    """
    staff = movable_staff(work, staff_id)
    if not _is_below(work, role):
        raise PermissionDenied(f"You may not make anybody a {role}.")
    _assign(work, staff, "staff.role", role)
    return staff


def _is_below(work: Work, role: str) -> bool:
    return rank(role) < rank(work.identity.role)


def _assign(work: Work, user: User, action: str, role: str) -> None:
    if user.role == role:
        return
    audit.record(work, action, target=user.id, old=user.role, new=role)
    user.role = role
    user.updated_at = work.now
