from competition.core.auth.access import StaffRole, staff
from competition.core.errors import IdempotencyKeyReused
from competition.core.schemas import IdempotencyHeaders
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.broadcasts import presenters, schemas
from competition.plugins.broadcasts.errors import InvalidMedium, NoRecipientsFound
from competition.plugins.broadcasts.services import asking

MANAGER = staff(StaffRole.MANAGER)

broadcasts = Service("/broadcasts/")
broadcast = Service("/broadcasts/{broadcast_id:int}/")


@broadcasts.get(access=MANAGER, query=schemas.BroadcastQuery)
def list_broadcasts(request: Request) -> presenters.BroadcastList:
    """List the broadcasts, newest first."""
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
    """Tell everybody of some roles something, by mail, on the platform, or both.

    It is sent in the background: the broadcast itself tells how far it is. With an
    `Idempotency-Key` the request may be sent again, as after a reply that was lost: nobody gets a
    second copy.
    """
    fields = dict(request.validated)
    row = asking.create(request.work, fields, fields.pop("idempotency_key"))
    return presenters.broadcast(request.work, row, {})


@broadcast.get(access=MANAGER)
def get_broadcast(request: Request, broadcast_id: int) -> presenters.Broadcast:
    """A broadcast with its logs and, while it is sent, its progress."""
    row = asking.get(request.work, broadcast_id)
    return presenters.broadcast(request.work, row, asking.mail_counts(request.work, row))
