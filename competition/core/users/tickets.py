"""Single-use tickets that open a socket, for browsers, which can't send headers (decisions M9)."""

import hashlib
import secrets
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import delete

from competition.core.auth.identity import Identity
from competition.core.errors import AuthenticationFailed, InvalidToken
from competition.core.messages import Message
from competition.core.push.sockets import SocketSettings
from competition.core.users import api_keys, sessions
from competition.core.users.credentials import SocketTicket
from competition.core.work import Work


def issue(work: Work) -> str:
    """Create a ticket for the actor's session, and delete the session's expired tickets."""
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
            api_key_id=identity.api_key_id,
        )
    )
    return ticket


def redeem(work: Work, ticket: str) -> Identity:
    """Use up a ticket, and return the identity that it was issued for.

    Raises InvalidToken if the ticket is unknown, used or expired, or its session has ended. Raises
    AuthenticationFailed if the API key with which it was issued is no longer valid.
    """
    used = work.db.execute(
        delete(SocketTicket)
        .where(SocketTicket.digest == _digest(ticket))
        .returning(
            SocketTicket.session_id,
            SocketTicket.expires_at,
            SocketTicket.token_expires_at,
            SocketTicket.api_key_id,
        )
    ).one_or_none()
    if used is None or min(used.expires_at, used.token_expires_at) <= work.now:
        raise InvalidToken(Message("The ticket is not valid."))
    identity = sessions.living(work, [used.session_id]).get(used.session_id)
    if identity is None:
        raise InvalidToken(Message("The ticket is not valid."))
    if used.api_key_id is not None and not api_keys.good(work, [used.api_key_id]):
        raise AuthenticationFailed(Message("The API key is not valid."))
    return replace(identity, expires_at=used.token_expires_at, api_key_id=used.api_key_id)


def _digest(ticket: str) -> str:
    return hashlib.sha256(ticket.encode()).hexdigest()
