"""Claim and run jobs.

A *task* is a function. A *job* is one run of it: a row that the caller's transaction inserts.
Workers query PostgreSQL for the next due job; Huey only transmits the wake-ups. A worker claims a
job under a lease, and commits the effect of the job and its state `done` in one transaction.

If a worker dies, its lease expires, and another worker runs the job again. So a task in steps may
run twice, and its second run has to take the committed steps of the first run into account.

See docs/decisions/0003-jobs-are-rows.md.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

from sqlalchemy import ColumnElement, or_, select, update

from competition.core.database_errors import noticed, retrying
from competition.core.jobs.lanes import MAIN, Lane
from competition.core.jobs.leases import (
    Claim,
    Heartbeat,
    LeaseLost,
    check_lease,
    due,
    is_pending,
    release,
)
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import JobSettings, Task
from competition.core.monitoring.logs import carrying
from competition.core.runtime import Runtime
from competition.core.work import Work, begin

log = logging.getLogger(__name__)

# How many other jobs may share the run of a job.
LARGEST_BATCH = 10_000
# How long after a failure a job is retried, in seconds: 2 after the first failure, then twice as
# long each time, up to 10 minutes. The first pause is short, because most failures last only a
# moment, such as those during the restart of a server.
BACKOFF, BACKOFF_LIMIT = 2.0, 600.0


class Run:
    """The run of a task in steps: any number of `work` transactions, then one `finish`."""

    def __init__(self, runtime: Runtime, claim: Claim) -> None:
        self.runtime = runtime
        self.claim = claim

    @contextmanager
    def work(self) -> Iterator[Work]:
        """Context manager: a transaction of the run. Raises LeaseLost if another worker has claimed
        the job."""
        with begin(self.runtime, self.claim.request_id) as work:
            check_lease(work, self.claim)
            yield work

    @contextmanager
    def finish(self) -> Iterator[Work]:
        """Context manager: the last transaction, which also marks the job as done. Raises LeaseLost
        if another worker has claimed the job."""
        with begin(self.runtime, self.claim.request_id) as work:
            yield work
            if not release(work, self.claim, state="done", finished_at=work.now):
                raise LeaseLost


class Runner:
    """Claims due jobs, runs them in the calling thread, and stores whether they succeeded."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._settings = runtime.settings[JobSettings]
        self.heartbeat = Heartbeat(runtime)

    def run(self, job_id: int) -> bool:
        """Run the job, together with the jobs that share its run. Returns False if the job is not
        due, for example because another worker has claimed it."""
        return self._run(self.claim(Job.id == job_id))

    def run_next(self, lane: str | None = None) -> bool:
        """Run the job of this lane that has been due for the longest time. If `lane` is None, the
        job may be of any lane. Returns False if no job is due."""
        tasks = self._runtime.catalogue[Task].values()
        names = [each.name for each in tasks if lane in (None, self._lane(each))]
        return bool(names) and self._run(self.claim(Job.name.in_(names)))

    def _lane(self, task: Task) -> str:
        return task.lane if task.lane in self._runtime.catalogue[Lane] else MAIN

    def _run(self, claim: Claim | None) -> bool:
        if claim is None:
            return False
        with self.heartbeat.keeping(claim):
            if claim.is_hopeless:
                self._give_up(claim, "WorkerDied")
                return True
            outcome, started = "done", time.monotonic()
            try:
                with self._runtime.traces.span(
                    f"job {claim.task.name}",
                    "consumer",
                    claim.traceparents,
                    {
                        "competition.request_id": claim.request_id,
                        "competition.jobs": claim.ids,
                    },
                ):
                    self._call(claim)
            except LeaseLost:
                outcome = "lost"
                log.warning("%s %s: the lease was lost", claim.task.name, claim.ids)
            except Exception as error:
                outcome = "failed"
                if not noticed(error):
                    log.exception("%s %s failed", claim.task.name, claim.ids)
                self._fail(claim, error)
            self._runtime.metrics.job_seconds.labels(claim.task.name, outcome).observe(
                time.monotonic() - started
            )
        return True

    def claim(self, which: ColumnElement[bool]) -> Claim | None:
        """Claim the first due job that meets the condition, together with the jobs that share its
        run. Returns None if there is no such job."""
        with begin(self._runtime) as work:
            job = work.db.scalar(
                select(Job)
                .where(which, due(work.now))
                .order_by(Job.run_after, Job.id)
                .limit(1)
                .with_for_update(skip_locked=True)
            )
            # Jobs of a disabled plugin wait until the plugin is enabled again.
            if job is None or job.name not in self._runtime.catalogue[Task]:
                return None
            task = self._runtime.catalogue[Task][job.name]
            is_hopeless = False
            if job.state == "running" and job.attempts >= self._settings.attempts:
                # Every worker that ran the job died. Another job of the batch may be the cause, so
                # the job first runs alone, because it has a `last_error` now. If the worker dies
                # in that run too, the job has failed permanently.
                is_hopeless = job.last_error is not None
                job.last_error = job.last_error or "WorkerDied"
            # A job that failed before runs alone, so that other jobs don't fail with it.
            in_batch = task.batch and job.last_error is None
            jobs = [job, *self._companions(work, job, task)] if in_batch else [job]
            lease = uuid4()
            work.db.execute(
                update(Job)
                .where(Job.id.in_([each.id for each in jobs]))
                .values(
                    state="running",
                    attempts=Job.attempts + 1,
                    lease=lease,
                    lease_until=work.now + timedelta(seconds=self._settings.lease),
                ),
                execution_options={"synchronize_session": False},
            )
            return Claim(
                task=task,
                lease=lease,
                ids=[each.id for each in jobs],
                args=[each.args for each in jobs],
                attempts=job.attempts + 1,
                request_id=job.request_id,
                traceparents=[each.traceparent for each in jobs],
                is_hopeless=is_hopeless,
            )

    def _companions(self, work: Work, job: Job, task: Task) -> Iterable[Job]:
        """Lock and return the other jobs that share the run of `job`.

        These are the due jobs with the same name and key and, if the task is declared with
        `gathers`, jobs that still wait for other jobs to share their run. Jobs that have failed
        before are left out: each of them runs alone.
        """
        gather = timedelta(seconds=self._settings.gather if task.gathers else 0)
        return work.db.scalars(
            select(Job)
            .where(
                Job.name == job.name,
                Job.key == job.key,
                Job.id != job.id,
                Job.last_error.is_(None),
                Job.attempts < self._settings.attempts,
                or_(due(work.now), is_pending(work.now + gather)),
            )
            .order_by(Job.id)
            .limit(LARGEST_BATCH)
            .with_for_update(skip_locked=True)
        )

    def _call(self, claim: Claim) -> None:
        run = Run(self._runtime, claim)
        with carrying(claim.request_id):
            if claim.task.steps:
                claim.task.function(run, **claim.args[0])
            else:
                # A transaction that lost a race is run again. The job has not failed then.
                retrying(lambda: self._finish(run, claim))

    def _finish(self, run: Run, claim: Claim) -> None:
        with run.finish() as work:
            if claim.task.batch:
                claim.task.function(work, claim.args)
            else:
                claim.task.function(work, **claim.args[0])

    def _fail(self, claim: Claim, error: Exception) -> None:
        # If a batch fails, any of its jobs may be the cause, so each is retried alone.
        if claim.attempts >= self._settings.attempts and len(claim.ids) == 1:
            self._give_up(claim, _describe(error))
            return
        pause = min(BACKOFF * 2 ** (claim.attempts - 1), BACKOFF_LIMIT)
        with begin(self._runtime, claim.request_id) as work:
            release(
                work,
                claim,
                state="pending",
                run_after=work.now + timedelta(seconds=pause),
                last_error=_describe(error),
            )

    def _give_up(self, claim: Claim, why: str) -> None:
        """Mark a job as permanently failed, and call the task's `given_up` in the same transaction.
        If `given_up` fails, the job is marked as failed without it."""
        # If several workers have died while they called `given_up`, it is not called any longer.
        is_too_late = claim.attempts > self._settings.attempts + 3
        try:
            self._end(claim, why, None if is_too_late else claim.task.given_up)
        except Exception as error:
            if not noticed(error):
                log.exception("%s %s: given_up failed", claim.task.name, claim.ids)
            self._end(claim, f"{why}; given up: {_describe(error)}", None)

    def _end(self, claim: Claim, why: str, then: Callable[..., None] | None) -> None:
        with begin(self._runtime, claim.request_id) as work:
            values = {"state": "failed", "finished_at": work.now, "last_error": why}
            # The claim has one job, so its lease can't be lost in part: a batch never fails
            # permanently, because each of its jobs is first retried alone.
            if release(work, claim, **values) and then is not None:
                then(work, **claim.args[0])


def _describe(error: Exception) -> str:
    """The description of an error that is stored with the job: the class of the error, and of the
    error that caused it. The message is left out, because it may quote a row with a secret."""
    cause = getattr(error, "orig", None)
    return type(error).__name__ + (f" ({type(cause).__name__})" if cause else "")
