"""Run requests or transactions at the same time. This needs `live`: `app` has one connection."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

from psycopg import Connection
from sqlalchemy import text

from competition.core.users import callers
from competition.core.work import Work, begin
from competition.testing.service import Person, Service
from competition.testing.waiting import wait_until

WAITING = text("select exists (select from pg_locks where not granted)")

T = TypeVar("T")


def together(count: int, act: Callable[[int], T]) -> list[T]:
    """Call `act(index)` in `count` threads at the same time, with the indexes from 0. Returns the
    results in the order of the indexes. Raises the exception of a call that fails."""
    barrier = Barrier(count)

    def run(index: int) -> T:
        barrier.wait()
        return act(index)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def overtaken(
    live: Service, actor: Person, first: Callable[[Work], Any], second: Callable[[], T]
) -> T:
    """Run `second` while the transaction of `first` is open, and return the result of `second`.

    `first(work)` runs as the actor. Its transaction commits when `second` waits for a lock, or has
    ended. If a lock is missing, `second` does not wait, or works with data from before the commit.
    """
    with ThreadPoolExecutor(1) as pool:
        with begin(live.runtime) as work:
            work.actor = callers.identify(work, actor.client.token or "")
            first(work)
            running = pool.submit(second)
            wait_until(lambda: running.done() or work.db.scalar(WAITING))
        return running.result()


def waits_for_a_lock(watcher: Connection, statement: str) -> bool:
    """Whether a database session waits for a lock in a statement that begins with `statement` (in
    lower case)."""
    found = watcher.execute(
        "select 1 from pg_stat_activity where datname = current_database()"
        " and starts_with(lower(query), %s) and wait_event_type = 'Lock'",
        [statement],
    )
    return found.fetchone() is not None
