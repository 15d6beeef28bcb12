"""What a process keeps of the database, for what thousands ask for in a minute."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, func, literal, literal_column
from sqlalchemy.dialects.postgresql import aggregate_order_by

V = TypeVar("V")

MOST = 256


class Kept:
    """A part of the runtime: the latest things that were made of rows, by keys that begin with a
    name and have the `state` of the rows in them. A statement asks for that each time, so nothing
    that is kept goes stale.

    Others read it too: nobody changes it.
    """

    def __init__(self) -> None:
        self._things: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, key: Hashable, make: Callable[[], V]) -> V:
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                found: V = self._things[key]
                return found
        made = make()
        with self._lock:
            self._things[key] = made
            if len(self._things) > MOST:
                self._things.popitem(last=False)
        return made


def state(order_by: Any, *tables: type[Any]) -> ColumnElement[str]:
    """Of all rows that a statement finds, a text, which is another one as soon as one of them was
    written again, or there are others: a transaction leaves its number on each."""
    numbers = (f'"{table.__tablename__}".xmin::text' for table in tables)
    number: ColumnElement[str] = literal_column(" || '.' || ".join(numbers))
    return func.string_agg(number, aggregate_order_by(literal(" "), order_by))
