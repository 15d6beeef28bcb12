from competition.core.pagination import ListQuery
from competition.core.schemas import LARGEST_ID, Choice, Integer, Schema, node


class NotificationFilters(ListQuery):
    status = node(Choice(("read", "unread")), missing=None)
    after_id = node(Integer(0, LARGEST_ID), missing=None)


class ReadNotification(Schema):
    notification_id = node(Integer(1, LARGEST_ID))
