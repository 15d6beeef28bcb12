from sqlalchemy import func, select

from competition.core.jobs.models import Job
from competition.core.mail.models import Mail
from competition.core.metrics import Gauge
from competition.core.work import Work


def backlog(work: Work) -> list[Gauge]:
    """What waits, and what was given up. A job that is for later does not wait yet."""
    due = (Job.state == "pending") & (Job.run_after <= work.now)
    waiting, oldest = work.db.execute(
        select(func.count(), func.min(Job.run_after)).where(due)
    ).one()
    return [
        Gauge("competition_jobs_waiting", "Jobs that could run and do not.", waiting),
        Gauge(
            "competition_jobs_oldest_seconds",
            "How long the longest waiting job could have run.",
            (work.now - oldest).total_seconds() if oldest else 0,
        ),
        Gauge(
            "competition_jobs_failed",
            "Jobs that were given up: `competition jobs list --state failed`.",
            _count(work, Job, "failed"),
        ),
        Gauge("competition_mails_waiting", "Mails to be sent.", _count(work, Mail, "pending")),
        Gauge(
            "competition_mails_failed",
            "Mails that were given up: `competition mail list --failed`.",
            _count(work, Mail, "failed"),
        ),
    ]


def _count(work: Work, kind: type[Job] | type[Mail], state: str) -> int:
    return work.db.scalar(select(func.count()).select_from(kind).where(kind.state == state)) or 0
