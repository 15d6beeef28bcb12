"""One-use tickets that open a socket (decisions M9): a browser can't send headers with it."""

import hashlib
import secrets
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import delete

from competition.core.auth import sessions
from competition.core.auth.identity import Identity
from competition.core.auth.models import SocketTicket
from competition.core.errors import InvalidToken
from competition.core.push.sockets import SocketSettings
from competition.core.work import Work


def issue(work: Work) -> str:
    """Make a ticket for the actor's session, and delete its tickets that have expired unused."""
    ticket = secrets.token_urlsafe(32)
    identity = work.identity
    work.db.execute(
        delete(SocketTicket).where(
            SocketTicket.session_id == identity.session_id, SocketTicket.expires_at <= work.now
        )
    )
    work.db.add(
        SocketTicket(
            digest=_digest(ticket),
            session_id=identity.session_id,
            expires_at=work.now + timedelta(seconds=work.settings[SocketSettings].ticket),
            token_expires_at=identity.expires_at,
        )
    )
    return ticket


def redeem(work: Work, ticket: str) -> Identity:
    """The identity behind a ticket, which works only once. Raises InvalidToken."""
    used = work.db.execute(
        delete(SocketTicket)
        .where(SocketTicket.digest == _digest(ticket))
        .returning(SocketTicket.session_id, SocketTicket.expires_at, SocketTicket.token_expires_at)
    ).one_or_none()
    if used is None or min(used.expires_at, used.token_expires_at) <= work.now:
        raise InvalidToken("The ticket is not valid.")
    identity = sessions.living(work, [used.session_id]).get(used.session_id)
    if identity is None:
        raise InvalidToken("The ticket is not valid.")
    return replace(identity, expires_at=used.token_expires_at)


def _digest(ticket: str) -> str:
    return hashlib.sha256(ticket.encode()).hexdigest()
