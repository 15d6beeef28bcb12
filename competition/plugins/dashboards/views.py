from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.seasons.schemas import SeasonQuery
from competition.core.users import headcounts
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.dashboards import presenters
from competition.plugins.dashboards.services import dashboards

MODERATOR = staff(StaffRole.MODERATOR)

candidate_dashboard = Service("/dashboard/candidate/")
staff_dashboard = Service("/dashboard/staff/")
overview = Service("/stats/overview/")


@candidate_dashboard.get(
    access=candidate(verified=False),
    query=SeasonQuery,
    polled=True,
)
def show_candidate_dashboard(request: Request) -> presenters.CandidateDashboard:
    """Get your start page as a candidate.

    Your own scores and exams are current. Other candidates' scores, in the ranking, are at most a
    minute old. For a season other than the current one, there is no ranking.
    """
    return presenters.candidate_dashboard(
        *dashboards.of_candidate(request.work, request.validated["season"])
    )


@staff_dashboard.get(
    access=MODERATOR,
    query=SeasonQuery,
    polled=True,
)
def show_staff_dashboard(request: Request) -> presenters.StaffDashboard:
    """Get your start page as a member of staff.

    It has totals, to-dos, and the exams that are open or come next. Totals and to-dos are at most
    a minute old. For a season other than the current one, there are no exams.
    """
    return presenters.staff_dashboard(
        *dashboards.of_staff(request.work, request.validated["season"])
    )


@overview.get(access=MODERATOR, polled=True)
def show_overview(request: Request) -> presenters.Overview:
    """Get the number of accounts by kind and status, at most a minute old."""
    return presenters.overview(headcounts.ACCOUNTS.read(request.work))
