from datetime import timedelta

from competition.core.jobs.tasks import task
from competition.core.work import Work
from tests.contract.external_plugin import services


@task("external.remember")
def remember(work: Work, email: str) -> None:
    services.remember(work, email)


@task("external.daily", every=timedelta(days=1))
def remember_the_day(work: Work) -> None:
    services.remember(work, "the day")
