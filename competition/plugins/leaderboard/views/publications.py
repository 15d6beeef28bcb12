"""Endpoints for publishing leaderboards, now or at a given time."""

from competition.core.auth.access import StaffRole, staff
from competition.core.errors import IdempotencyKeyReused, Invalid
from competition.core.messages import Message
from competition.core.schemas import IdempotencyHeaders, NoFields
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.leaderboard import schemas
from competition.plugins.leaderboard.presenters import publications as presenters
from competition.plugins.leaderboard.services import scheduling

ADMIN = staff(StaffRole.ADMIN)

publishing = Service("/leaderboard/publish/")
publishing_preview = Service("/leaderboard/publish/preview/")
publications = Service("/leaderboard/publications/")
publication = Service("/leaderboard/publications/{publication_id:int}/")
score_publication = Service("/publish-scores/")


@publishing.post(
    access=ADMIN,
    status=202,
    headers=IdempotencyHeaders,
    body=schemas.PublicationOrder,
    errors=(IdempotencyKeyReused,),
    changes_season=True,
)
def publish_leaderboards(request: Request) -> presenters.PublicationStarted:
    """Publish the leaderboards of every stage and round that is over, or only of the given `exams`.

    With `publish_at`, the given exams are published at that time. A request without `exams` skips
    exams that have a scheduled publication. With an `Idempotency-Key`, you can safely repeat the
    request, for example after a lost reply.
    """
    wanted, key = request.validated, request.validated["idempotency_key"]
    if wanted["exams"] is None:
        scheduling.request_publication(request.work, key)
        return presenters.PublicationStarted(
            message=Message("The leaderboards are being published.")
        )
    scheduled = scheduling.schedule(request.work, wanted["exams"], wanted["publish_at"], key)
    return presenters.PublicationStarted(
        message=Message("The leaderboards will be published."),
        publications=[
            presenters.publication(each) for each in scheduling.expected(request.work, scheduled)
        ],
    )


@publishing_preview.post(access=ADMIN, body=schemas.PublicationOrder, changes_season=True)
def preview_publication(request: Request) -> presenters.PublicationPreview:
    """Find out which leaderboards would be published now, with how many candidates.

    Send the same body as for the publication. Nothing is changed.
    """
    return scheduling.preview(request.work, request.validated["exams"])


@publications.get(access=ADMIN, query=schemas.PublicationFilters)
def list_publications(request: Request) -> presenters.PublicationList:
    """List scheduled, published and cancelled publications of exams, the newest first."""
    page = scheduling.page_of_publications(request.work, request.validated)
    found = scheduling.expected(request.work, page.items)
    return presenters.publication_list(page, found, request.public_url)


@publication.delete(access=ADMIN, status=204, errors=(Invalid,))
def cancel_publication(request: Request, publication_id: int) -> None:
    """Cancel a scheduled publication."""
    scheduling.cancel(request.work, publication_id)


@score_publication.post(
    access=ADMIN,
    status=202,
    body=NoFields,
    headers=IdempotencyHeaders,
    guard=scheduling.check_score_publication,
    errors=(IdempotencyKeyReused,),
)
def publish_scores(request: Request) -> presenters.PublicationStarted:
    """Publish the scores and leaderboards of all exams that are over.

    The status is 403 while the flag `score_publication` is off. Exams that have a scheduled
    publication are skipped. With an `Idempotency-Key`, you can safely repeat the request, for
    example after a lost reply.
    """
    scheduling.request_publication(request.work, request.validated["idempotency_key"])
    return presenters.PublicationStarted(message=Message("The scores are being published."))
