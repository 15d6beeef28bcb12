from typing import Any

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.leaderboard.services import publishing


@task("leaderboard.publish", batch=True)
def publish(work: Work, jobs: list[dict[str, Any]]) -> None:
    """Publish one snapshot, however many requests there were."""
    publishing.publish(work)
