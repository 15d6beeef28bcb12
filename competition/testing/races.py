"""Races: things that happen at the same time. Only `live` has a connection for each."""

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any, TypeVar

from psycopg import Connection
from sqlalchemy import text

from competition.core.users import sessions
from competition.core.work import Work, begin
from competition.testing.service import Person, Service
from competition.testing.waiting import wait_until

WAITING = text("select exists (select from pg_locks where not granted)")

T = TypeVar("T")


def together(count: int, act: Callable[[int], T]) -> list[T]:
    """Call `act(index)` in so many threads at once; returns the results, in order."""
    answers: dict[int, T] = {}
    barrier = Barrier(count)

    def run(index: int) -> None:
        barrier.wait()
        answers[index] = act(index)

    threads = [Thread(target=run, args=[index]) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [answers[index] for index in range(count)]


def overtaken(
    live: Service, actor: Person, first: Callable[[Work], Any], second: Callable[[], T]
) -> T:
    """What `second()` returns when `first(work)`, of the actor, is done before it but committed
    only once it waits. Without a lock it would not wait, or go on from what it saw before."""
    answers: list[T] = []
    thread = Thread(target=lambda: answers.append(second()))
    with begin(live.runtime) as work:
        work.actor = sessions.identify(work, actor.client.token or "")
        first(work)
        thread.start()
        wait_until(lambda: not thread.is_alive() or work.db.scalar(WAITING))
    thread.join()
    return answers[0]


def waits_for_a_lock(watcher: Connection, statement: str) -> bool:
    """Whether a session of the database is in a statement that begins so, and can't go on."""
    found = watcher.execute(
        "select 1 from pg_stat_activity where datname = current_database()"
        " and starts_with(lower(query), %s) and wait_event_type = 'Lock'",
        [statement],
    )
    return found.fetchone() is not None
