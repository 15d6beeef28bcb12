from competition.core.schemas import LARGEST_ID, Choice, Integer, Schema, node
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.notifications.services import ORDERING


class NotificationFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("subject and message")
    status = node(
        Choice(("read", "unread")), missing=None, description="Only notifications with this status."
    )
    after_id = node(
        Integer(0, LARGEST_ID),
        missing=None,
        description="Only notifications with a greater id, oldest first, for example to catch up"
        " after a socket was closed.",
    )


class ReadNotification(Schema):
    notification_id = node(Integer(1, LARGEST_ID))
