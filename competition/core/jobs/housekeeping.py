"""Housekeeping: delete old rows and files every hour, by the retention rules of core and
plugins."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete

from competition.core.catalogue import OwnName, declaration
from competition.core.database_errors import noticed
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Run
from competition.core.jobs.tasks import task
from competition.core.work import Work

log = logging.getLogger(__name__)


# How long jobs are retained, by their state. Finished jobs only show what has run, and there are
# many. Failed jobs are few, and operators may find one weeks later and retry it.
RETAINED = {"done": timedelta(days=7), "failed": timedelta(days=90)}


@dataclass(frozen=True)
class Retention(OwnName):
    """A retention rule. `forget` runs every hour and deletes the data that is older than the rule's
    limit."""

    name: str
    forget: Callable[[Work], None]


def retention(name: str) -> Callable[[Callable[[Work], None]], Callable[[Work], None]]:
    """Declare that the decorated function is a retention rule. A scan of its module finds it."""
    return declaration(Retention, name, lambda forget: Retention(name, forget))


@task("core.housekeeping", steps=True, every=timedelta(hours=1))
def delete_what_is_over(run: Run) -> None:
    """Run each retention rule in its own transaction. If a rule fails, the other rules still run,
    and the job is retried."""
    failure: Exception | None = None
    for rule in run.runtime.catalogue[Retention].values():
        try:
            with run.work() as work:
                rule.forget(work)
        except Exception as error:
            if not noticed(error):
                log.exception("the retention rule %s failed", rule.name)
            failure = error
    if failure is not None:
        raise failure
    with run.finish():
        pass


@retention("core.jobs")
def forget_jobs(work: Work) -> None:
    """Delete jobs that were done more than 7 days ago, or failed permanently more than 90 days
    ago."""
    for state, duration in RETAINED.items():
        oldest = work.now - duration
        work.db.execute(delete(Job).where(Job.state == state, Job.finished_at < oldest))
