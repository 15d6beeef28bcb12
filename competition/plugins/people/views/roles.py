"""Endpoints for assigning roles."""

from uuid import UUID

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import Invalid, PermissionDenied, UnverifiedCandidate
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.people import schemas
from competition.plugins.people.presenters import roles as presenters
from competition.plugins.people.services import roles

candidate_role = Service("/candidates/{candidate_id:uuid}/roles/assign/")
staff_role = Service("/staff/{staff_id:uuid}/roles/assign/")


@candidate_role.put(
    access=staff(StaffRole.ADMIN),
    body=schemas.NewCandidateRole,
    guard=roles.movable_candidate,
    errors=(UnverifiedCandidate,),
)
def assign_candidate_role(request: Request, candidate_id: UUID) -> presenters.AssignedCandidateRole:
    """Move a verified candidate to another stage, which is the candidate's role."""
    role = request.validated["role"]
    roles.assign_candidate_role(request.work, request.target, role)
    return presenters.AssignedCandidateRole(role=role)


@staff_role.put(
    access=staff(StaffRole.MANAGER),
    body=schemas.NewStaffRole,
    guard=roles.movable_staff,
    errors=(Invalid, PermissionDenied),
)
def assign_staff_role(request: Request, staff_id: UUID) -> presenters.AssignedStaffRole:
    """Change the role of a member of staff. The old and the new role have to be below yours."""
    role = request.validated["role"]
    roles.assign_staff_role(request.work, request.target, role)
    return presenters.AssignedStaffRole(role=role)
