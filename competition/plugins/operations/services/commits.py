"""A gauge for commits that wait because no synchronous standby is up."""

from sqlalchemy import text

from competition.core.monitoring.metrics import gauge
from competition.core.work import Work

# `query_start` is a time of PostgreSQL's clock, so it is compared with the same clock. The view
# shows only the waits of a role's own connections, which are those of all processes of the service.
LONGEST_WAIT = text(
    "select extract(epoch from clock_timestamp() - min(query_start))::float"
    " from pg_stat_activity where wait_event = 'SyncRep'"
)


@gauge(
    "commits_waiting_seconds",
    "How long the longest commit has been waiting for a synchronous standby, in seconds.",
)
def longest_wait(work: Work) -> float:
    seconds: float | None = work.db.scalar(LONGEST_WAIT)
    return seconds or 0
