from competition.core.jobs import aggregates
from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.dashboards.services import NUMBERS


@task("dashboards.season", every=aggregates.REFRESHED_EVERY)
def refresh_totals(work: Work) -> None:
    NUMBERS.refresh(work)
