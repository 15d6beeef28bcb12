"""Handles what clients send: `{"action": …, "data": …}` (decisions M10)."""

from typing import Any
from uuid import UUID

import msgspec

from competition.core.auth import sessions
from competition.core.auth.access import USER
from competition.core.errors import ApiError, InvalidToken
from competition.core.push.sockets import Action
from competition.core.runtime import Runtime
from competition.core.web import failures
from competition.core.web.service import deserialize
from competition.core.work import begin


def handle(runtime: Runtime, session_id: UUID, request_id: str, message: str | bytes) -> str | None:
    """Do what a client asks for, in a transaction; returns what was wrong.

    Raises InvalidToken when the session has ended: a socket is not trusted for longer than a token.
    """
    name, data = _read(message)
    action = runtime.catalogue[Action].get(name) if isinstance(name, str) else None
    if action is None:
        return f"Unknown action: {name}"
    try:
        with begin(runtime, request_id) as work:
            actor = sessions.living(work, [session_id]).get(session_id)
            if actor is None or USER.refusal(actor):
                raise InvalidToken
            work.actor = actor
            given = data if action.data is None else deserialize(action.data, data)
            action.act(work, given)
    except InvalidToken:
        raise
    except ApiError as error:
        # The contract has this prefix for every error (decisions M10).
        return f"Unknown action: {name}. {error.detail}"
    except Exception as error:
        return f"Unknown action: {name}. {failures.refusal(error).detail}"
    return None


def _read(message: str | bytes) -> tuple[Any, Any]:
    try:
        frame = msgspec.json.decode(message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, None
    return (frame.get("action"), frame.get("data")) if isinstance(frame, dict) else (None, None)
