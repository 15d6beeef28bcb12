"""Numbers that are computed from all rows, such as how many accounts there are.

Each is a row, which periodic work writes anew and readers take. A reader who finds none, or an old
one because no worker runs, computes it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy import String, bindparam, select
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.db import Base
from competition.core.work import Work

T = TypeVar("T")

# The oldest value that readers take (decisions G31), and how often it is computed.
OLDEST_READ = timedelta(seconds=60)
REFRESHED_EVERY = timedelta(seconds=30)
# For so long a process takes what it has read.
READ_EVERY = timedelta(seconds=1)


class AggregateRow(Base):
    """An aggregate as it was last computed."""

    __tablename__ = "aggregate"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    value: Mapped[Any] = mapped_column(JSONB)
    computed_at: Mapped[datetime]


STORED = select(AggregateRow.value, AggregateRow.computed_at).where(
    AggregateRow.name == bindparam("name"), AggregateRow.computed_at > bindparam("since")
)


@dataclass(frozen=True)
class ReadValue:
    value: Any
    computed_at: datetime
    read_at: datetime

    def holds(self, now: datetime) -> bool:
        return self.read_at <= now < min(self.read_at + READ_EVERY, self.computed_at + OLDEST_READ)


class Read(dict[str, ReadValue]):
    """What this process has read of each aggregate."""


@dataclass(frozen=True)
class Aggregate(Generic[T]):
    """A value that periodic work computes and readers take from its row. `compute` returns a
    dataclass of plain values; `name` begins with its plugin's."""

    name: str
    type: type[T]
    compute: Callable[[Work], T]

    def read(self, work: Work) -> T:
        """The value, at most `OLDEST_READ` old."""
        stored = self.stored(work)
        return self._computed(work) if stored is None else stored

    def read_if_ready(self, work: Work) -> T | None:
        """As `read`, but None instead of waiting for another transaction that is computing it."""
        stored = self.stored(work)
        if stored is None and work.try_to_hold(self._lock):
            return self._stored_or_new(work)
        return stored

    def refresh(self, work: Work) -> T:
        """Compute and store the value, whatever the age of the stored one."""
        work.hold(self._lock)
        return self._store(work)

    def _computed(self, work: Work) -> T:
        # Of many readers at once one computes; the others wait for it.
        work.hold(self._lock)
        return self._stored_or_new(work)

    def _stored_or_new(self, work: Work) -> T:
        stored = self.stored(work)
        return self._store(work) if stored is None else stored

    @property
    def _lock(self) -> str:
        return f"aggregate {self.name}"

    def stored(self, work: Work) -> T | None:
        """The value, if a row has one that is no older; computes nothing."""
        read = work.runtime.part(Read)
        kept = read.get(self.name)
        if kept is None or not kept.holds(work.now):
            rows = work.db.read(STORED, {"name": self.name, "since": work.now - OLDEST_READ})
            if not rows:
                return None
            [row] = rows
            try:
                value = msgspec.convert(row.value, self.type)
            except msgspec.ValidationError:
                # Of another version of the service.
                return None
            kept = read[self.name] = ReadValue(value, row.computed_at, work.now)
        found: T = kept.value
        return found

    def _store(self, work: Work) -> T:
        value = self.compute(work)
        values = {"value": msgspec.to_builtins(value), "computed_at": work.now}
        work.db.execute(
            insert(AggregateRow)
            .values(name=self.name, **values)
            .on_conflict_do_update(index_elements=[AggregateRow.name], set_=values)
        )

        def forget() -> None:
            work.runtime.part(Read).pop(self.name, None)

        work.after_commit(forget)
        return value
