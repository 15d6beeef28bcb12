"""What happens when a worker dies: its lease runs out, and the job is due again.

A worker that takes a job writes a lease on it and renews that while it runs. Only who holds the
lease may commit what the job did: one that comes back too late is refused.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import and_, or_, select, update

from competition.core.failures import noticed
from competition.core.jobs.models import Job
from competition.core.jobs.tasks import JobSettings, Task
from competition.core.runtime import Runtime
from competition.core.work import Work, begin

log = logging.getLogger(__name__)

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


def due(now: datetime) -> Any:
    """SQL condition: waiting and its time has come, or left behind by a dead worker."""
    return or_(
        and_(Job.state == "pending", Job.run_after <= now),
        and_(Job.state == "running", Job.lease_until < now),
    )


def check_lease(work: Work, claim: Claim) -> None:
    """Raises LeaseLost."""
    held = select(Job.id).where(Job.id == claim.ids[0], Job.lease == claim.lease)
    if work.db.scalar(held) is None:
        raise LeaseLost


def mark_done(work: Work, claim: Claim) -> None:
    """Raises LeaseLost."""
    result = work.db.execute(
        update(Job)
        .where(Job.id.in_(claim.ids), Job.lease == claim.lease, Job.state == "running")
        .values(state="done", finished_at=work.now, lease=None, lease_until=None)
        .returning(Job.id),
        execution_options={"synchronize_session": False},
    )
    if len(result.all()) != len(claim.ids):
        raise LeaseLost


@contextmanager
def renewing(runtime: Runtime, claim: Claim) -> Iterator[None]:
    """Keeps the lease for as long as the job runs, however long that is."""
    lease = runtime.settings[JobSettings].lease
    done = threading.Event()

    def renew() -> None:
        while not done.wait(lease / 3):
            try:
                _renew(runtime, claim, lease)
            except Exception as error:
                # There are two more tries before the lease ends.
                if not noticed(runtime, error):
                    names = (claim.task.name, claim.ids)
                    log.exception("%s %s: the lease was not renewed", *names)

    thread = threading.Thread(target=renew, name=f"lease-{claim.ids[0]}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _renew(runtime: Runtime, claim: Claim, lease: float) -> None:
    with begin(runtime, claim.request_id) as work:
        work.db.execute(
            update(Job)
            .where(Job.id.in_(claim.ids), Job.lease == claim.lease)
            .values(lease_until=work.now + timedelta(seconds=lease))
        )
