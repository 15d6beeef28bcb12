"""Single-use tickets, for browsers: each opens a socket, or downloads one path, without headers.

A page can't send headers with a WebSocket (decisions M9) or with a link. A ticket belongs to the
session that requested it, and is stored as a digest.
"""

import hashlib
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete

from competition.core.auth.identity import Identity
from competition.core.errors import AuthenticationFailed, InvalidToken
from competition.core.messages import Message
from competition.core.users import api_keys, callers
from competition.core.users.credentials import SocketTicket
from competition.core.work import Work

# How long a ticket for a socket is valid, in seconds. A short time is enough, because pages use the
# ticket at once, and safer, because a proxy may log the ticket.
SOCKET_SECONDS = 30
# How long a link to a download works.
DOWNLOAD = timedelta(seconds=60)
NOT_VALID = Message("The ticket is not valid. Request a new ticket.")


@dataclass(frozen=True)
class UsedTicket:
    """A ticket that was used just now, and is no longer stored. `token_expires_at` and `api_key_id`
    belong to the access token and the API key with which the ticket was requested."""

    session_id: UUID
    token_expires_at: datetime
    api_key_id: int | None


def issue(work: Work) -> str:
    """Create a ticket that opens a socket for the actor's session."""
    ticket = secrets.token_urlsafe(32)
    _store(work, _digest(ticket), timedelta(seconds=SOCKET_SECONDS))
    return ticket


def issue_for_download(work: Work, target: str) -> tuple[str, datetime]:
    """Create a ticket that downloads `target`, a path with its query, for the actor's session.
    Returns the ticket, and when it expires: at the latest with the access token."""
    ticket = secrets.token_urlsafe(32)
    return ticket, _store(work, _digest_of_download(ticket, target), DOWNLOAD)


def redeem(work: Work, ticket: str) -> Identity:
    """Use up a ticket for a socket, and return the identity that it was issued for.

    Raises InvalidToken if the ticket is unknown, used or expired, or its session has ended. Raises
    AuthenticationFailed if the API key with which it was issued is no longer valid.
    """
    used = _use(work, _digest(ticket))
    identity = callers.living(work, [used.session_id]).get(used.session_id)
    if identity is None:
        raise InvalidToken(NOT_VALID)
    if used.api_key_id is not None and not api_keys.good(work, [used.api_key_id]):
        raise AuthenticationFailed(api_keys.NOT_VALID)
    return replace(identity, expires_at=used.token_expires_at, api_key_id=used.api_key_id)


def use_for_download(work: Work, ticket: str, target: str) -> UsedTicket:
    """Use up a ticket for the download of `target`. Its session and its API key are not checked
    here. Raises InvalidToken if the ticket is unknown, used or expired, or is for another
    target."""
    return _use(work, _digest_of_download(ticket, target))


def _store(work: Work, digest: str, lifetime: timedelta) -> datetime:
    """Store a ticket of the actor's session, and delete the session's expired tickets. Returns when
    the new ticket expires."""
    identity = work.identity
    work.db.execute(
        delete(SocketTicket).where(
            SocketTicket.session_id == identity.session_id, SocketTicket.expires_at <= work.now
        )
    )
    ticket = SocketTicket(
        digest=digest,
        session_id=identity.session_id,
        expires_at=work.now + lifetime,
        token_expires_at=identity.expires_at,
        api_key_id=identity.api_key_id,
    )
    work.db.add(ticket)
    return min(ticket.expires_at, ticket.token_expires_at)


def _use(work: Work, digest: str) -> UsedTicket:
    used = work.db.execute(
        delete(SocketTicket)
        .where(SocketTicket.digest == digest)
        .returning(
            SocketTicket.session_id,
            SocketTicket.expires_at,
            SocketTicket.token_expires_at,
            SocketTicket.api_key_id,
        )
    ).one_or_none()
    if used is None or min(used.expires_at, used.token_expires_at) <= work.now:
        raise InvalidToken(NOT_VALID)
    return UsedTicket(used.session_id, used.token_expires_at, used.api_key_id)


def _digest(ticket: str) -> str:
    return hashlib.sha256(ticket.encode()).hexdigest()


def _digest_of_download(ticket: str, target: str) -> str:
    """The digest of a ticket together with its target.

    The hash function differs from the one for tickets of sockets, so a ticket of one kind can't be
    used as a ticket of the other kind.
    """
    text = f"{target}\n{ticket}".encode()
    return hashlib.blake2b(text, digest_size=32, person=b"download").hexdigest()
