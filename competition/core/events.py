"""Hearing of what `work.emit` tells. The events themselves stand in the `events` of each plugin."""

from collections.abc import Callable
from typing import TypeVar

import pyramid.events

E = TypeVar("E")


def subscriber(
    *events: type[E],
) -> Callable[[Callable[[E], None]], Callable[[E], None]]:
    """Have the function hear of these events, once its plugin is scanned: in the transaction of
    whoever tells, which an error in it aborts."""
    decorate: Callable[[Callable[[E], None]], Callable[[E], None]]
    decorate = pyramid.events.subscriber(*events)
    return decorate
