"""The caller's own sessions."""

from uuid import UUID

from competition.core.auth.access import USER
from competition.core.users import sessions
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.accounts import presenters

own_sessions = Service("/auth/sessions/")
own_session = Service("/auth/sessions/{session_id:uuid}/")


@own_sessions.get(access=USER)
def list_sessions(request: Request) -> list[presenters.SessionShape]:
    """List your sessions that have not ended, the latest login first."""
    work = request.work
    own = sessions.listing(work, work.identity.user_id)
    return [presenters.session(work, each) for each in own]


@own_sessions.delete(access=USER, status=204)
def end_sessions(request: Request) -> None:
    """End all your sessions, including the one of this request."""
    sessions.end_all(request.work, request.work.identity.user_id)


@own_session.delete(access=USER, status=204)
def end_session(request: Request, session_id: UUID) -> None:
    """End one of your sessions."""
    sessions.end_one(request.work, session_id)
