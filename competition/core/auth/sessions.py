"""Sessions: a login and the tokens that come of it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID, uuid4

from pyramid.config import Configurator
from sqlalchemy import (
    ARRAY,
    DateTime,
    Row,
    String,
    Uuid,
    and_,
    any_,
    bindparam,
    delete,
    false,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from competition.core.auth import security_log
from competition.core.auth.access import RANKED, StaffRole, outranks_or_equals
from competition.core.auth.identity import Identity, Kind
from competition.core.auth.models import AuthSession
from competition.core.auth.tokens import TokenSettings
from competition.core.errors import InvalidToken, NotFound
from competition.core.jobs.housekeeping import HousekeepingSettings, retention
from competition.core.push import notify
from competition.core.read_ahead import Together, of_one_mind, together
from competition.core.settings import setting
from competition.core.users.models import User
from competition.core.work import READ_AHEAD, Read, Work

# What an identity is made of. Built once, since every request asks; of the tables, not the classes:
# there is nothing to map.
_SESSION, _USER = AuthSession.__table__.c, User.__table__.c
_IS_LIVING = and_(_SESSION.revoked_at.is_(None), _USER.is_active)
# In the order of _identity's arguments.
_CALLER = (
    _USER.id,
    _USER.kind,
    _USER.role,
    _USER.first_name,
    _USER.last_name,
    _USER.is_email_verified,
    _USER.verification,
    _USER.permissions,
)
# Which transactions wrote what an identity is made of: as long as they are the same, so is it.
WRITTEN_BY = literal_column("session.xmin || '.' || \"user\".xmin", String)
_OF_SESSION = (
    _SESSION.id.label("session_id"),
    _SESSION.second_factor.label("has_second_factor"),
    WRITTEN_BY.label("written_by"),
)
_LIVING = (
    select(*_OF_SESSION, *_CALLER)
    .join_from(AuthSession.__table__, User.__table__, _SESSION.user_id == _USER.id)
    .where(_IS_LIVING)
)
_IS_OF_TOKEN = and_(
    _SESSION.id == bindparam("session_id"), _SESSION.user_id == bindparam("user_id")
)
OF_TOKEN = _LIVING.where(_IS_OF_TOKEN)
# What that finds of the caller.
_OF_CALLER = select(User.__table__).where(_USER.id == bindparam("user_id"))
_NEW = insert(AuthSession.__table__).returning(  # type: ignore[arg-type]  # it is a Table
    _SESSION.id, _SESSION.user_id, _SESSION.refresh_jti, _SESSION.refreshed_at
)
# The account is locked as whoever changes a password locks it, and looked at once more: either this
# session comes first, and is ended with the others, or the new password is seen.
_NEW_OF_UNCHANGED = _NEW.from_select(
    ["id", "user_id", "refresh_jti", "created_at", "refreshed_at", "second_factor"],
    select(
        bindparam("session_id", type_=Uuid()),
        _USER.id,
        bindparam("refresh_jti", type_=Uuid()),
        bindparam("now", type_=DateTime(timezone=True)),
        bindparam("now", type_=DateTime(timezone=True)),
        false(),
    )
    .where(
        _USER.id == bindparam("user_id"),
        _USER.password_hash == bindparam("password_hash"),
        _USER.is_active,
    )
    .with_for_update(key_share=True),
)
# One parameter, however many there are.
OF_SESSIONS = _LIVING.where(_SESSION.id == any_(bindparam("session_ids", type_=ARRAY(Uuid()))))


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
    """The user is the actor from here on. `second_factor`: they have shown one, besides the
    password."""
    values = {
        "id": uuid4(),
        "user_id": user.id,
        "refresh_jti": uuid4(),
        "created_at": work.now,
        "refreshed_at": work.now,
        "second_factor": second_factor,
    }
    # The user comes first.
    work.db.flush()
    return _begin(work, user, work.db.execute(_NEW, values).one(), second_factor=second_factor)


def start_if_unchanged(work: Work, account: Row[Any]) -> TokenPair | None:
    """`start` for an account that was read and not locked: one statement, which is all that the
    work changes. None for one that has another password by now, or is not active."""
    values = {
        "session_id": uuid4(),
        "user_id": account.id,
        "password_hash": account.password_hash,
        "refresh_jti": uuid4(),
        "now": work.now,
    }
    begun = work.db.alone(_NEW_OF_UNCHANGED, values)
    return _begin(work, account, begun[0]) if begun else None


def _begin(
    work: Work, user: User | Row[Any], session: Row[Any], *, second_factor: bool = False
) -> TokenPair:
    work.actor = _identity(
        work, *_fields(user), session_id=session.id, has_second_factor=second_factor
    )
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


def identify(
    work: Work,
    token: str,
    *,
    api_key_id: int | None = None,
    first: Callable[[], Sequence[Read]] = tuple,
) -> Identity:
    """The identity behind an access token, as the database has it now: one statement. It asks for
    what the work reads `first`, too, of which a token that is no good reads nothing. Raises
    InvalidToken."""
    claims = work.runtime.tokens.read(token, "access", work.now)
    given = {"session_id": claims.session_id, "user_id": claims.user_id, "now": work.now}
    along, values = of_one_mind(given, first())
    asking = work.statement(_asking, *((read.build, *read.of) for read in along))
    rows = work.db.read(asking.statement, values)
    if not rows:
        raise InvalidToken
    work.held[READ_AHEAD] = [*zip(along, asking.rows_along(rows), strict=True)]
    row = rows[0]
    return _identity(
        work,
        *row[len(_OF_SESSION) :][: len(_CALLER)],
        session_id=row.session_id,
        has_second_factor=row.has_second_factor,
        written_by=row.written_by,
        expires_at=claims.expires_at,
        api_key_id=api_key_id,
    )


def _asking(work: Work, *asked: tuple[Any, ...]) -> Together:
    """The statement that knows the caller, with others, each as `Read` has it: build and of."""
    return together(OF_TOKEN, _OF_CALLER, [work.statement(build, *of) for build, *of in asked])


def living(work: Work, session_ids: Collection[UUID]) -> dict[UUID, Identity]:
    """The identities of those of these sessions that have not ended, as the database has them
    now."""
    rows = work.db.execute(OF_SESSIONS, {"session_ids": list(session_ids)})
    return {
        session_id: _identity(
            work, *caller, session_id=session_id, has_second_factor=has_second_factor
        )
        for session_id, has_second_factor, _, *caller in rows
    }


def _fields(user: User | Row[Any]) -> Iterable[Any]:
    return (getattr(user, column.name) for column in _CALLER)


def _identity(
    work: Work,
    user_id: UUID,
    kind: Kind,
    role: str,
    first_name: str,
    last_name: str,
    is_email_verified: bool,
    verification: str,
    permissions: Iterable[str],
    *,
    session_id: UUID,
    has_second_factor: bool,
    written_by: str = "",
    expires_at: datetime | None = None,
    api_key_id: int | None = None,
) -> Identity:
    return Identity(
        user_id=user_id,
        kind=kind,
        role=role,
        full_name=f"{first_name} {last_name}",
        is_email_verified=is_email_verified,
        is_user_verified=verification == "approved",
        permissions=frozenset(permissions),
        lacks_second_factor=(
            kind == "staff" and wants_second_factor(work, role) and not has_second_factor
        ),
        session_id=session_id,
        written_by=written_by,
        expires_at=expires_at,
        api_key_id=api_key_id,
    )


def _end(work: Work, session: AuthSession) -> None:
    session.revoked_at = work.now
    work.db.flush()
    notify.announce(work, notify.SESSIONS, str(session.user_id))


def _locked(work: Work, session_id: UUID) -> AuthSession | None:
    return work.db.get(AuthSession, session_id, with_for_update=True)


def _tokens(work: Work, session: AuthSession | Row[Any]) -> TokenPair:
    """The token pair of a session. The refresh token follows from the row alone: whoever asks again
    gets the same one."""
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
