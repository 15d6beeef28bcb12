from competition.core.auth.access import StaffRole, candidate, staff
from competition.core.errors import IdempotencyKeyReused, Invalid, NotFound
from competition.core.web.request import Request
from competition.core.web.schemas import IdempotencyHeaders
from competition.core.web.service import Service
from competition.plugins.exams.models import STAGES
from competition.plugins.leaderboard import presenters, schemas
from competition.plugins.leaderboard.errors import LeaderboardHidden, LeaderboardNotPublished
from competition.plugins.leaderboard.services import reading, scheduling

ADMIN = staff(StaffRole.ADMIN)
READER = candidate() | staff(StaffRole.MODERATOR)
UNREADABLE = (LeaderboardHidden, LeaderboardNotPublished, NotFound)

publishing = Service("/leaderboard/publish/")
publications = Service("/leaderboard/publications/")
publication = Service("/leaderboard/publications/{publication_id:int}/")
score_publication = Service("/publish-scores/")
leaderboard = Service("/leaderboard/")
performance = Service(
    "/leaderboard/{stage}/{round}/candidate/{candidate_id}/",
    schemas={
        "stage": {
            "type": "string",
            "enum": [*STAGES],
            "description": "An unknown value is 400.",
        },
        "round": {"type": "integer", "minimum": 1},
        "candidate_id": {
            "type": "string",
            "description": "The candidate's number, or the user's UUID.",
        },
    },
)


@publishing.post(
    access=ADMIN,
    status=202,
    headers=IdempotencyHeaders,
    body=schemas.PublicationOrder,
    needs_body=False,
    errors=(IdempotencyKeyReused,),
)
def publish_leaderboards(request: Request) -> presenters.PublicationStarted:
    """Publish the leaderboards of every stage and round that is over, or only of the given `exams`.

    With `publish_at`, the given exams are published at that time. A request without `exams` skips
    exams that have a scheduled publication. With an `Idempotency-Key` the request may be sent
    again, as after a reply that was lost.
    """
    wanted, key = request.validated, request.validated["idempotency_key"]
    if wanted["exams"] is None:
        scheduling.request_publication(request.work, key)
        return presenters.PublicationStarted(message="The leaderboards are being published.")
    scheduled = scheduling.schedule(request.work, wanted["exams"], wanted["publish_at"], key)
    return presenters.PublicationStarted(
        message="The leaderboards will be published.",
        publications=[presenters.publication(row) for row in scheduled],
    )


@publications.get(access=ADMIN, query=schemas.PublicationFilters)
def list_publications(request: Request) -> presenters.PublicationList:
    """What is to be published, was, or was cancelled, newest first."""
    page = scheduling.page_of_publications(request.work, request.validated)
    return presenters.publication_list(page, request.public_url)


@publication.delete(access=ADMIN, status=204, errors=(Invalid,))
def cancel_publication(request: Request, publication_id: int) -> None:
    """Cancel a publication that is to come."""
    scheduling.cancel(request.work, publication_id)


@score_publication.post(
    access=ADMIN,
    status=202,
    headers=IdempotencyHeaders,
    guard=scheduling.check_score_publication,
    errors=(IdempotencyKeyReused,),
)
def publish_scores(request: Request) -> presenters.PublicationStarted:
    """Publish the scores, which publishes the leaderboards; may be switched off. With an
    `Idempotency-Key` the request may be sent again, as after a reply that was lost."""
    scheduling.request_publication(request.work, request.validated["idempotency_key"])
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
        return presenters.summary(reading.summary(request.work, query))
    page = reading.board(request.work, query)
    return presenters.leaderboard(request.work, page, request.public_url)


@performance.get(access=READER, errors=(Invalid, *UNREADABLE), polled=True)
def read_performance(
    request: Request, stage: str, round: str, candidate_id: str
) -> presenters.PerformanceDetail:
    """A candidate's answers beside the right ones. In screening everybody sees their own only.

    The right answer to a question that another exam asks, now or later, is withheld until that one
    is over. So long, answers are shown to their author alone.
    """
    found = reading.performance(request.work, stage, round, candidate_id)
    return presenters.performance(request.work, found)
