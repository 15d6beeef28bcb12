"""Housekeeping: deletes old rows and files, by rules that say how long each kind of them is
kept."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from pyramid.config import Configurator
from sqlalchemy import and_, delete, or_

from competition.core.catalogue import OwnName, declare
from competition.core.database_errors import noticed
from competition.core.jobs.models import Job
from competition.core.jobs.runner import Run
from competition.core.jobs.tasks import task
from competition.core.settings import setting
from competition.core.work import Work

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class HousekeepingSettings:
    """How long things are kept after they ended, in days; `orphan_hours` is how old a stored
    object is before it can be taken for one that never got its row."""

    prefix: ClassVar[str] = "competition.housekeeping"
    job_days: int = setting(7, minimum=1)
    failed_job_days: int = setting(90, minimum=1)
    mail_days: int = setting(90, minimum=1)
    session_days: int = setting(30, minimum=1)
    orphan_hours: int = setting(24, minimum=1)


SETTINGS = HousekeepingSettings


@dataclass(frozen=True)
class Retention(OwnName):
    """A rule of housekeeping. `forget` deletes what was kept for long enough; it runs every hour,
    and may find nothing."""

    name: str
    forget: Callable[[Work], None]


def retention(name: str) -> Callable[[Callable[[Work], None]], Callable[[Work], None]]:
    """Declare a rule of housekeeping, found when its module is scanned."""

    def decorate(forget: Callable[[Work], None]) -> Callable[[Work], None]:
        declare(forget, Retention, name, lambda: Retention(name, forget))
        return forget

    return decorate


@task("core.housekeeping", steps=True, every=timedelta(hours=1))
def delete_what_is_over(run: Run) -> None:
    """Run each rule in a transaction of its own: one that fails holds up no other, and is tried
    again with the job."""
    failure: Exception | None = None
    for rule in run.runtime.catalogue[Retention].values():
        try:
            with run.work() as work:
                rule.forget(work)
        except Exception as error:
            if not noticed(error):
                log.exception("%s was not forgotten", rule.name)
            failure = error
    if failure is not None:
        raise failure
    with run.finish():
        pass


@retention("core.jobs")
def forget_jobs(work: Work) -> None:
    settings = work.settings[HousekeepingSettings]
    work.db.execute(
        delete(Job).where(
            or_(
                and_(
                    Job.state == "done",
                    Job.finished_at < work.now - timedelta(days=settings.job_days),
                ),
                and_(
                    Job.state == "failed",
                    Job.finished_at < work.now - timedelta(days=settings.failed_job_days),
                ),
            )
        )
    )


def includeme(config: Configurator) -> None:
    config.scan(__name__)
