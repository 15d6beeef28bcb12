from datetime import timedelta

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.verification.services import retention


@task("verification.purge_documents", every=timedelta(days=1))
def purge_documents(work: Work) -> None:
    retention.purge_documents(work)
    retention.purge_pending(work)
