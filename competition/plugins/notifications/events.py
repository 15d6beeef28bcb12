from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Select

from competition.core.work import Work


@dataclass(frozen=True)
class Notify:
    """Plugins emit this event to notify users. Nothing happens if the plugin `notifications` is
    disabled.

    `user_ids` may be a SELECT, for thousands of users. `about` is the topic: the plugin's name,
    alone or followed by a dot and a word. Users are notified only of topics that the setting
    ``competition.notifications.on`` lists. If `about` is empty, they are always notified.

    If `subject` or `message` is a Message, users read the notification in their language.

    Emit this event late in a transaction: transactions that notify users wait for each other's
    commits.
    """

    work: Work
    user_ids: Collection[UUID] | Select[UUID]
    subject: str
    message: str
    about: str = ""
