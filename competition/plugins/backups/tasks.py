from datetime import timedelta

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.backups import services


@task("backups.delete_old_reports", every=timedelta(days=1))
def delete_old_reports(work: Work) -> None:
    services.delete_old_reports(work)
