from typing import Any, TypedDict

from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.leaderboard.services import publishing, scheduling


class Requested(TypedDict, total=False):
    """`season` is the id of the season that was current at the request. Jobs that an earlier
    version has enqueued lack it."""

    season: int


@task("leaderboard.publish", batch=True)
def publish(work: Work, jobs: list[Requested]) -> None:
    """Publish all exams that are over, with one snapshot for all jobs of the batch.

    Jobs whose season is no longer current publish nothing.
    """
    if all("season" in each for each in jobs):
        publishing.publish(work, {each["season"] for each in jobs})
    else:
        publishing.publish(work)


@task("leaderboard.publish_due", batch=True, every=scheduling.PERIOD)
def publish_due(work: Work, jobs: list[dict[str, Any]]) -> None:
    """Publish the exams whose scheduled time has come.

    Each publication has a job at its time. The periodic runs publish exams that could still be
    submitted at that time.
    """
    scheduling.publish_due(work)
