"""Assign roles to candidates and staff, and check who may do so (decisions F12, F13)."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, and_, any_, select, update

from competition.core import audit
from competition.core.audit import security_log
from competition.core.auth.access import rank
from competition.core.database import uuids
from competition.core.errors import PermissionDenied, UnverifiedCandidate
from competition.core.messages import Message
from competition.core.users import accounts
from competition.core.users.models import Candidate, Staff, User
from competition.core.work import Work
from competition.plugins.people.events import RoleAssigned, RolesAssigned

# How many accounts one statement changes.
CHUNK = 10_000


def movable_candidate(work: Work, candidate_id: UUID) -> Candidate:
    """The candidate who is to get another role, locked.

    Raises NotFound if there is no such candidate, and UnverifiedCandidate if the candidate's
    identity is not verified.
    """
    candidate = accounts.locked(work, Candidate, candidate_id)
    if not candidate.is_verified:
        raise UnverifiedCandidate
    return candidate


def assign_candidate_role(work: Work, candidate: Candidate, role: str) -> None:
    """Give any role to a candidate whom `movable_candidate` has locked (decisions F12)."""
    _assign(work, candidate, "candidate.role", role)


def movable(old: str) -> ColumnElement[bool]:
    """SQL condition: whether `move_candidates` moves a candidate, who must have the role `old` and
    be verified."""
    return and_(Candidate.role == old, Candidate.is_verified)


def move_candidates(
    work: Work, candidate_ids: Collection[UUID], old: str, new: str
) -> Sequence[UUID]:
    """Give the role `new` to the given candidates who are `movable` from `old`; return their ids.

    Each move is recorded in the audit trail (decisions F12).
    """
    moved = work.db.scalars(
        select(Candidate.id)
        .where(Candidate.id == any_(uuids(candidate_ids)), movable(old))
        .order_by(Candidate.id)
        .with_for_update(key_share=True)
    ).all()
    if not moved:
        return moved
    # Updated in chunks, because accounts have many indexes, and a larger statement would exceed its
    # time limit.
    for at in range(0, len(moved), CHUNK):
        work.db.execute(
            update(Candidate)
            .where(Candidate.id == any_(uuids(moved[at : at + CHUNK])))
            .values(role=new, updated_at=work.now),
            execution_options={"synchronize_session": False},
        )
    audit.record_each(work, "candidate.role", moved, old=old, new=new)
    for each in moved:
        security_log.record_committed(work, "role_changed", user_id=each, old=old, new=new)
    work.emit(RolesAssigned(work, moved, old, new))
    return moved


def movable_staff(work: Work, staff_id: UUID) -> Staff:
    """The member of staff who is to get another role, locked.

    Raises NotFound if there is none, and Invalid if the account was erased. Raises PermissionDenied
    for the caller, and for staff who are not below the caller in rank (decisions F13).
    """
    staff = accounts.locked(work, Staff, staff_id)
    if staff_id == work.identity.user_id:
        raise PermissionDenied(
            Message("You can't change your own role. Ask a member of staff with a higher role.")
        )
    if not _is_below(work, staff.role):
        raise PermissionDenied(
            Message(
                "You can't change the role of staff with the role ${role}, which is not below "
                "your own.",
                role=staff.role,
            )
        )
    accounts.check_not_erased(staff)
    return staff


def assign_staff_role(work: Work, staff: Staff, role: str) -> None:
    """Give another role to a member of staff whom `movable_staff` has locked.

    If the new role has a lower rank, this also revokes permissions that were granted in addition to
    the old rank. Raises PermissionDenied if the role is not below the actor's own.
    """
    check_may_give(work, role)
    if rank(role) < rank(staff.role):
        accounts.revoke_permissions(work, staff)
    _assign(work, staff, "staff.role", role)


def check_may_give(work: Work, role: str) -> None:
    """Raise PermissionDenied if the role is not below the actor's own."""
    if not _is_below(work, role):
        raise PermissionDenied(
            Message("You can't assign the role ${role}. It is not below your own.", role=role)
        )


def _is_below(work: Work, role: str) -> bool:
    return rank(role) < rank(work.identity.role)


def _assign(work: Work, user: User, action: str, role: str) -> None:
    if user.role == role:
        return
    old, user.role = user.role, role
    user.updated_at = work.now
    audit.record(work, action, target=user.id, old=old, new=role)
    security_log.record_committed(work, "role_changed", user_id=user.id, old=old, new=role)
    work.db.flush()
    work.emit(RoleAssigned(work, user.id, old, role))
