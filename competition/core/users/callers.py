"""Callers: the identity of the user to whom an access token or a session belongs, as it is now.

A request that may change something keeps its caller's account from being erased until the commit
(`accounts.keep_from_erasure`). If the account is being erased, such a request waits for the commit
of the erasure, and then raises InvalidToken.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import Row, Select, any_, bindparam, select, update

from competition.core.auth.access import RANKED, StaffRole, outranks_or_equals
from competition.core.auth.identity import Identity
from competition.core.database import UUIDS, ReadingSession
from competition.core.errors import InvalidToken
from competition.core.settings import setting
from competition.core.users.credentials import AuthSession
from competition.core.users.models import ACCOUNT, USERS, User
from competition.core.work import Work, changing

# How long the session of a shared computer lasts after its last use.
SHARED_FOR = timedelta(hours=2)
# A further use within this time does not update the row, so that most requests write nothing.
FRESH_FOR = timedelta(minutes=1)

SESSIONS = AuthSession.metadata.tables["session"]
# Sessions with their users, without revoked sessions and without inactive accounts. The session of
# a shared computer is still among them after `ends_at`, so check that with `has_ended`.
LIVING = (
    select(
        SESSIONS.c.id.label("session_id"), SESSIONS.c.second_factor, SESSIONS.c.ends_at, *ACCOUNT
    )
    .join(USERS, SESSIONS.c.user_id == USERS.c.id)
    .where(SESSIONS.c.revoked_at.is_(None), USERS.c.is_active)
)
OF_TOKEN = LIVING.where(
    SESSIONS.c.id == bindparam("session_id"), SESSIONS.c.user_id == bindparam("user_id")
)
OF_SESSIONS = LIVING.where(SESSIONS.c.id == any_(bindparam("session_ids", type_=UUIDS)))
# The statements above, with a lock that keeps the account from being erased.
LOCKING = {
    each: each.with_for_update(read=True, key_share=True, of=USERS)
    for each in (OF_TOKEN, OF_SESSIONS)
}


@dataclass(frozen=True, kw_only=True)
class SessionSettings:
    """`second_factor_from` is the lowest rank of staff who need a second factor. If it is empty, no
    staff need a second factor."""

    prefix: ClassVar[str] = "competition.sessions"
    second_factor_from: str = setting("", choices=RANKED, decide=True)


SETTINGS = SessionSettings


def identify(work: Work, token: str, *, api_key_id: int | None = None) -> Identity:
    """The current identity of an access token's user, who becomes `work.user`.

    Raises InvalidToken if the token is invalid, its session has ended or the account is inactive.
    """
    claims = work.runtime.tokens.read(token, "access", work.now)
    known = {"session_id": claims.session_id, "user_id": claims.user_id}
    return _caller(work, OF_TOKEN, known, claims.expires_at, api_key_id)


def resume(
    work: Work, session_id: UUID, *, expires_at: datetime, api_key_id: int | None
) -> Identity:
    """The current identity of a session's user, who becomes `work.user`. The caller's access token
    was checked earlier, and expires at `expires_at`.

    Raises InvalidToken if the session has ended or the account is inactive.
    """
    return _caller(work, OF_SESSIONS, {"session_ids": [session_id]}, expires_at, api_key_id)


def _caller(
    work: Work,
    statement: Select[*tuple[Any, ...]],
    parameters: Mapping[str, Any],
    expires_at: datetime,
    api_key_id: int | None,
) -> Identity:
    """The identity of the user whom the statement, OF_TOKEN or OF_SESSIONS, finds.

    Stores the row in `work.user`. Extends the session of a shared computer. If the work may change
    something, keeps the account from being erased until the commit. Raises InvalidToken if the
    statement finds no row, or the session of a shared computer has ended."""
    if not isinstance(work.db, ReadingSession):
        statement = LOCKING[statement]
    found = work.user = work.db.execute(statement, parameters).one_or_none()
    if found is None or has_ended(work, found.ends_at):
        raise InvalidToken
    if found.ends_at is not None and found.ends_at < work.now + SHARED_FOR - FRESH_FOR:
        with changing(work) as other:
            used = update(SESSIONS).where(SESSIONS.c.id == found.session_id)
            other.db.execute(used.values(ends_at=work.now + SHARED_FOR))
    identity = identity_of(work, found, found.session_id, found.second_factor)
    return replace(identity, expires_at=expires_at, api_key_id=api_key_id)


def has_ended(work: Work, ends_at: datetime | None) -> bool:
    """Whether the session of a shared computer has ended. `ends_at` is None for other sessions."""
    return ends_at is not None and ends_at <= work.now


def living(work: Work, session_ids: Collection[UUID]) -> dict[UUID, Identity]:
    """The current identities of these sessions, by session id. Sessions that have ended, and those
    of inactive accounts, are left out."""
    rows = work.db.execute(OF_SESSIONS, {"session_ids": list(session_ids)})
    return {
        row.session_id: identity_of(work, row, row.session_id, row.second_factor)
        for row in rows
        if not has_ended(work, row.ends_at)
    }


def identity_of(
    work: Work, user: User | Row[Any], session_id: UUID, has_second_factor: bool
) -> Identity:
    return Identity(
        user_id=user.id,
        kind=user.kind,
        role=user.role,
        full_name=user.full_name,
        is_verified=user.is_verified,
        season=getattr(user, "season", None),
        permissions=frozenset(user.permissions),
        lacks_second_factor=(
            user.kind == "staff" and wants_second_factor(work, user.role) and not has_second_factor
        ),
        session_id=session_id,
    )


def wants_second_factor(work: Work, role: str) -> bool:
    """Whether staff with this role must use a second factor (setting `second_factor_from`)."""
    lowest = work.settings[SessionSettings].second_factor_from
    return lowest != "" and outranks_or_equals(role, StaffRole(lowest))
