"""Insert the jobs of periodic tasks: one per period, for any number of workers.

Each insert also deletes the task's earlier jobs that are done. Otherwise tasks with a period of a
few seconds would leave many rows.
"""

import threading
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from competition.core.jobs.models import Job
from competition.core.jobs.tasks import JobSettings, Task
from competition.core.monitoring.logs import patient
from competition.core.runtime import Runtime
from competition.core.work import begin

log = patient(__name__)


def tick_of(every: timedelta, now: datetime) -> datetime:
    """The start of the current period of a periodic task. Its periods have the length `every`, and
    are counted from 1970 in UTC."""
    period = every.total_seconds()
    return datetime.fromtimestamp(now.timestamp() // period * period, UTC)


class Ticks:
    """Inserts the jobs of periodic tasks, in a thread of each worker."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        # The start of the latest period whose job is known to exist, by the name of the task.
        self._made: dict[str, datetime] = {}

    def make(self) -> None:
        """Insert the job of the current period for each periodic task, and delete the task's
        earlier jobs that are done.

        Because of the unique constraint (name, tick), only one worker's insert has an effect.
        """
        now = self._runtime.clock()
        tasks = self._runtime.catalogue[Task].values()
        due = {each.name: tick_of(each.every, now) for each in tasks if each.every is not None}
        new = {name: tick for name, tick in due.items() if self._made.get(name) != tick}
        if not new:
            return
        with begin(self._runtime) as work:
            for name, tick in new.items():
                values = {
                    "name": name,
                    "args": {},
                    "tick": tick,
                    "run_after": work.now,
                    "created_at": work.now,
                    "request_id": work.request_id,
                }
                work.db.execute(insert(Job).values(**values).on_conflict_do_nothing())
                work.db.execute(
                    delete(Job).where(Job.name == name, Job.tick < tick, Job.state == "done"),
                    execution_options={"synchronize_session": False},
                )
        self._made = due

    def run_forever(self, stopping: threading.Event) -> None:
        while not stopping.wait(self._runtime.settings[JobSettings].sweep):
            try:
                self.make()
            except Exception:
                # The database may be unavailable: the next poll inserts the same jobs.
                log.exception("jobs of periodic tasks can't be inserted")
