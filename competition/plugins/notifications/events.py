from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Select

from competition.core.work import Work


@dataclass(frozen=True)
class Notify:
    """Told by other plugins: these users are to get a notification. While notifications are off
    nobody hears.

    `user_ids` may be a SELECT of them, for thousands. `about` names what an organiser can switch on
    and off (``competition.notifications.on``), by the plugin's name or what begins with that and a
    dot; what has none is always told. Tell it late in a transaction: all who notify wait for each
    other.
    """

    work: Work
    user_ids: Collection[UUID] | Select[UUID]
    subject: str
    message: str
    about: str = ""
