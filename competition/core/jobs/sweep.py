"""What makes sure that no job is forgotten."""

import logging
import threading

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from competition.core.failures import noticed
from competition.core.jobs.leases import due
from competition.core.jobs.models import Job
from competition.core.jobs.runner import LARGEST_BATCH
from competition.core.jobs.tasks import JobSettings, PeriodicTask, Task
from competition.core.runtime import Runtime
from competition.core.work import begin

log = logging.getLogger(__name__)

# Workers that have so many wake-ups before them are not told again by the sweep.
LONGEST_QUEUE = 1_000


class Sweep:
    """Inserts the ticks of periodic tasks and finds what is due but was never woken."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def tick(self) -> None:
        """One job a periodic task and tick, decided by a constraint."""
        with begin(self._runtime) as work:
            for each in self._runtime.catalogue[PeriodicTask].values():
                values = {
                    "name": each.name,
                    "args": {},
                    "tick": each.tick(work.now),
                    "run_after": work.now,
                    "created_at": work.now,
                    "request_id": work.request_id,
                }
                work.db.execute(insert(Job).values(**values).on_conflict_do_nothing())

    def overdue(self) -> list[int]:
        """Ids to wake a worker for: of jobs that may share a run, one."""
        return [job_id for job_id, _ in self._overdue()]

    def _overdue(self) -> list[tuple[int, str]]:
        """With the lanes."""
        tasks = self._runtime.catalogue[Task]
        batches = [each.name for each in tasks.values() if each.batch]
        with begin(self._runtime) as work:
            rows = work.db.execute(
                select(Job.id, Job.name, Job.key, Job.last_error)
                .where(due(work.now), Job.name.in_(tasks))
                .order_by(Job.id)
                .limit(LARGEST_BATCH)
            ).all()
        seen: set[tuple[str, str]] = set()
        found = []
        for row in rows:
            if row.name in batches and row.last_error is None:
                if (row.name, row.key) in seen:
                    continue
                seen.add((row.name, row.key))
            found.append((row.id, tasks[row.name].lane))
        return found

    def run(self) -> None:
        self.tick()
        room = max(0, LONGEST_QUEUE - self._runtime.doorbell.waiting())
        for job_id, lane in self._overdue()[:room]:
            self._runtime.doorbell.ring(job_id, lane)

    def run_forever(self, stopping: threading.Event) -> None:
        while not stopping.wait(self._runtime.settings[JobSettings].sweep):
            try:
                self.run()
            except Exception as error:
                # The next sweep finds the same work.
                if not noticed(self._runtime, error):
                    log.exception("the sweep failed")
