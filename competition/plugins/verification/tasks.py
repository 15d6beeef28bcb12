from datetime import timedelta

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.verification.services import retention


@task("verification.purge_documents", every=timedelta(days=1))
def purge_documents(work: Work) -> None:
    """Delete identity documents `retention_days` after the decision, and documents that have waited
    for a decision for `pending_days`."""
    retention.purge_documents(work)
    retention.purge_pending(work)
