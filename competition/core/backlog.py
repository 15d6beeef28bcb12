"""The jobs that are not done, as an operator sees them."""

from collections.abc import Iterable

from sqlalchemy import select

from competition.core import audit
from competition.core.models import Job
from competition.core.work import Work

OPEN = ("failed", "running", "pending")


class JobError(Exception):
    """For the operator at the command line."""


def listing(work: Work, states: Iterable[str] = OPEN) -> list[Job]:
    return list(work.db.scalars(select(Job).where(Job.state.in_(states)).order_by(Job.id)))


def retry(work: Work, job_id: int) -> None:
    """Run a job that failed, or that waits after a failure, now and with all its attempts.

    Raises JobError.
    """
    job = work.db.get(Job, job_id, with_for_update=True)
    if job is None:
        raise JobError(f"There is no job {job_id}.")
    if job.state not in ("failed", "pending"):
        raise JobError(f"Job {job_id} is {job.state}: there is nothing to retry.")
    job.state, job.attempts, job.run_after, job.finished_at = "pending", 0, work.now, None
    audit.record(work, "job.retry", subject=f"job {job_id}")
    work.after_commit(lambda: work.runtime.queue.wake(job_id))
