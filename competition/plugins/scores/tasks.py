from typing import NotRequired, TypedDict
from uuid import UUID

from competition.core.jobs import aggregates
from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.scores.services import scoring, standings


class Submitted(TypedDict):
    """Payload of a scoring job. Without a candidate, the job is for all submissions of the exam."""

    exam_id: int
    candidate_id: NotRequired[str | None]


@task("scores.score", batch=True, gathers=True)
def score(work: Work, jobs: list[Submitted]) -> None:
    """Score submissions of one exam. The exam's id is the key of the jobs, so all jobs of a batch
    are for the same exam."""
    named = [job.get("candidate_id") for job in jobs]
    candidate_ids = None if None in named else [UUID(each) for each in named if each]
    scoring.score_submissions(work, jobs[0]["exam_id"], candidate_ids)


@task("scores.standings", every=aggregates.REFRESHED_EVERY)
def refresh_standings(work: Work) -> None:
    """Store the live ranking for the dashboards."""
    standings.refresh(work)
