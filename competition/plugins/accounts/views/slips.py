from competition.core.auth.access import StaffRole, staff
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters, schemas
from competition.plugins.accounts.services import slips

candidate_slips = Service("/candidates/slips/")


@candidate_slips.post(access=staff(StaffRole.MANAGER), body=schemas.SlipOrder, hashes_password=True)
def issue_slips(request: Request) -> presenters.Slips:
    """Get the login slips of candidates without email, by school, group and name.

    A candidate without a code gets one, which you see only in this reply. With `renew`, candidates
    who have a code get a new one, and their sessions end. With `unused`, candidates who have signed
    in get none. A code that is not used expires after 90 days (by default).
    """
    order = request.validated
    found = slips.issue(
        request.work,
        order["candidates"],
        renew=order["renew"],
        unused=order.get("unused", False),
    )
    return presenters.slips_of_candidates(found)
