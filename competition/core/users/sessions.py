"""Sessions: a session is a login with all tokens that are issued for it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID, uuid4

from sqlalchemy import any_, bindparam, delete, or_, select, update

from competition.core.audit import security_log
from competition.core.auth.access import RANKED, StaffRole, outranks_or_equals
from competition.core.auth.identity import Identity
from competition.core.auth.tokens import TokenSettings
from competition.core.database import UUIDS
from competition.core.errors import InvalidToken, NotFound
from competition.core.jobs.housekeeping import HousekeepingSettings, retention
from competition.core.push import notify
from competition.core.settings import setting
from competition.core.users import devices, networks
from competition.core.users.credentials import AuthSession
from competition.core.users.models import User
from competition.core.work import Work

# Sessions with their users. Sessions that have ended and inactive accounts have no row.
LIVING = (
    select(AuthSession.id, AuthSession.second_factor, User)
    .join(User, AuthSession.user_id == User.id)
    .where(AuthSession.revoked_at.is_(None), User.is_active)
)
OF_TOKEN = LIVING.where(
    AuthSession.id == bindparam("session_id"), AuthSession.user_id == bindparam("user_id")
)
OF_SESSIONS = LIVING.where(AuthSession.id == any_(bindparam("session_ids", type_=UUIDS)))


@dataclass(frozen=True)
class TokenPair:
    access: str
    refresh: str


@dataclass(frozen=True, kw_only=True)
class SessionSettings:
    """`second_factor_from` is the lowest rank of staff who need a second factor. If it is empty, no
    rank does."""

    prefix: ClassVar[str] = "competition.sessions"
    second_factor_from: str = setting("", choices=RANKED, decide=True)


SETTINGS = SessionSettings


class ReusedToken(InvalidToken):
    """An old refresh token was used. Its session ends, and this is committed although the request
    fails."""

    keep = True


def start(work: Work, user: User, *, second_factor: bool = False) -> TokenPair:
    """Start a session, and remember the network of this login. The user becomes the caller of this
    work. `second_factor` is true if the user has proved one in addition to the password."""
    session = AuthSession(
        id=uuid4(),
        user_id=user.id,
        refresh_jti=uuid4(),
        created_at=work.now,
        refreshed_at=work.now,
        second_factor=second_factor,
        device=devices.named(work.user_agent),
    )
    work.db.add(session)
    work.db.flush()
    networks.remember(work, user.id)
    work.user = user
    work.actor = _identity(work, user, session.id, second_factor)
    return _tokens(work, session)


def refresh(work: Work, token: str) -> TokenPair:
    """A new token pair for a refresh token (decisions C9, C10).

    Raises InvalidToken if the token is invalid or its session has ended. If the token is an old
    one, it ends the session and raises ReusedToken.
    """
    claims = work.runtime.tokens.read(token, "refresh", work.now)
    session = _locked(work, claims.session_id)
    active = work.db.scalar(select(User.is_active).where(User.id == claims.user_id))
    if session is None or not active:
        raise InvalidToken
    if claims.jti == session.refresh_jti:
        session.previous_jti, session.refresh_jti = session.refresh_jti, uuid4()
        session.refreshed_at = work.now
        work.db.flush()
        return _tokens(work, session)
    grace = timedelta(seconds=work.settings[TokenSettings].refresh_grace)
    if claims.jti == session.previous_jti and work.now - session.refreshed_at <= grace:
        return _tokens(work, session)
    _end(work, session)
    security_log.record(work, "token_reused", user_id=claims.user_id, session_id=session.id)
    raise ReusedToken


def refreshing_user(work: Work, token: str) -> UUID | None:
    """The user whose rate limit counts a refresh. This changes nothing.

    It is the session's owner if the token is the session's current or previous one. Otherwise it is
    None, so that a thief with an older token can't use up the owner's limit.
    """
    try:
        claims = work.runtime.tokens.read(token, "refresh", work.now)
    except InvalidToken:
        return None
    return work.db.scalar(
        select(AuthSession.user_id).where(
            AuthSession.id == claims.session_id,
            AuthSession.revoked_at.is_(None),
            or_(
                AuthSession.refresh_jti == claims.jti,
                AuthSession.previous_jti == claims.jti,
            ),
        )
    )


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


def prove_second_factor(work: Work) -> None:
    """Record that the actor has proved a second factor in this session.

    All other sessions of the actor end, because an attacker who has only the password may have
    started them.
    """
    session_id = work.identity.session_id
    end_all(work, work.identity.user_id, but=session_id)
    work.db.execute(
        update(AuthSession).where(AuthSession.id == session_id).values(second_factor=True)
    )


def began_within(work: Work, period: timedelta) -> bool:
    """Whether the actor has logged in within this period. Refreshing tokens is no login."""
    began = select(AuthSession.created_at).where(AuthSession.id == work.identity.session_id)
    return work.db.scalars(began).one() > work.now - period


def forget_second_factor(work: Work, user_id: UUID) -> None:
    """Mark all sessions of a user as started without a second factor, because it was removed."""
    work.db.execute(
        update(AuthSession).where(AuthSession.user_id == user_id).values(second_factor=False)
    )


def wants_second_factor(work: Work, role: str) -> bool:
    """Whether staff with this role must use a second factor (setting `second_factor_from`)."""
    lowest = work.settings[SessionSettings].second_factor_from
    return lowest != "" and outranks_or_equals(role, StaffRole(lowest))


def listing(work: Work) -> list[AuthSession]:
    """The actor's sessions that can still be refreshed, newest login first."""
    lifetime = timedelta(seconds=work.settings[TokenSettings].refresh_lifetime)
    return list(
        work.db.scalars(
            select(AuthSession)
            .where(
                AuthSession.user_id == work.identity.user_id,
                AuthSession.revoked_at.is_(None),
                AuthSession.refreshed_at > work.now - lifetime,
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


def identify(work: Work, token: str, *, api_key_id: int | None = None) -> Identity:
    """The current identity of an access token's user, who becomes `work.user`.

    Raises InvalidToken if the token is invalid, its session has ended or the account is inactive.
    """
    claims = work.runtime.tokens.read(token, "access", work.now)
    found = work.db.execute(
        OF_TOKEN, {"session_id": claims.session_id, "user_id": claims.user_id}
    ).one_or_none()
    if found is None:
        raise InvalidToken
    session_id, has_second_factor, work.user = found
    return _identity(
        work,
        work.user,
        session_id,
        has_second_factor,
        expires_at=claims.expires_at,
        api_key_id=api_key_id,
    )


def resume(
    work: Work, session_id: UUID, *, expires_at: datetime, api_key_id: int | None
) -> Identity:
    """The current identity of a session's user, who becomes `work.user`. The caller's access token
    was checked earlier, and expires at `expires_at`.

    Raises InvalidToken if the session has ended or the account is inactive.
    """
    found = work.db.execute(OF_SESSIONS, {"session_ids": [session_id]}).one_or_none()
    if found is None:
        raise InvalidToken
    _, has_second_factor, work.user = found
    return _identity(
        work,
        work.user,
        session_id,
        has_second_factor,
        expires_at=expires_at,
        api_key_id=api_key_id,
    )


def living(work: Work, session_ids: Collection[UUID]) -> dict[UUID, Identity]:
    """The current identities of these sessions, by session id. Sessions that have ended are left
    out."""
    rows = work.db.execute(OF_SESSIONS, {"session_ids": list(session_ids)})
    return {
        session_id: _identity(work, user, session_id, has_second_factor)
        for session_id, has_second_factor, user in rows
    }


def _identity(
    work: Work,
    user: User,
    session_id: UUID,
    has_second_factor: bool,
    *,
    expires_at: datetime | None = None,
    api_key_id: int | None = None,
) -> Identity:
    return Identity(
        user_id=user.id,
        kind=user.kind,
        role=user.role,
        full_name=user.full_name,
        is_verified=user.is_verified,
        permissions=frozenset(user.permissions),
        lacks_second_factor=(
            user.kind == "staff" and wants_second_factor(work, user.role) and not has_second_factor
        ),
        session_id=session_id,
        expires_at=expires_at,
        api_key_id=api_key_id,
    )


def _end(work: Work, session: AuthSession) -> None:
    session.revoked_at = work.now
    work.db.flush()
    notify.announce(work, notify.SESSIONS, str(session.user_id))


def _locked(work: Work, session_id: UUID) -> AuthSession | None:
    """Lock and reload a session, and return it. None if there is none, or it has ended."""
    session = work.db.get(AuthSession, session_id, with_for_update=True, populate_existing=True)
    return None if session is None or session.revoked_at is not None else session


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
    """Delete sessions `session_days` after they ended or could last be refreshed."""
    ended = work.now - timedelta(days=work.settings[HousekeepingSettings].session_days)
    refreshable = timedelta(seconds=work.settings[TokenSettings].refresh_lifetime)
    work.db.execute(
        delete(AuthSession).where(
            or_(
                AuthSession.revoked_at < ended,
                AuthSession.refreshed_at + refreshable < ended,
            )
        )
    )
