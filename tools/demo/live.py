"""Sockets of candidates, and what reaches them there."""

import json
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tools.demo.announcements import News, told
from tools.demo.cast import Candidate
from tools.demo.errors import DemoError

# So many candidates listen.
MOST_LISTENERS = 100
PATIENCE_SECONDS = 30


def listen(ws_url: str, candidate: Candidate) -> ClientConnection:
    """Raises DemoError."""
    try:
        return connect(
            ws_url,
            additional_headers=candidate.client.headers,
            open_timeout=PATIENCE_SECONDS,
            # The environment's has no business between a laptop and itself.
            proxy=None,
        )
    except (OSError, WebSocketException) as error:
        raise DemoError(
            f"{ws_url} can't be opened ({error}): is `competition ws` running?"
        ) from error


def check_heard(socket: ClientConnection, candidate: Candidate, news: News) -> None:
    """Once, and as REST has it. Marks it as read, which REST shows then."""
    pushed = _next(socket, candidate)
    shown = told(candidate, news)
    if pushed != {"type": "notification_activity", "message": shown}:
        raise DemoError(f"{candidate.full_name} was told {shown}, and the socket said {pushed}.")
    _send(socket, "mark_as_read", {"notification_id": shown["id"]})
    # What is done is done in order: this answer comes when the other action is over.
    _send(socket, "nothing", {})
    answer = _next(socket, candidate)
    if answer != {"type": "error", "message": "Unknown action: nothing"}:
        raise DemoError(f"The socket of {candidate.full_name} said {answer}.")
    if told(candidate, news) != {**shown, "read": True}:
        raise DemoError(f"What {candidate.full_name} has read is shown as unread.")


def _send(socket: ClientConnection, action: str, data: object) -> None:
    socket.send(json.dumps({"action": action, "data": data}))


def _next(socket: ClientConnection, candidate: Candidate) -> Any:
    try:
        return json.loads(socket.recv(PATIENCE_SECONDS))
    except (TimeoutError, WebSocketException) as error:
        raise DemoError(
            f"The socket of {candidate.full_name} said nothing in {PATIENCE_SECONDS} s ({error})."
        ) from error
