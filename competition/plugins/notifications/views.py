from competition.core.auth.access import USER
from competition.core.users import tickets
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.notifications import presenters, schemas, services

notifications = Service("/notifications/")
reading = Service("/notifications/{notification_id:int}/mark-as-read/")
reading_all = Service("/notifications/mark-all-as-read/")
socket_tickets = Service("/ws/tickets/")


@notifications.get(access=USER, query=schemas.NotificationFilters, polled=True)
def list_notifications(request: Request) -> presenters.NotificationList:
    """List your notifications, newest first.

    With `after_id`, you get only notifications with a greater id, oldest first. Use this to catch
    up after your WebSocket was closed. Texts of the service are in the language of
    `Accept-Language`. Texts that staff have written are in one language only.
    """
    listing = services.listing(request.work, request.validated, request.language)
    return presenters.notification_list(*listing, request.public_url)


@reading.patch(access=USER)
def mark_as_read(request: Request, notification_id: int) -> presenters.MarkedAsRead:
    """Mark a notification as read. Doing so again changes nothing."""
    services.mark_as_read(request.work, notification_id)
    return presenters.MarkedAsRead(status="success")


@reading_all.patch(access=USER)
def mark_all_as_read(request: Request) -> presenters.AllMarkedAsRead:
    """Mark all your notifications as read."""
    updated = services.mark_all_as_read(request.work)
    return presenters.AllMarkedAsRead(status="success", updated_count=updated)


@socket_tickets.post(access=USER, status=201)
def issue_socket_ticket(request: Request) -> presenters.SocketTicket:
    """Get a ticket that opens a WebSocket without headers.

    A ticket works once. Pass it as `?ticket=` or as the subprotocol `ticket.<value>`.
    """
    ticket = tickets.issue(request.work)
    return presenters.SocketTicket(ticket=ticket, expires_in=tickets.SOCKET_SECONDS)
