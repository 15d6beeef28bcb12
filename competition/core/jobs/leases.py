"""What happens when a worker dies: its lease runs out, and the job is due again.

A worker that takes a job writes a lease on it and renews that while it runs. Only who holds the
lease may commit what the job did: one that comes back too late is refused.
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

Args = dict[str, Any]


class LeaseLost(Exception):
    """Another worker has the job: what this one did must not be committed."""


@dataclass(frozen=True)
class Claim:
    task: Task
    lease: UUID
    ids: list[int]
    args: list[Args]
    attempts: int
    request_id: str
    # It is not run any more: whoever takes it dies.
    is_hopeless: bool = False
    # One for each job.
    traceparents: Sequence[str | None] = ()


def due(now: datetime) -> Any:
    """SQL condition: waiting and its time has come, or left behind by a dead worker."""
    return or_(is_pending(now), and_(Job.state == "running", Job.lease_until < now))


def is_pending(at: datetime) -> Any:
    """SQL condition: waiting for a worker, if not now, then at that time."""
    return and_(Job.state == "pending", Job.run_after <= at)


def check_lease(work: Work, claim: Claim) -> None:
    """Make sure that the claim still holds its lease. Raises LeaseLost."""
    held = select(Job.id).where(Job.id == claim.ids[0], Job.lease == claim.lease)
    if work.db.scalar(held) is None:
        raise LeaseLost


def mark_done(work: Work, claim: Claim) -> None:
    """Mark the jobs of a claim as done. Raises LeaseLost."""
    result = work.db.execute(
        update(Job)
        .where(Job.id.in_(claim.ids), Job.lease == claim.lease, Job.state == "running")
        .values(state="done", finished_at=work.now, lease=None, lease_until=None)
        .returning(Job.id),
        execution_options={"synchronize_session": False},
    )
    if len(result.all()) != len(claim.ids):
        raise LeaseLost


class Heartbeat:
    """Renews the leases of all that runs in this process, for as long as it runs, in one statement
    and one thread."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._lease = runtime.settings[JobSettings].lease
        self._claims: dict[UUID, Claim] = {}
        self._lock = threading.Lock()

    @contextmanager
    def keeping(self, claim: Claim) -> Iterator[None]:
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
                # A locked one is being finished: the others don't wait for that.
                .where(Job.id.in_(held.with_for_update(skip_locked=True)))
                .values(lease_until=work.now + timedelta(seconds=self._lease)),
                execution_options={"synchronize_session": False},
            )

    def run_forever(self, stopping: threading.Event) -> None:
        while not stopping.wait(self._lease / 3):
            try:
                self.beat()
            except Exception:
                # Database away: there are two more tries before a lease ends.
                log.exception("leases are not renewed")
