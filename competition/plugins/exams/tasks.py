from typing import Any
from uuid import UUID

from competition.core.jobs import aggregates
from competition.core.jobs.tasks import task
from competition.core.work import Work
from competition.plugins.exams import statistics
from competition.plugins.exams.services import scoring


@task("exams.score", batch=True)
def score(work: Work, jobs: list[dict[str, Any]]) -> None:
    """All jobs of a batch are of one exam: that is their key."""
    candidate_ids = [UUID(job["candidate_id"]) for job in jobs]
    scoring.score_submissions(work, [jobs[0]["exam_id"]], candidate_ids)


@task("exams.standings", every=aggregates.EVERY)
def refresh_standings(work: Work) -> None:
    statistics.refresh_standings(work)
