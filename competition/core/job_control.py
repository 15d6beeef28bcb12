"""Jobs for operators: listing them, and running a job again."""

from datetime import timedelta

from sqlalchemy import and_, case, func, or_, select

from competition.core import audit
from competition.core.auth.access import StaffRole
from competition.core.errors import Invalid, NotFound
from competition.core.jobs.doorbell import Doorbell
from competition.core.jobs.leases import due
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import Task
from competition.core.messages import Message
from competition.core.monitoring.metrics import gauge
from competition.core.todo import Waiting, todo, waiting
from competition.core.work import Work


def newest(work: Work, state: str | None, most: int, before: int | None = None) -> list[Job]:
    """The newest jobs, at most `most`, in the order of their ids. With `state`, only jobs in this
    state are returned, and with `before`, only jobs with an id below `before`."""
    jobs = select(Job).order_by(Job.id.desc()).limit(most)
    if state is not None:
        jobs = jobs.where(Job.state == state)
    if before is not None:
        jobs = jobs.where(Job.id < before)
    return list(reversed(work.db.scalars(jobs).all()))


def retry(work: Work, job_id: int) -> None:
    """Make a job due now, before all other jobs, reset its attempts, and write an audit entry.

    Raises NotFound if there is no such job, and Invalid if a worker is running it.
    """
    job = work.db.get(Job, job_id, with_for_update=True)
    if job is None:
        raise NotFound(Message("There is no job ${id}. Check the id.", id=job_id))
    if job.state == "running" and job.lease_until is not None and job.lease_until >= work.now:
        raise Invalid(
            Message(
                "Job ${id} is running. Wait until it ends, or until its worker's lease expires.",
                id=job_id,
            )
        )
    audit.record(work, "job.retry", subject=f"job {job_id}", old=job.last_error)
    first = work.db.scalar(select(func.min(Job.run_after)).where(due(work.now)))
    job.state = "pending"
    job.attempts = 0
    job.last_error = None
    job.lease = job.lease_until = None
    job.finished_at = None
    job.run_after = min(work.now, first - timedelta(milliseconds=1)) if first else work.now
    task = work.runtime.catalogue[Task].get(job.name)
    if task is not None:
        lane = task.lane
        work.after_commit(lambda: work.runtime[Doorbell].ring(lane))


@todo("jobs.failed", rank=StaffRole.SUPERADMIN, link="house/jobs")
def failed_jobs(work: Work) -> Waiting:
    return waiting(work, select(Job.finished_at).where(Job.state == "failed"))


@gauge(
    "jobs_waiting",
    "Jobs that wait to be run: due now, due later, or left behind by a dead worker.",
)
def jobs_waiting(work: Work) -> float:
    left_behind = and_(Job.state == "running", Job.lease_until < work.now)
    waiting = select(func.count()).where(or_(Job.state == "pending", left_behind))
    return work.db.scalar(waiting) or 0


@gauge("jobs_oldest_seconds", "How long the oldest waiting job has been due, in seconds.")
def oldest_waiting(work: Work) -> float:
    since = case((Job.state == "running", Job.lease_until), else_=Job.run_after)
    oldest = work.db.scalar(select(func.min(since)).where(due(work.now)))
    return (work.now - oldest).total_seconds() if oldest else 0


@gauge("jobs_failed", "Jobs that failed permanently: `competition jobs list --state failed`.")
def jobs_failed(work: Work) -> float:
    return work.db.scalar(select(func.count()).where(Job.state == "failed")) or 0
