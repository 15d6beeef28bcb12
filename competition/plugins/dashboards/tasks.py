from competition.core.jobs import aggregates
from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.dashboards.services import SEASON


@task("dashboards.season", every=aggregates.REFRESHED_EVERY)
def refresh_season(work: Work) -> None:
    SEASON.refresh(work)
