from datetime import timedelta

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.operations.services import backups


@task("backups.delete_old_reports", every=timedelta(days=1))
def delete_old_reports(work: Work) -> None:
    """Delete reports of backups that arrived more than 400 days ago."""
    backups.delete_old_reports(work)
