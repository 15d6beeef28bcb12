from competition.core.jobs import aggregates
from competition.core.jobs.tasks import task
from competition.core.users.headcounts import ACCOUNTS
from competition.core.work import Work
from competition.plugins.dashboards.services.dashboards import NUMBERS


@task("dashboards.season", every=aggregates.REFRESHED_EVERY)
def refresh_totals(work: Work) -> None:
    """Compute the totals of the current season, and store them for the dashboards."""
    NUMBERS.refresh(work)


@task("dashboards.accounts", every=aggregates.REFRESHED_EVERY)
def refresh_headcounts(work: Work) -> None:
    """Count the accounts, and store the counts for the dashboards."""
    ACCOUNTS.refresh(work)
