"""Housekeeping: delete old rows and files every hour, by the retention rules of core and
plugins."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from sqlalchemy import delete

from competition.core.catalogue import OwnName, declaration
from competition.core.database_errors import noticed
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Run
from competition.core.jobs.tasks import task
from competition.core.settings import setting
from competition.core.work import Work

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class HousekeepingSettings:
    """How long rows are retained after they ended, in days.

    `orphan_hours` is the age, in hours, from which a stored object without a row is deleted.
    """

    prefix: ClassVar[str] = "competition.housekeeping"
    job_days: int = setting(7, minimum=1)
    failed_job_days: int = setting(90, minimum=1)
    mail_days: int = setting(90, minimum=1)
    session_days: int = setting(30, minimum=1)
    orphan_hours: int = setting(24, minimum=1)


SETTINGS = HousekeepingSettings


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
    settings = work.settings[HousekeepingSettings]
    for state, days in (("done", settings.job_days), ("failed", settings.failed_job_days)):
        oldest = work.now - timedelta(days=days)
        work.db.execute(delete(Job).where(Job.state == state, Job.finished_at < oldest))
