"""Running jobs: background work that is not lost.

A *task* is a function, a *job* one run of it: a row that the caller's transaction writes. Huey only
carries wake-ups; PostgreSQL decides. A worker claims a job under a lease, and the effect of the job
and its `done` are one transaction. A killed worker's lease runs out, and the sweep wakes another:
so a task may run twice, and its second run has to find the first one's effect.

See docs/decisions/0003-jobs-are-rows.md.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

from sqlalchemy import select, update

from competition.core.jobs.leases import (
    Args,
    Claim,
    LeaseLost,
    check_lease,
    due,
    mark_done,
    renewing,
)
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import JobSettings, Task
from competition.core.runtime import Runtime
from competition.core.work import Work, begin, carrying

log = logging.getLogger(__name__)

LARGEST_BATCH = 10_000


class Run:
    """What a task in steps works with: any number of transactions, the last one `finish`."""

    def __init__(self, runtime: Runtime, claim: Claim) -> None:
        self.runtime = runtime
        self.claim = claim

    @contextmanager
    def work(self) -> Iterator[Work]:
        """Raises LeaseLost."""
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

    def run(self, job_id: int) -> bool:
        """Run the job, and with it those that may share its run. False when it is not due: done,
        taken by another worker, or absorbed in another run."""
        claim = self._claim(job_id)
        if claim is None:
            return False
        with renewing(self._runtime, claim):
            try:
                self._call(claim)
            except LeaseLost:
                log.warning("%s %s: the lease was lost", claim.task.name, claim.ids)
            except Exception as error:
                log.exception("%s %s failed", claim.task.name, claim.ids)
                self._fail(claim, error)
        return True

    def _claim(self, job_id: int) -> Claim | None:
        with begin(self._runtime) as work:
            job = work.db.scalar(
                select(Job).where(Job.id == job_id, due(work.now)).with_for_update(skip_locked=True)
            )
            # A task of a plugin that is switched off waits until it is on again.
            if job is None or job.name not in self._runtime.catalogue[Task]:
                return None
            task = self._runtime.catalogue[Task][job.name]
            if job.state == "running" and job.attempts >= self._settings.attempts:
                # Whoever takes it dies. In a batch it may be another's fault: once more, alone.
                if job.last_error is not None:
                    job.state, job.finished_at = "failed", work.now
                    job.lease = job.lease_until = None
                    _give_up(work, task, job.args)
                    return None
                job.last_error = "WorkerDied"
            # One that failed before runs alone, so that it can't take others down with it.
            in_batch = task.batch and job.last_error is None
            jobs = [job, *self._companions(work, job)] if in_batch else [job]
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
            )

    def _companions(self, work: Work, job: Job) -> Iterable[Job]:
        """Those that are run together with it. Locked."""
        return work.db.scalars(
            select(Job)
            .where(
                Job.name == job.name,
                Job.key == job.key,
                Job.id != job.id,
                Job.last_error.is_(None),
                Job.attempts < self._settings.attempts,
                due(work.now),
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
                return
            with run.finish() as work:
                if claim.task.batch:
                    claim.task.function(work, claim.args)
                else:
                    claim.task.function(work, **claim.args[0])

    def _fail(self, claim: Claim, error: Exception) -> None:
        settings = self._settings
        pause = min(settings.backoff * 2 ** (claim.attempts - 1), settings.backoff_limit)
        with begin(self._runtime, claim.request_id) as work:
            # A mistake in a batch says nothing of its members: each goes on alone.
            given_up = claim.attempts >= settings.attempts and len(claim.ids) == 1
            result = work.db.execute(
                update(Job)
                .where(Job.id.in_(claim.ids), Job.lease == claim.lease)
                .values(
                    state="failed" if given_up else "pending",
                    run_after=work.now + timedelta(seconds=pause),
                    # The type alone: a message may quote a row, and a row may hold a secret.
                    last_error=_describe(error),
                    lease=None,
                    lease_until=None,
                    finished_at=work.now if given_up else None,
                )
                .returning(Job.id),
                execution_options={"synchronize_session": False},
            )
            if result.all() and given_up:
                _give_up(work, claim.task, claim.args[0])


def _give_up(work: Work, task: Task, args: Args) -> None:
    if task.given_up is not None:
        task.given_up(work, **args)


def _describe(error: Exception) -> str:
    cause = getattr(error, "orig", None)
    return type(error).__name__ + (f" ({type(cause).__name__})" if cause else "")
