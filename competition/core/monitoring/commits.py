"""A gauge for commits that wait because no synchronous standby is up."""

from typing import Any

from sqlalchemy import text

from competition.core.monitoring.metrics import gauge

# `query_start` is a time of PostgreSQL's clock, so it is compared with the same clock. A role sees
# only its own connections, and all processes of the service use the same role.
LONGEST_WAIT = text(
    "select extract(epoch from clock_timestamp() - min(query_start))::float"
    " from pg_stat_activity where wait_event = 'SyncRep'"
)


# The argument is a Work. Its class can't be imported here, because it depends on this package.
@gauge(
    "commits_waiting_seconds",
    "How long the longest commit has been waiting for a synchronous standby, in seconds.",
)
def longest_wait(work: Any) -> float:
    seconds: float | None = work.db.scalar(LONGEST_WAIT)
    return seconds or 0
