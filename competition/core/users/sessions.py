"""Sessions: a session is a login with all tokens that are issued for it."""

import hmac
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from sqlalchemy import ColumnElement, and_, delete, or_, select, update

from competition.core.audit import security_log
from competition.core.auth.tokens import TokenSettings
from competition.core.errors import InvalidToken, NotFound
from competition.core.jobs.housekeeping import retention
from competition.core.push import notify
from competition.core.users import callers, devices, networks
from competition.core.users.credentials import AuthSession
from competition.core.users.models import User
from competition.core.work import Work

# How long sessions are retained after they have ended, so that an operator can still see which
# logins an account had when an incident is noticed late.
RETAINED = timedelta(days=30)
# If a client sends the previous refresh token this soon after it was replaced, it gets the same new
# token again: two tabs of a browser may refresh at the same time. The time is short, because a
# thief of the previous token could use the token in the same way.
REFRESH_GRACE = timedelta(seconds=10)


@dataclass(frozen=True)
class TokenPair:
    access: str
    refresh: str


class ReusedToken(InvalidToken):
    """An old refresh token was used. Its session ends, which is committed although the request
    fails."""

    keep = True


def start(
    work: Work, user: User, *, second_factor: bool = False, shared_device: bool = False
) -> TokenPair:
    """Start a session, and remember the network of this login. The user becomes the caller of this
    work. `second_factor` is true if the user has proved a second factor in addition to the
    password. With `shared_device`, the session ends 2 hours after its last use."""
    session = AuthSession(
        id=uuid4(),
        user_id=user.id,
        refresh_jti=uuid4(),
        created_at=work.now,
        refreshed_at=work.now,
        second_factor=second_factor,
        device=devices.named(work.user_agent),
        ends_at=work.now + callers.SHARED_FOR if shared_device else None,
    )
    work.db.add(session)
    if user.first_login_at is None:
        user.first_login_at = work.now
    work.db.flush()
    networks.remember(work, user.id)
    work.user = user
    work.actor = callers.identity_of(work, user, session.id, second_factor)
    return _tokens(work, session)


def refresh(
    work: Work, token: str, key: str | None = None, *, deleted: ColumnElement[bool] | None = None
) -> TokenPair:
    """A new token pair for a refresh token (decisions C9, C10).

    `key` is the idempotency key of the request. A client that got no reply repeats the request with
    the same key. It then gets the same refresh token again, until that token is used. `deleted` is
    a condition for users whose accounts count as deleted, although their rows still exist.

    Raises InvalidToken if the token is invalid, its session has ended, or the account is inactive
    or counts as deleted. If the token has been replaced already, this ends the session and raises
    ReusedToken. The token that was replaced last is still accepted with the same key, or within 10
    seconds.
    """
    claims = work.runtime.tokens.read(token, "refresh", work.now)
    session = _locked(work, claims.session_id)
    is_usable = User.is_active if deleted is None else and_(User.is_active, ~deleted)
    active = work.db.scalar(select(is_usable).where(User.id == claims.user_id))
    if session is None or not active:
        raise InvalidToken
    successor = uuid4() if key is None else _named(claims.jti, key)
    if claims.jti == session.refresh_jti:
        session.previous_jti, session.refresh_jti = session.refresh_jti, successor
        session.refreshed_at = work.now
        if session.ends_at is not None:
            session.ends_at = work.now + callers.SHARED_FOR
        work.db.flush()
        return _tokens(work, session)
    is_soon = work.now - session.refreshed_at <= REFRESH_GRACE
    is_repeated = successor == session.refresh_jti or is_soon
    if claims.jti == session.previous_jti and is_repeated:
        return _tokens(work, session)
    _end(work, session)
    security_log.record(work, "token_reused", user_id=claims.user_id, session_id=session.id)
    raise ReusedToken


def _named(jti: UUID, key: str) -> UUID:
    """The id of the refresh token that replaces the token `jti` in a request with this key.

    The service recognises a repeated request by it, and need not store the key.
    """
    return UUID(bytes=hmac.digest(jti.bytes, key.encode(), "sha256")[:16])


def of_refresh(work: Work, token: str) -> UUID | None:
    """The id of the session whose rate limit counts a refresh with this token, or None.

    It is None unless the token is the session's current or previous refresh token, so that a thief
    with an older token can't use up the limit of the session. This changes nothing.
    """
    try:
        claims = work.runtime.tokens.read(token, "refresh", work.now)
    except InvalidToken:
        return None
    return work.db.scalar(
        select(AuthSession.id).where(
            AuthSession.id == claims.session_id,
            AuthSession.revoked_at.is_(None),
            or_(
                AuthSession.refresh_jti == claims.jti,
                AuthSession.previous_jti == claims.jti,
            ),
        )
    )


def ended_token(work: Work, token: str) -> UUID | None:
    """The id of a refresh token that this service has issued, also if the token has expired or its
    session has ended. None for any other text."""
    try:
        return work.runtime.tokens.read_expired(token, "refresh").jti
    except InvalidToken:
        return None


def end(work: Work, token: str) -> None:
    """End the session of a refresh token. Raises InvalidToken if the token is invalid, or the
    session has already ended."""
    claims = work.runtime.tokens.read(token, "refresh", work.now)
    session = _locked(work, claims.session_id)
    if session is None or claims.jti not in (session.refresh_jti, session.previous_jti):
        raise InvalidToken
    _end(work, session)


def end_all(work: Work, user_id: UUID, *, but: UUID | None = None) -> None:
    """End all sessions of a user except the one with the id `but`."""
    ended = update(AuthSession).where(
        AuthSession.user_id == user_id, AuthSession.revoked_at.is_(None)
    )
    if but is not None:
        ended = ended.where(AuthSession.id != but)
    work.db.execute(ended.values(revoked_at=work.now))
    notify.announce(work, notify.SESSIONS, str(user_id))


def began_within(work: Work, period: timedelta) -> bool:
    """Whether the actor's session began within this period before now. Refreshing tokens does not
    begin a session."""
    began = select(AuthSession.created_at).where(AuthSession.id == work.identity.session_id)
    return work.db.scalars(began).one() > work.now - period


def listing(work: Work, user_id: UUID) -> list[AuthSession]:
    """A user's sessions that can still be refreshed, newest login first."""
    lifetime = timedelta(seconds=work.settings[TokenSettings].refresh_lifetime)
    return list(
        work.db.scalars(
            select(AuthSession)
            .where(
                AuthSession.user_id == user_id,
                AuthSession.revoked_at.is_(None),
                AuthSession.refreshed_at > work.now - lifetime,
                or_(AuthSession.ends_at.is_(None), AuthSession.ends_at > work.now),
            )
            .order_by(AuthSession.created_at.desc(), AuthSession.id)
        )
    )


def end_one(work: Work, session_id: UUID) -> None:
    """End one of the actor's sessions. Raises NotFound if the actor has no such session, or it has
    already ended."""
    session = _locked(work, session_id)
    if session is None or session.user_id != work.identity.user_id:
        raise NotFound
    _end(work, session)


def _end(work: Work, session: AuthSession) -> None:
    session.revoked_at = work.now
    work.db.flush()
    notify.announce(work, notify.SESSIONS, str(session.user_id))


def _locked(work: Work, session_id: UUID) -> AuthSession | None:
    """Lock and reload a session, and return it. None if there is none, or it has ended."""
    session = work.db.get(AuthSession, session_id, with_for_update=True, populate_existing=True)
    if session is None or session.revoked_at is not None:
        return None
    return None if callers.has_ended(work, session.ends_at) else session


def _tokens(work: Work, session: AuthSession) -> TokenPair:
    """The token pair of a session. The refresh token depends only on the row, so a client that
    repeats its request gets the same refresh token."""
    tokens = work.runtime.tokens
    return TokenPair(
        access=tokens.issue("access", session.user_id, session.id, uuid4(), work.now),
        refresh=tokens.issue(
            "refresh", session.user_id, session.id, session.refresh_jti, session.refreshed_at
        ),
    )


@retention("core.sessions")
def forget_sessions(work: Work) -> None:
    """Delete sessions that ended, or could last be refreshed, more than 30 days ago."""
    ended = work.now - RETAINED
    refreshable = timedelta(seconds=work.settings[TokenSettings].refresh_lifetime)
    work.db.execute(
        delete(AuthSession).where(
            or_(
                AuthSession.revoked_at < ended,
                AuthSession.refreshed_at + refreshable < ended,
            )
        )
    )
