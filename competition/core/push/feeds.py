"""Feeds: rows that are pushed to the sockets of the users they belong to.

With the commit, PostgreSQL sends a NOTIFY to all socket processes. It contains the name of the
feed, but no rows. Each process then loads the rows that it has not seen yet, in the form of the
REST API. So a lost NOTIFY only delays rows: after the next NOTIFY, the process loads them.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from competition.core.catalogue import OwnName, declaration
from competition.core.work import Work

Latest = Callable[[Work], int]
Load = Callable[[Work, Collection[UUID], int, int], Iterable[tuple[UUID, Any]]]


@dataclass(frozen=True)
class Feed(OwnName):
    """Rows with integer ids that are pushed to the users they belong to.

    Code that inserts rows must first call `lock_feed`, and must also call `notify.announce` with
    the feed's name. `latest(work)` returns the highest id, or 0 if there are no rows. `load(work,
    users, after, until)` returns a pair for each row of these users with after < id <= until, in
    the order of the ids: the id of the user, and the message to push.
    """

    name: str
    latest: Latest
    load: Load


def lock_feed(work: Work, feed: str) -> None:
    """Keep other transactions from inserting rows of the feed until the commit.

    Otherwise a lower id could be committed after a higher one. A process that has already loaded
    the higher id would never load the lower one.
    """
    work.lock(f"feed {feed}")


def feed(name: str, *, latest: Latest) -> Callable[[Load], Load]:
    """Declare a feed whose rows the decorated function loads. A scan of the function's module finds
    the feed. `latest` is a field of `Feed`."""
    return declaration(Feed, name, lambda load: Feed(name, latest, load))
