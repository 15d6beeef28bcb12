from competition.core.jobs.tasks import task
from competition.core.work import Work

from competition_certificates import services


@task("certificates.draw", lane="slow")
def draw(work: Work, certificate_id: int) -> None:
    services.draw(work, certificate_id)
