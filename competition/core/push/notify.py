"""Tells the socket processes what was committed, by PostgreSQL's NOTIFY."""

from sqlalchemy import func, select

from competition.core.work import Work

CHANNEL = "competition_push"
# The topic of ended sessions; every other one is the name of a feed.
SESSIONS = "sessions"


def announce(work: Work, topic: str, value: str = "") -> None:
    """Tell every socket process when, and only if, this transaction commits; `value` is an id. A
    traceparent goes along."""
    traceparent = work.runtime.traces.traceparent
    told = f"{topic}:{value}" + (f":{traceparent}" if traceparent else "")
    work.db.execute(select(func.pg_notify(CHANNEL, told)))
