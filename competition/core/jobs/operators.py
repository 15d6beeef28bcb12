"""The jobs as an operator sees them, and another chance for one that was given up."""

from sqlalchemy import select

from competition.core import audit
from competition.core.jobs.models import Job
from competition.core.work import Work


class JobError(Exception):
    """For the operator at the command line."""


def newest(work: Work, state: str | None, most: int) -> list[Job]:
    """In the order of their ids."""
    jobs = select(Job).order_by(Job.id.desc()).limit(most)
    if state is not None:
        jobs = jobs.where(Job.state == state)
    return list(reversed(work.db.scalars(jobs).all()))


def retry(work: Work, job_id: int) -> None:
    """Run a failed job again, as if for the first time. Raises JobError."""
    job = work.db.get(Job, job_id, with_for_update=True)
    if job is None:
        raise JobError(f"There is no job {job_id}.")
    if job.state != "failed":
        raise JobError(f"Job {job_id} is {job.state}: only a failed one can be tried again.")
    audit.record(work, "job.retry", subject=f"job {job_id}", old=job.last_error)
    job.state = "pending"
    job.attempts = 0
    job.last_error = None
    job.finished_at = None
    job.run_after = work.now
    work.after_commit(lambda: work.runtime.doorbell.ring(job_id))
