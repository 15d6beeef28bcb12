"""Feeds: rows that are pushed to the sockets of the users they belong to.

The commit itself sends PostgreSQL's NOTIFY, to every socket process at once. It only says which
feed has grown: the process loads what it has not seen yet, as REST would show it, and a NOTIFY that
was missed is made good by the next one.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pyramid.config import Configurator

from competition.core.catalogue import OwnName, catalogue_of, function_of
from competition.core.work import Work


@dataclass(frozen=True)
class Feed(OwnName):
    """Rows that are pushed to the users they belong to, with integer ids. Whoever inserts calls
    `lock_feed` first, and announces the feed.

    `latest(work)` is the highest id, 0 without any; `load(work, users, after, until)` returns
    (user, frame) of the rows of those users with after < id <= until, in the order of the ids.
    """

    name: str
    latest: Callable[[Work], int]
    load: Callable[[Work, Collection[UUID], int, int], Iterable[tuple[UUID, Any]]]


def lock_feed(work: Work, feed: str) -> None:
    """Let nobody else insert until the commit. Else a lower id could be committed after a higher
    one, and whoever asks for what came after the higher one would never see it."""
    work.lock(f"feed {feed}")


def add_feed(config: Configurator, name: str, *, latest: Any, load: Any) -> None:
    """Configuration directive ``config.add_feed``: the functions of a Feed, or their dotted
    names."""
    feed = Feed(name, function_of(config, latest), function_of(config, load))
    catalogue_of(config).add(Feed, name, feed)


def includeme(config: Configurator) -> None:
    config.add_directive("add_feed", add_feed)
