"""Endpoints of candidates, staff and users."""

from uuid import UUID

from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import PermissionDenied, UnverifiedCandidate
from competition.core.users import profiles as shapes
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts.errors import PasswordsDoNotMatch, PasswordValidationFailed
from competition.plugins.people import presenters, schemas
from competition.plugins.people.services import invitations, listing, profiles, roles

MODERATOR = staff(StaffRole.MODERATOR)
ADMIN = staff(StaffRole.ADMIN)
MANAGER = staff(StaffRole.MANAGER)

my_candidate = Service("/candidates/me/")
candidates = Service("/candidates/")
one_candidate = Service("/candidates/{candidate_id:uuid}/")
candidate_role = Service("/candidates/{candidate_id:uuid}/roles/assign/")
my_staff = Service("/staff/me/")
all_staff = Service("/staff/")
invitation = Service("/staff/invite/")
one_of_staff = Service("/staff/{staff_id:uuid}/")
users = Service("/user/list/")
staff_role = Service("/staff/{staff_id:uuid}/roles/assign/")


@my_candidate.get(access=candidate(verified=False))
def own_candidate_profile(request: Request) -> shapes.CandidateProfile:
    """Your own profile, as a candidate."""
    caller = profiles.own_candidate(request.work)
    links = shapes.document_links(request.work, caller)
    return shapes.candidate_profile(request.work, caller, links)


@candidates.get(access=MODERATOR, query=schemas.CandidateFilters)
def list_candidates(request: Request) -> presenters.CandidateList:
    """List the candidates, the latest one first; the search is for name, email or school."""
    page = listing.page_of_candidates(request.work, request.validated)
    return presenters.candidate_list(page, request.public_url)


# To give out links to identity documents is written into the audit trail.
@one_candidate.get(access=ADMIN, guard=profiles.candidate, transaction=True)
def get_candidate(request: Request, candidate_id: UUID) -> presenters.CandidateDetail:
    """A candidate, with the exams behind and before them."""
    links = shapes.document_links(request.work, request.target)
    return presenters.candidate_detail(request.work, request.target, links)


@candidate_role.put(
    access=ADMIN,
    body=schemas.NewCandidateRole,
    guard=roles.movable_candidate,
    errors=(UnverifiedCandidate,),
)
def assign_candidate_role(request: Request, candidate_id: UUID) -> presenters.AssignedCandidateRole:
    """Move a verified candidate to a role."""
    role = request.validated["role"]
    return presenters.candidate_role(
        roles.assign_candidate_role(request.work, request.target, role)
    )


@my_staff.get(access=staff(verified=False))
def own_staff_profile(request: Request) -> presenters.OwnStaffProfile:
    """Your own profile, as a member of staff."""
    caller = profiles.own_staff(request.work)
    links = shapes.document_links(request.work, caller)
    return presenters.own_staff_profile(
        request.work, caller, links, tour_available=profiles.has_tour(caller)
    )


@all_staff.get(access=MODERATOR, query=schemas.StaffFilters)
def list_staff(request: Request) -> presenters.StaffList:
    """List the staff, the latest one first; the search is for name or email."""
    page = listing.page_of_staff(request.work, request.validated)
    return presenters.staff_list(page, request.public_url)


@invitation.post(
    access=MANAGER,
    status=201,
    body=schemas.Invitation,
    errors=(PermissionDenied, PasswordsDoNotMatch, PasswordValidationFailed),
    lane="passwords",
)
def invite_staff(request: Request) -> presenters.InvitationReceipt:
    """Make an account for a new member of staff, with a role below your own.

    Without passwords one is generated and mailed; its first use proves the email address.
    """
    invitations.invite(request.work, request.validated)
    return presenters.InvitationReceipt(message="The invitation is on its way.")


# To give out links to identity documents is written into the audit trail.
@one_of_staff.get(access=MANAGER, transaction=True)
def get_staff(request: Request, staff_id: UUID) -> shapes.StaffProfile:
    """A member of staff."""
    member = profiles.staff(request.work, staff_id)
    links = shapes.document_links(request.work, member)
    return shapes.staff_profile(request.work, member, links)


@staff_role.put(
    access=MANAGER,
    body=schemas.NewStaffRole,
    guard=roles.movable_staff,
    errors=(PermissionDenied,),
)
def assign_staff_role(request: Request, staff_id: UUID) -> presenters.AssignedStaffRole:
    """Give a member of staff a role below your own."""
    role = request.validated["role"]
    return presenters.staff_role(roles.assign_staff_role(request.work, request.target, role))


@users.get(access=MODERATOR, query=schemas.UserFilters, errors=(PermissionDenied,))
def list_users(request: Request) -> presenters.UserList:
    """List accounts, the latest one first; the search is for name, email or school.

    Below a manager only profile=candidate is allowed.
    """
    query = request.validated
    page = listing.page_of_users(request.work, query)
    counts = listing.headcounts(request.work)
    return presenters.user_list(page, query["profile"], counts, request.public_url)
