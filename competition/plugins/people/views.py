from uuid import UUID

from competition.core import profiles
from competition.core.errors import PermissionDenied, UnverifiedCandidate
from competition.core.request import Request
from competition.core.roles import StaffRole, candidate, staff
from competition.core.service import Service
from competition.plugins.people import presenters, schemas, services

my_candidate = Service("/candidates/me/")
my_staff = Service("/staff/me/")
candidate_role = Service("/candidates/{candidate_id:uuid}/roles/assign/")
staff_role = Service("/staff/{staff_id:uuid}/roles/assign/")


@my_candidate.get(access=candidate(verified=False))
def own_candidate_profile(request: Request) -> profiles.CandidateProfile:
    """Your own profile, as a candidate."""
    return profiles.candidate_profile(request.work, services.own_candidate(request.work))


@my_staff.get(access=staff(verified=False))
def own_staff_profile(request: Request) -> presenters.OwnStaffProfile:
    """Your own profile, as a member of staff."""
    member = services.own_staff(request.work)
    return presenters.own_staff_profile(
        request.work, member, tour_available=services.has_tour(member)
    )


@candidate_role.put(
    access=staff(StaffRole.ADMIN),
    body=schemas.NewCandidateRole,
    guard=services.movable_candidate,
    errors=(UnverifiedCandidate,),
)
def assign_candidate_role(request: Request, candidate_id: UUID) -> presenters.AssignedCandidateRole:
    """Move a verified candidate to a role."""
    role = request.validated["role"]
    return presenters.candidate_role(
        services.assign_candidate_role(request.work, candidate_id, role)
    )


@staff_role.put(
    access=staff(StaffRole.MANAGER),
    body=schemas.NewStaffRole,
    guard=services.movable_staff,
    errors=(PermissionDenied,),
)
def assign_staff_role(request: Request, staff_id: UUID) -> presenters.AssignedStaffRole:
    """Give a member of staff a role below your own."""
    role = request.validated["role"]
    return presenters.staff_role(services.assign_staff_role(request.work, staff_id, role))
