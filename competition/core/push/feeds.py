"""Feeds: rows that are pushed to the sockets of the users they belong to.

The commit itself sends PostgreSQL's NOTIFY, to every socket process at once. It only says which
feed has grown: the process loads what it has not seen yet, as REST would show it, and a NOTIFY that
was missed is made good by the next one.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from competition.core.catalogue import OwnName, declare
from competition.core.work import Work

Latest = Callable[[Work], int]
Load = Callable[[Work, Collection[UUID], int, int], Iterable[tuple[UUID, Any]]]


@dataclass(frozen=True)
class Feed(OwnName):
    """Rows that are pushed to the users they belong to, with integer ids. Whoever inserts calls
    `lock_feed` first, and announces the feed.

    `latest(work)` is the highest id, 0 without any; `load(work, users, after, until)` returns
    (user, frame) of the rows of those users with after < id <= until, in the order of the ids.
    """

    name: str
    latest: Latest
    load: Load


def lock_feed(work: Work, feed: str) -> None:
    """Let nobody else insert until the commit. Else a lower id could be committed after a higher
    one, and whoever asks for what came after the higher one would never see it."""
    work.lock(f"feed {feed}")


def feed(name: str, *, latest: Latest) -> Callable[[Load], Load]:
    """Declare a feed, found when its module is scanned: the decorated function loads its rows."""

    def decorate(load: Load) -> Load:
        declare(load, Feed, name, lambda: Feed(name, latest, load))
        return load

    return decorate
