"""Handle the messages of clients: `{"action": …, "data": …}` (decisions M10)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec

from competition.core.auth.access import USER
from competition.core.database_errors import retrying
from competition.core.errors import ApiError, InvalidToken
from competition.core.messages import Language, translate_for, worded
from competition.core.push.sockets import Action, Following
from competition.core.runtime import Runtime
from competition.core.users import callers
from competition.core.web import failures
from competition.core.web.validation import deserialize
from competition.core.work import Work, begin
from competition.ws.following import Followed, Unfollowed, follow, unfollow


def handle(
    runtime: Runtime,
    session_id: UUID,
    request_id: str,
    message: str | bytes,
    language: Language | None = None,
) -> str | Followed | Unfollowed | None:
    """Run the action that a client sent, in a transaction.

    Returns an error message in this language, or the object that the client follows or unfollows
    from now on, or None. Raises InvalidToken if the session has ended.
    """
    name, data = _read(message)
    act = _function(runtime, name, data) if isinstance(name, str) else None
    if act is None:
        return f"Unknown action: {name}"

    def done() -> Followed | Unfollowed | None:
        with begin(runtime, request_id) as work:
            actor = callers.living(work, [session_id]).get(session_id)
            if actor is None or USER.refusal(actor):
                raise InvalidToken
            work.actor = actor
            return act(work)

    try:
        with runtime.traces.span(f"action {name}", "server"):
            return retrying(done)
    except InvalidToken:
        raise
    except ApiError as error:
        refusal = error
    except Exception as error:
        refusal = failures.refusal(error)
    return failed(runtime, name, refusal.detail, language)


def failed(runtime: Runtime, name: str, reason: str, language: Language | None) -> str:
    """The error message for an action. Every error begins with the English words "Unknown action:",
    which clients expect (decisions M10). Only the reason is translated."""
    return f"Unknown action: {name}. {worded(reason, translate_for(runtime, language))}"


def _function(
    runtime: Runtime, name: str, data: Any
) -> Callable[[Work], Followed | Unfollowed | None] | None:
    """The function for the action, or None if there is no action of this name."""
    if action := runtime.catalogue[Action].get(name):
        return lambda work: action.act(work, _given(action, data))
    followings = runtime.catalogue[Following]
    if following := followings.get(name):
        return lambda work: follow(work, following, _given(following, data))
    if name.startswith("un") and (ended := followings.get(name.removeprefix("un"))):
        return lambda work: unfollow(work, ended, _given(ended, data))
    return None


def _given(declared: Action | Following, data: Any) -> Any:
    """The validated data of an action. Raises Invalid if its schema does not accept the data."""
    return data if declared.data is None else deserialize(declared.data, data, name="data")


def _read(message: str | bytes) -> tuple[Any, Any]:
    """The name and the data of an action; (None, None) if the message is malformed."""
    try:
        frame = msgspec.json.decode(message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, None
    return (frame.get("action"), frame.get("data")) if isinstance(frame, dict) else (None, None)
