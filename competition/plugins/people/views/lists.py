"""Lists of candidates, staff and users."""

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import PermissionDenied
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.people import schemas
from competition.plugins.people.presenters import lists as presenters
from competition.plugins.people.services import listing

MODERATOR = staff(StaffRole.MODERATOR)

candidates = Service("/candidates/")
all_staff = Service("/staff/")
users = Service("/user/list/")


@candidates.get(access=MODERATOR, query=schemas.CandidateFilters)
def list_candidates(request: Request) -> presenters.CandidateList:
    """List the candidates, the latest registration first."""
    page = listing.page_of_candidates(request.work, request.validated)
    return presenters.candidate_list(page, request.public_url)


@all_staff.get(access=MODERATOR, query=schemas.StaffFilters)
def list_staff(request: Request) -> presenters.StaffList:
    """List the staff, the latest account first."""
    page = listing.page_of_staff(request.work, request.validated)
    return presenters.staff_list(page, request.public_url)


@users.get(access=MODERATOR, query=schemas.UserFilters, errors=(PermissionDenied,))
def list_users(request: Request) -> presenters.UserList:
    """List the accounts of candidates and staff, the latest first.

    Callers below manager have to set `profile=candidate`.
    """
    query = request.validated
    page = listing.page_of_users(request.work, query)
    counts = listing.headcounts(request.work)
    return presenters.user_list(page, query["profile"], counts, request.public_url)
