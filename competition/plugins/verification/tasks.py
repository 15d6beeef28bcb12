from datetime import timedelta

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.verification import services


@task("verification.purge_documents", every=timedelta(days=1))
def purge_documents(work: Work) -> None:
    services.purge_documents(work)
    services.purge_pending(work)
