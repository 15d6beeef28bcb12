"""Running jobs: background work that is not lost.

A *task* is a function, a *job* one run of it: a row that the caller's transaction writes.
PostgreSQL says what is due next; Huey only carries the word that something is. A worker claims a
job under a lease, and the effect of the job and its `done` are one transaction. A killed worker's
lease runs out, and another finds the job: so a task may run twice, and its second run has to find
the first one's effect.

See docs/decisions/0003-jobs-are-rows.md.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
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
    mark_done,
)
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import JobSettings, Task
from competition.core.monitoring.logs import carrying
from competition.core.runtime import Runtime
from competition.core.work import Work, begin

log = logging.getLogger(__name__)

# Jobs that share one run.
LARGEST_BATCH = 10_000


class Run:
    """What a task in steps works with: any number of transactions, the last one `finish`."""

    def __init__(self, runtime: Runtime, claim: Claim) -> None:
        self.runtime = runtime
        self.claim = claim

    @contextmanager
    def work(self) -> Iterator[Work]:
        """A transaction under the lease of the job. Raises LeaseLost."""
        with begin(self.runtime, self.claim.request_id) as work:
            check_lease(work, self.claim)
            yield work

    @contextmanager
    def finish(self) -> Iterator[Work]:
        """The transaction that marks the job done. Raises LeaseLost."""
        with begin(self.runtime, self.claim.request_id) as work:
            yield work
            mark_done(work, self.claim)


class Runner:
    """Claims and runs jobs."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._settings = runtime.settings[JobSettings]
        self.heartbeat = Heartbeat(runtime)

    def run(self, job_id: int) -> bool:
        """Run the job, and with it those that may share its run. False when it is not due: done,
        taken by another worker, or taken along in another job's run."""
        return self._run(self.claim(Job.id == job_id))

    def run_next(self, lane: str | None = None) -> bool:
        """Run the job that has been due longest, in the lane or in any. False when none is due."""
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
                    competition__request_id=claim.request_id,
                    competition__jobs=claim.ids,
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
        with begin(self._runtime) as work:
            job = work.db.scalar(
                select(Job)
                .where(which, due(work.now))
                .order_by(Job.run_after, Job.id)
                .limit(1)
                .with_for_update(skip_locked=True)
            )
            # A task of a plugin that is switched off waits until it is on again.
            if job is None or job.name not in self._runtime.catalogue[Task]:
                return None
            task = self._runtime.catalogue[Task][job.name]
            is_hopeless = False
            if job.state == "running" and job.attempts >= self._settings.attempts:
                # Every worker that took it died. In a batch another job may be the cause: it runs
                # once more by itself (`last_error` is set then), and is given up after that.
                is_hopeless = job.last_error is not None
                job.last_error = job.last_error or "WorkerDied"
            # One that failed before runs alone, so that it can't take others down with it.
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
        """The other due jobs of its name and key, which share its run, and where it gathers those
        that still wait for others; locked."""
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
                # A lost race says nothing about the job, and does not count as a failure.
                retrying(lambda: self._finish(run, claim))

    def _finish(self, run: Run, claim: Claim) -> None:
        with run.finish() as work:
            if claim.task.batch:
                claim.task.function(work, claim.args)
            else:
                claim.task.function(work, **claim.args[0])

    def _fail(self, claim: Claim, error: Exception) -> None:
        settings = self._settings
        # A mistake in a batch says nothing of its members: each goes on alone.
        if claim.attempts >= settings.attempts and len(claim.ids) == 1:
            self._give_up(claim, _describe(error))
            return
        pause = min(settings.backoff * 2 ** (claim.attempts - 1), settings.backoff_limit)
        with begin(self._runtime, claim.request_id) as work:
            _release(
                work,
                claim,
                state="pending",
                run_after=work.now + timedelta(seconds=pause),
                last_error=_describe(error),
            )

    def _give_up(self, claim: Claim, why: str) -> None:
        """Mark a job as failed for good, together with what its task's `given_up` does; when that
        fails, without it."""
        # By then that has killed workers, too.
        is_too_late = claim.attempts > self._settings.attempts + 3
        try:
            self._end(claim, why, None if is_too_late else claim.task.given_up)
        except Exception as error:
            if not noticed(error):
                log.exception("%s %s failed at being given up", claim.task.name, claim.ids)
            self._end(claim, f"{why}; given up: {_describe(error)}", None)

    def _end(self, claim: Claim, why: str, then: Callable[..., None] | None) -> None:
        with begin(self._runtime, claim.request_id) as work:
            values = {"state": "failed", "finished_at": work.now, "last_error": why}
            if _release(work, claim, **values) and then is not None:
                then(work, **claim.args[0])


def _release(work: Work, claim: Claim, **values: Any) -> bool:
    """Give the claim's jobs back with these values. False when another worker has them."""
    result = work.db.execute(
        update(Job)
        .where(Job.id.in_(claim.ids), Job.lease == claim.lease)
        .values(lease=None, lease_until=None, **values)
        .returning(Job.id),
        execution_options={"synchronize_session": False},
    )
    return bool(result.all())


def _describe(error: Exception) -> str:
    """An error as it is stored: its type alone, for a message may quote a row, and a row may hold a
    secret."""
    cause = getattr(error, "orig", None)
    return type(error).__name__ + (f" ({type(cause).__name__})" if cause else "")
