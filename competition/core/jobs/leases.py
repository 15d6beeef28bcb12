"""Leases: if a worker dies, the lease of its job expires, and the job is due again.

A worker that claims a job stores a lease in the job's row and renews it while the job runs. Only
the worker that holds the lease may commit the effect of the job. If another worker has claimed the
job in the meantime, the commit of the first worker raises LeaseLost.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import and_, or_, select, update

from competition.core.jobs.models import Job
from competition.core.jobs.tasks import JobSettings, Task
from competition.core.monitoring.logs import patient
from competition.core.runtime import Runtime
from competition.core.work import Work, begin

log = patient(__name__)


class LeaseLost(Exception):
    """Another worker has claimed the job: the effect of this run must not be committed."""


@dataclass(frozen=True)
class Claim:
    """The jobs of one run, which a worker has claimed under one lease.

    `args` has the arguments of each job, in the order of `ids`. `attempts` and `request_id` are
    those of the first job.
    """

    task: Task
    lease: UUID
    ids: list[int]
    args: list[dict[str, Any]]
    attempts: int
    request_id: str
    # Whether all workers that ran the job have died, so that it is marked as failed without another
    # run.
    is_hopeless: bool = False
    # The `traceparent` values of the transactions that enqueued the jobs, one for each job.
    traceparents: Sequence[str | None] = ()


def due(now: datetime) -> Any:
    """SQL condition: the job is pending and its time has come, or its lease has expired."""
    return or_(is_pending(now), and_(Job.state == "running", Job.lease_until < now))


def is_pending(at: datetime) -> Any:
    """SQL condition: the job is pending, and may run at the time `at`."""
    return and_(Job.state == "pending", Job.run_after <= at)


def check_lease(work: Work, claim: Claim) -> None:
    """Check that the claim still holds its lease. Raises LeaseLost otherwise."""
    held = select(Job.id).where(Job.id == claim.ids[0], Job.lease == claim.lease)
    if work.db.scalar(held) is None:
        raise LeaseLost


def release(work: Work, claim: Claim, **values: Any) -> bool:
    """End the lease of the claim's jobs, and set these columns of their rows. Returns False if
    another worker has claimed one of the jobs."""
    result = work.db.execute(
        update(Job)
        .where(Job.id.in_(claim.ids), Job.lease == claim.lease)
        .values(lease=None, lease_until=None, **values)
        .returning(Job.id),
        execution_options={"synchronize_session": False},
    )
    return len(result.all()) == len(claim.ids)


class Heartbeat:
    """Renews the leases of all jobs that run in this process, in one thread and with one statement
    each time."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._lease = runtime.settings[JobSettings].lease
        self._claims: dict[UUID, Claim] = {}
        self._lock = threading.Lock()

    @contextmanager
    def keeping(self, claim: Claim) -> Iterator[None]:
        """Context manager: renew the lease of the claim while the block runs."""
        with self._lock:
            self._claims[claim.lease] = claim
        try:
            yield
        finally:
            with self._lock:
                del self._claims[claim.lease]

    def beat(self) -> None:
        with self._lock:
            claims = list(self._claims.values())
        if not claims:
            return
        held = select(Job.id).where(
            Job.id.in_([job_id for claim in claims for job_id in claim.ids]),
            Job.lease.in_([claim.lease for claim in claims]),
        )
        with begin(self._runtime) as work:
            work.db.execute(
                update(Job)
                # Skip locked jobs: another transaction is finishing them, and the other leases must
                # not wait for it.
                .where(Job.id.in_(held.with_for_update(skip_locked=True)))
                .values(lease_until=work.now + timedelta(seconds=self._lease)),
                execution_options={"synchronize_session": False},
            )

    def run_forever(self, stopping: threading.Event) -> None:
        while not stopping.wait(self._lease / 3):
            try:
                self.beat()
            except Exception:
                # The database may be unavailable. Two more attempts follow before a lease expires.
                log.exception("leases are not renewed")
