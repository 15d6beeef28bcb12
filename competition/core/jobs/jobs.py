"""Enqueue jobs, in the transaction of the caller."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert

from competition.core.database import check_transaction
from competition.core.jobs.doorbell import Doorbell
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import JobSettings, Task, check_taken, check_taken_in_batch
from competition.core.work import Work

NEW_JOB = insert(Job.__table__).values(state="pending", attempts=0)  # type: ignore[arg-type]  # it is a Table


def enqueue(
    work: Work, name: str, *, key: str = "", run_after: datetime | None = None, **args: Any
) -> None:
    """Enqueue a job of the task `name`. It runs after this transaction is committed, and not before
    `run_after`.

    `args` have to be JSON values, such as ids; pass a UUID as a string. If the task is declared
    with `batch`, jobs with the same `key` may share a run. If it is declared with `gathers`, and
    `run_after` is None, the job first waits for other jobs to share its run.

    Raises LookupError if there is no such task, TypeError if the arguments are not JSON or the task
    does not take them, and NoTransaction in work that only reads.
    """
    check_transaction(work.db)
    task = work.runtime.catalogue.named(Task, name)
    if task.batch:
        check_taken_in_batch(name, task.function, args)
    else:
        check_taken(name, task.function, 1, args)
    gather = work.settings[JobSettings].gather if task.gathers else 0
    run_after = run_after or work.now + timedelta(seconds=gather)
    job = {
        "name": task.name,
        "key": key,
        "args": args,
        "run_after": run_after,
        "created_at": work.now,
        "request_id": work.request_id,
        "traceparent": work.runtime.traces.traceparent,
    }
    work.db.execute(NEW_JOB, job)
    # A job for later needs no wake-up: workers find it when they poll.
    if run_after <= work.now:
        work.after_commit(lambda: work.runtime[Doorbell].ring(task.lane))
