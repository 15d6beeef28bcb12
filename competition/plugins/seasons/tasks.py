from uuid import UUID

from sqlalchemy import select

from competition.core.jobs import jobs
from competition.core.jobs.tasks import task
from competition.core.messages import Message
from competition.core.seasons.models import Season
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.notifications.events import Notify

# How many candidates one job notifies.
BATCH = 5_000


@task("seasons.tell")
def tell(work: Work, season_id: int, after: int = 0) -> None:
    """Notify the active candidates with the next numbers after `after`, at most `BATCH`, that a
    season has begun, and enqueue a job for the rest."""
    season = work.db.get(Season, season_id)
    if season is None or season.closed_at is not None:
        return
    found = work.db.execute(
        select(Candidate.id, Candidate.number)
        .where(Candidate.is_active, Candidate.number > after)
        .where(Candidate.date_joined <= season.opened_at)
        .order_by(Candidate.number)
        .limit(BATCH)
    ).all()
    if not found:
        return
    message = (
        Message("The season ${season} has begun. Good luck!", season=season.name)
        if season.joins_everybody
        else Message(
            "The season ${season} has begun. Sign in and say whether you are taking part again.",
            season=season.name,
        )
    )
    work.emit(Notify(work, [row.id for row in found], Message("A new season"), message))
    if len(found) == BATCH:
        jobs.enqueue(work, "seasons.tell", season_id=season_id, after=found[-1].number)


@task("seasons.tell_undone")
def tell_undone(work: Work, candidate_ids: list[str]) -> None:
    message = Message("The new season was opened by mistake. You have your earlier stage again.")
    work.emit(
        Notify(work, [UUID(each) for each in candidate_ids], Message("A correction"), message)
    )
