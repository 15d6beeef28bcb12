from competition.core.auth.access import StaffRole, staff
from competition.core.errors import IdempotencyKeyReused
from competition.core.schemas import IdempotencyHeaders
from competition.core.users.affected import Affected
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.broadcasts import presenters, schemas
from competition.plugins.broadcasts.errors import InvalidMedium, NoRecipientsFound
from competition.plugins.broadcasts.services import asking

MANAGER = staff(StaffRole.MANAGER)

broadcasts = Service("/broadcasts/")
broadcast = Service("/broadcasts/{broadcast_id:int}/")
preview = Service("/broadcasts/preview/")


@broadcasts.get(access=MANAGER, query=schemas.BroadcastQuery)
def list_broadcasts(request: Request) -> presenters.BroadcastList:
    """List the broadcasts, the newest first."""
    page = asking.page_of_broadcasts(request.work, request.validated)
    return presenters.broadcast_list(request.work, page, request.public_url)


@broadcasts.post(
    access=MANAGER,
    headers=IdempotencyHeaders,
    body=schemas.NewBroadcast,
    status=201,
    errors=(InvalidMedium, NoRecipientsFound, IdempotencyKeyReused),
)
def create_broadcast(request: Request) -> presenters.Broadcast:
    """Send a broadcast to all users with certain roles, by email, on the platform, or both.

    The service sends it in the background. Get the broadcast to see its progress. With an
    `Idempotency-Key`, you can send the request again if you lose the reply; nobody gets a second
    copy.
    """
    fields = dict(request.validated)
    row = asking.create(request.work, fields, fields.pop("idempotency_key"))
    # The broadcast of a repeated request may already have emails.
    return presenters.broadcast(request.work, row, asking.mail_counts(request.work, row))


@broadcast.get(access=MANAGER)
def get_broadcast(request: Request, broadcast_id: int) -> presenters.Broadcast:
    """Get a broadcast, with its logs and its progress."""
    row = asking.get(request.work, broadcast_id)
    return presenters.broadcast(request.work, row, asking.mail_counts(request.work, row))


@preview.post(access=MANAGER, body=schemas.Audience)
def preview_broadcast(request: Request) -> Affected:
    """Preview a broadcast: how many people would receive it now, and the first ten of them.

    Nothing is sent."""
    return asking.preview(
        request.work, request.validated["target_roles"], request.validated["joined"]
    )
