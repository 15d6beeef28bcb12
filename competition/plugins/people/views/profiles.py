"""The profile of one candidate, or of one member of staff."""

from uuid import UUID

from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.seasons import current as seasons
from competition.core.users import accounts
from competition.core.users import profiles as shapes
from competition.core.users.documents import document_links
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.people import schemas
from competition.plugins.people.presenters import profiles as presenters
from competition.plugins.people.services import profiles

my_candidate = Service("/candidates/me/")
one_candidate = Service("/candidates/{candidate_id:uuid}/")
my_staff = Service("/staff/me/")
one_of_staff = Service("/staff/{staff_id:uuid}/")


@my_candidate.get(access=candidate(verified=False))
def own_candidate_profile(request: Request) -> presenters.OwnCandidateProfile:
    """Get your own profile as a candidate."""
    caller = profiles.own(request.work)
    links = document_links(request.work, caller)
    return presenters.own_candidate_profile(request.work, caller, links)


# This GET has a transaction, because links to identity documents are recorded in the audit trail.
@one_candidate.get(
    access=staff(StaffRole.ADMIN),
    guard=accounts.candidate,
    query=schemas.CandidateQuery,
    transaction=True,
)
def get_candidate(request: Request, candidate_id: UUID) -> presenters.CandidateDetail:
    """Get a candidate's profile, with past and upcoming exams."""
    seasons.ask(request.work, request.validated["season"])
    wanted = request.validated["documents"]
    links = document_links(request.work, request.target, wanted=wanted)
    return presenters.candidate_detail(request.work, request.target, links)


@my_staff.get(access=staff(verified=False))
def own_staff_profile(request: Request) -> presenters.OwnStaffProfile:
    """Get your own profile as a member of staff."""
    caller = profiles.own(request.work)
    links = document_links(request.work, caller)
    return presenters.own_staff_profile(
        request.work, caller, links, tour_available=profiles.has_tour(caller)
    )


# This GET has a transaction, because links to identity documents are recorded in the audit trail.
@one_of_staff.get(access=staff(StaffRole.MANAGER), query=schemas.DocumentQuery, transaction=True)
def get_staff(request: Request, staff_id: UUID) -> shapes.StaffProfile:
    """Get the profile of a member of staff."""
    member = profiles.staff(request.work, staff_id)
    links = document_links(request.work, member, wanted=request.validated["documents"])
    return shapes.staff_profile(request.work, member, links)
