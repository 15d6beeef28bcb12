"""Let staff follow their to-dos on a WebSocket."""

from typing import Any

from competition.core.auth.access import StaffRole, staff
from competition.core.push.sockets import following
from competition.core.work import Work
from competition.plugins.dashboards import presenters
from competition.plugins.dashboards.services import dashboards

MODERATOR = staff(StaffRole.MODERATOR)


def admit(work: Work, data: Any) -> str:
    """Follow the to-dos of your rank. Only moderators and higher ranks can follow them.

    Returns the caller's role, because all staff with the same role get the same frames. Raises the
    same error as the dashboard if the caller has no access.
    """
    if refusal := MODERATOR.refusal(work.identity):
        raise refusal
    return work.identity.role


@following("follow_todo", admit=admit)
def activity(work: Work, role: str) -> presenters.TodoActivity:
    """The to-dos of staff with this role.

    The to-dos are stored together with the dashboard's totals, and change only when these are
    computed again. So a page that gets this frame, and then requests the dashboard, finds the same
    to-dos there.
    """
    return presenters.todo_activity(dashboards.todo_of(work, role))
