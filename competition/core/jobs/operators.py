"""The jobs as an operator sees them, and another chance for one that was given up."""

from pyramid.config import Configurator
from sqlalchemy import ColumnElement, func, select

from competition.core import audit
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import Task
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
    task = work.runtime.catalogue[Task].get(job.name)
    if task is not None:
        lane = task.lane
        work.after_commit(lambda: work.runtime.doorbell.ring(job_id, lane))


def jobs_waiting(work: Work) -> float:
    """That could run and do not; one that is for later does not wait yet."""
    return work.db.scalar(select(func.count()).where(*_due(work))) or 0


def oldest_waiting(work: Work) -> float:
    """For how many seconds the longest waiting job could have run."""
    oldest = work.db.scalar(select(func.min(Job.run_after)).where(*_due(work)))
    return (work.now - oldest).total_seconds() if oldest else 0


def jobs_failed(work: Work) -> float:
    return work.db.scalar(select(func.count()).where(Job.state == "failed")) or 0


def _due(work: Work) -> list[ColumnElement[bool]]:
    return [Job.state == "pending", Job.run_after <= work.now]


def includeme(config: Configurator) -> None:
    config.add_gauge("jobs_waiting", "Jobs that could run and do not.", jobs_waiting)
    config.add_gauge(
        "jobs_oldest_seconds", "How long the longest waiting job could have run.", oldest_waiting
    )
    config.add_gauge(
        "jobs_failed",
        "Jobs that were given up: `competition jobs list --state failed`.",
        jobs_failed,
    )
