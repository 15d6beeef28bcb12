from typing import Any

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.leaderboard.services import publishing, scheduling


@task("leaderboard.publish", batch=True)
def publish(work: Work, jobs: list[dict[str, Any]]) -> None:
    """Publish all exams that are over, with one snapshot for all jobs of the batch."""
    publishing.publish(work)


@task("leaderboard.publish_due", batch=True, every=scheduling.PERIOD)
def publish_due(work: Work, jobs: list[dict[str, Any]]) -> None:
    """Publish the exams whose scheduled time has come.

    Each publication has a job at its time. The periodic runs publish exams that could still be
    submitted at that time.
    """
    scheduling.publish_due(work)
