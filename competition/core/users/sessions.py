"""Sessions: a login and the tokens that come of it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID, uuid4

from pyramid.config import Configurator
from sqlalchemy import ARRAY, Uuid, and_, any_, bindparam, delete, or_, select, update

from competition.core.audit import security_log
from competition.core.auth.access import RANKED, StaffRole, outranks_or_equals
from competition.core.auth.identity import Identity
from competition.core.auth.tokens import TokenSettings
from competition.core.errors import InvalidToken, NotFound
from competition.core.jobs.housekeeping import HousekeepingSettings, retention
from competition.core.push import notify
from competition.core.settings import setting
from competition.core.users.credentials import AuthSession
from competition.core.users.models import User
from competition.core.work import Work

# The caller of a request: no row if the session has ended, or the account is not active.
LIVING = (
    select(AuthSession.id, AuthSession.second_factor, User)
    .join(User, AuthSession.user_id == User.id)
    .where(AuthSession.revoked_at.is_(None), User.is_active)
)
OF_TOKEN = LIVING.where(
    AuthSession.id == bindparam("session_id"), AuthSession.user_id == bindparam("user_id")
)
# One parameter, however many sessions there are.
OF_SESSIONS = LIVING.where(AuthSession.id == any_(bindparam("session_ids", type_=ARRAY(Uuid()))))


@dataclass(frozen=True)
class TokenPair:
    access: str
    refresh: str


@dataclass(frozen=True, kw_only=True)
class SessionSettings:
    """`second_factor_from` is the lowest rank of staff whose sessions want a second factor; empty:
    nobody's do."""

    prefix: ClassVar[str] = "competition.sessions"
    second_factor_from: str = setting("", choices=RANKED)


SETTINGS = SessionSettings


class ReusedToken(InvalidToken):
    """Somebody used an old refresh token: the session it belongs to ends, and the end is committed
    though the request is refused."""

    keep = True


def start(work: Work, user: User, *, second_factor: bool = False) -> TokenPair:
    """Begin a session; the user is the caller from here on. `second_factor` says whether they have
    shown one, besides the password."""
    session = AuthSession(
        id=uuid4(),
        user_id=user.id,
        refresh_jti=uuid4(),
        created_at=work.now,
        refreshed_at=work.now,
        second_factor=second_factor,
    )
    work.db.add(session)
    work.db.flush()
    work.user = user
    work.actor = _identity(work, user, session.id, second_factor)
    return _tokens(work, session)


def refresh(work: Work, token: str) -> TokenPair:
    """A new pair for a refresh token (decisions C9, C10). Raises InvalidToken."""
    claims = work.runtime.tokens.read(token, "refresh", work.now)
    session = _locked(work, claims.session_id)
    active = work.db.scalar(select(User.is_active).where(User.id == claims.user_id))
    if session is None or session.revoked_at is not None or not active:
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
    security_log.tell(work, "token_reused", user_id=claims.user_id, session_id=session.id)
    raise ReusedToken


def refreshing_user(work: Work, token: str) -> UUID | None:
    """The user whose limit a refresh counts against: the session's owner, if the token is its
    current or previous one. Else None, so that somebody with a stolen old token can't use up the
    owner's requests. Changes nothing."""
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
    """End the session of a refresh token. Raises InvalidToken, also when it had ended before."""
    claims = work.runtime.tokens.read(token, "refresh", work.now)
    session = _locked(work, claims.session_id)
    if session is None or session.revoked_at is not None:
        raise InvalidToken
    if claims.jti not in (session.refresh_jti, session.previous_jti):
        raise InvalidToken
    _end(work, session)


def end_all(work: Work, user_id: UUID) -> None:
    work.db.execute(
        update(AuthSession)
        .where(AuthSession.user_id == user_id, AuthSession.revoked_at.is_(None))
        .values(revoked_at=work.now)
    )
    notify.announce(work, notify.SESSIONS, str(user_id))


def prove_second_factor(work: Work) -> None:
    """The actor has shown a second factor: the session counts as opened with it. All others of the
    actor end, which whoever has the password may have opened without it."""
    user_id, session_id = work.identity.user_id, work.identity.session_id
    others = and_(AuthSession.user_id == user_id, AuthSession.id != session_id)
    work.db.execute(
        update(AuthSession)
        .where(others, AuthSession.revoked_at.is_(None))
        .values(revoked_at=work.now)
    )
    work.db.execute(
        update(AuthSession).where(AuthSession.id == session_id).values(second_factor=True)
    )
    notify.announce(work, notify.SESSIONS, str(user_id))


def forget_second_factor(work: Work, user_id: UUID) -> None:
    """The user has no second factor any more: no session counts as opened with one."""
    work.db.execute(
        update(AuthSession).where(AuthSession.user_id == user_id).values(second_factor=False)
    )


def wants_second_factor(work: Work, role: str) -> bool:
    """Of staff with this role."""
    lowest = work.settings[SessionSettings].second_factor_from
    return lowest != "" and outranks_or_equals(role, StaffRole(lowest))


def listing(work: Work) -> list[AuthSession]:
    """The actor's sessions that can still be refreshed, the latest login first."""
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
    """End one of the actor's sessions. Raises NotFound, also when it had ended before."""
    session = _locked(work, session_id)
    if (
        session is None
        or session.user_id != work.identity.user_id
        or session.revoked_at is not None
    ):
        raise NotFound
    _end(work, session)


def identify(work: Work, token: str, *, api_key_id: int | None = None) -> Identity:
    """The identity behind an access token, as the database has it now; the user is `work.user`
    from here on. Raises InvalidToken."""
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


def living(work: Work, session_ids: Collection[UUID]) -> dict[UUID, Identity]:
    """The identities of those of these sessions that have not ended, as the database has them
    now."""
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
    return work.db.get(AuthSession, session_id, with_for_update=True, populate_existing=True)


def _tokens(work: Work, session: AuthSession) -> TokenPair:
    """The token pair of a session. The refresh token follows from the row alone, so a client that
    repeats its request gets the same one."""
    tokens = work.runtime.tokens
    return TokenPair(
        access=tokens.issue("access", session.user_id, session.id, uuid4(), work.now),
        refresh=tokens.issue(
            "refresh", session.user_id, session.id, session.refresh_jti, session.refreshed_at
        ),
    )


@retention("core.sessions")
def forget_sessions(work: Work) -> None:
    """Delete sessions some time after they ended, or could be refreshed for the last time."""
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


def includeme(config: Configurator) -> None:
    config.scan(__name__)
