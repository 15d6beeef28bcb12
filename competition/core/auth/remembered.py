"""Callers that a process remembers, for what thousands do in one minute.

Who asks is asked by one statement, and what they change is changed by another. Where the second can
see for itself that nothing about the caller has changed since the last time, the first is not
needed: an endpoint that `confirms_caller` does that (docs/decisions/0036-remembered-callers.md).
"""

from collections import OrderedDict
from dataclasses import replace
from typing import Any
from uuid import UUID

from pyramid_retry import RetryableException
from sqlalchemy import Select, String, bindparam, select, true

from competition.core.auth import sessions
from competition.core.auth.identity import Identity
from competition.core.auth.models import AuthSession
from competition.core.users.models import User
from competition.core.work import Work

# One has less than a KiB.
MOST_REMEMBERED = 20_000
# Of what a work holds: it goes by what is remembered, and nothing has confirmed that yet.
UNCONFIRMED = "caller is unconfirmed"

SESSION: Any = AuthSession.__table__
USER: Any = User.__table__


class CallerUnconfirmed(RetryableException):  # type: ignore[misc]  # pyramid_retry has no types
    """What the request went by may not hold any more: the next try asks who it is."""


class Remembered(OrderedDict[UUID | None, Identity]):
    """By their sessions, the latest ones."""


def remember(work: Work) -> None:
    remembered = work.runtime.part(Remembered)
    remembered[work.identity.session_id] = work.identity
    if len(remembered) > MOST_REMEMBERED:
        remembered.popitem(last=False)


def recall(work: Work, token: str, api_key_id: int) -> Identity | None:
    """The identity behind an access token, as this process saw it last: nothing that follows from
    it may be answered or kept before `confirm`. Raises InvalidToken."""
    claims = work.runtime.tokens.read(token, "access", work.now)
    found = work.runtime.part(Remembered).get(claims.session_id)
    if found is None or found.user_id != claims.user_id:
        return None
    work.held[UNCONFIRMED] = True
    if (found.expires_at, found.api_key_id) == (claims.expires_at, api_key_id):
        return found
    return replace(found, expires_at=claims.expires_at, api_key_id=api_key_id)


def unchanged() -> Select[bool]:
    """For a statement that `as_remembered` gives values: a row, if nothing was written about the
    caller or the session since."""
    return (
        select(true().label("is_unchanged"))
        .select_from(SESSION.join(USER, SESSION.c.user_id == USER.c.id))
        .where(SESSION.c.id == bindparam("caller_session", type_=SESSION.c.id.type))
        .where(bindparam("caller_written_by", type_=String) == sessions.WRITTEN_BY)
    )


def as_remembered(work: Work) -> dict[str, Any]:
    caller = work.identity
    return {"caller_session": caller.session_id, "caller_written_by": caller.written_by}


def confirm(work: Work) -> None:
    """A statement has found the caller `unchanged`."""
    work.held.pop(UNCONFIRMED, None)


def check_confirmed(work: Work) -> None:
    """Raises CallerUnconfirmed."""
    if UNCONFIRMED in work.held:
        work.runtime.part(Remembered).pop(work.identity.session_id, None)
        raise CallerUnconfirmed
