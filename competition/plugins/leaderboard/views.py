from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import Invalid, NotFound
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.leaderboard import presenters, schemas
from competition.plugins.leaderboard.errors import LeaderboardHidden, LeaderboardNotPublished
from competition.plugins.leaderboard.services import publishing, reading

READER = candidate() | staff(StaffRole.MODERATOR)
UNREADABLE = (LeaderboardHidden, LeaderboardNotPublished, NotFound)

publication = Service("/leaderboard/publish/")
score_publication = Service("/publish-scores/")
leaderboard = Service("/leaderboard/")
performance = Service("/leaderboard/{stage}/{round}/candidate/{candidate_id}/")


@publication.post(access=staff(StaffRole.ADMIN), status=202)
def publish_leaderboards(request: Request) -> presenters.PublicationStarted:
    """Publish the ranks of every stage and round that is over."""
    publishing.request_publication(request.work)
    return presenters.PublicationStarted(message="The leaderboards are being published.")


@score_publication.post(
    access=staff(StaffRole.ADMIN), status=202, guard=publishing.check_score_publication
)
def publish_scores(request: Request) -> presenters.PublicationStarted:
    """Publish the scores, which publishes the leaderboards; may be switched off."""
    publishing.request_publication(request.work)
    return presenters.PublicationStarted(message="The scores are being published.")


@leaderboard.get(access=READER, query=schemas.LeaderboardQuery, errors=UNREADABLE, polled=True)
def read_leaderboard(
    request: Request,
) -> presenters.LeaderboardSummary | presenters.Leaderboard:
    """The leaderboards there are; with `stage` and `round`, or `exam_id`, one of them.

    `pagination` is over `remaining_candidates`. `snapshot` is for staff.
    """
    query = request.validated
    if query["stage"] is None and query["round"] is None and query["exam_id"] is None:
        return presenters.summary(*reading.summary(request.work, query))
    return presenters.leaderboard(*reading.board(request.work, query), request.public_url)


@performance.get(access=READER, errors=(Invalid, *UNREADABLE), polled=True)
def read_performance(
    request: Request, stage: str, round: str, candidate_id: str
) -> presenters.PerformanceDetail:
    """A candidate's answers beside the right ones. In screening everybody sees their own only.

    The right answer to a question that another exam asks, now or later, is withheld until that one
    is over.
    """
    found = reading.performance(request.work, stage, round, candidate_id)
    return presenters.performance(
        found.board, found.entry, found.paper, found.answers, found.key, found.still_asked
    )
