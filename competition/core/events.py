"""Subscribe to the events that `work.emit` emits. A plugin defines events in a module `events`."""

from collections.abc import Callable
from typing import TypeVar

import pyramid.events

E = TypeVar("E")


def subscriber(
    *events: type[E],
) -> Callable[[Callable[[E], None]], Callable[[E], None]]:
    """Subscribe the decorated function to events of these classes. A scan of its module finds it.

    The function is called in the transaction of the code that emits the event. If it raises an
    exception, the transaction is aborted.
    """
    decorate: Callable[[Callable[[E], None]], Callable[[E], None]]
    decorate = pyramid.events.subscriber(*events)
    return decorate
