"""Open sockets for candidates, and check the pushed notifications."""

import json
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tools.demo.announcements import News, notification_of
from tools.demo.cast import Candidate
from tools.demo.errors import DemoError

# How many candidates open a socket.
MOST_LISTENERS = 100
PATIENCE_SECONDS = 30


def listen(ws_url: str, candidate: Candidate) -> ClientConnection:
    """Open a socket for the candidate. Raises DemoError if that fails."""
    try:
        return connect(
            ws_url,
            additional_headers=candidate.client.headers,
            open_timeout=PATIENCE_SECONDS,
            # Ignore proxies of the environment, because the service is on this machine.
            proxy=None,
        )
    except (OSError, WebSocketException) as error:
        raise DemoError(
            f"{ws_url} can't be opened ({error}): is `competition ws` running?"
        ) from error


def check_pushed(socket: ClientConnection, candidate: Candidate, news: News) -> None:
    """Check that the pushed notification equals that of the REST API, and mark it as read."""
    pushed = _next(socket, candidate)
    shown = notification_of(candidate, news)
    if pushed != {"type": "notification_activity", "message": shown}:
        raise DemoError(
            f"The notification of {candidate.full_name} is {shown}, but {pushed} was pushed."
        )
    _send(socket, "mark_as_read", {"notification_id": shown["id"]})
    # Actions are processed in order, so this reply comes after the other action.
    _send(socket, "nothing", {})
    answer = _next(socket, candidate)
    if answer != {"type": "error", "message": "Unknown action: nothing"}:
        raise DemoError(f"The socket of {candidate.full_name} sent {answer}.")
    if notification_of(candidate, news) != {**shown, "read": True}:
        raise DemoError(f"A notification that {candidate.full_name} has read is shown as unread.")


def _send(socket: ClientConnection, action: str, data: object) -> None:
    socket.send(json.dumps({"action": action, "data": data}))


def _next(socket: ClientConnection, candidate: Candidate) -> Any:
    try:
        return json.loads(socket.recv(PATIENCE_SECONDS))
    except (TimeoutError, WebSocketException) as error:
        raise DemoError(
            f"The socket of {candidate.full_name} sent nothing in {PATIENCE_SECONDS} s ({error})."
        ) from error
