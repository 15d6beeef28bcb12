from datetime import timedelta
from typing import Any

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.leaderboard.services import publishing, scheduling


@task("leaderboard.publish", batch=True)
def publish(work: Work, jobs: list[dict[str, Any]]) -> None:
    """Publish one snapshot, however many requests there were."""
    publishing.publish(work)


@task("leaderboard.publish_due", batch=True, every=timedelta(minutes=1))
def publish_due(work: Work, jobs: list[dict[str, Any]]) -> None:
    """Each publication has a job at its time; the periodic ones find what had to wait for its
    exam."""
    scheduling.publish_due(work)
