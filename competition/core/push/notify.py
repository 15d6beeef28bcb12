"""Notify the socket processes of committed changes, with PostgreSQL's NOTIFY."""

from sqlalchemy import func, select

from competition.core.work import Work

CHANNEL = "competition_push"
# The name that PostgreSQL shows for the connection on which a socket process listens.
LISTENER = "competition ws"
# The topic about ended sessions of a user. All other topics are names of feeds.
SESSIONS = "sessions"


def announce(work: Work, topic: str, value: str = "") -> None:
    """Notify every socket process when this transaction commits.

    `topic` is the name of a feed or, with the id of a user as `value`, `SESSIONS`. The payload also
    contains the `traceparent`, if there is one.
    """
    traceparent = work.runtime.traces.traceparent
    payload = f"{topic}:{value}" + (f":{traceparent}" if traceparent else "")
    work.db.execute(select(func.pg_notify(CHANNEL, payload)))
