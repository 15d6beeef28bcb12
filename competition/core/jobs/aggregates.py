"""Numbers that are computed from all rows, such as the number of accounts.

Each number is stored in a row. A periodic task updates the row, and requests read it. If there is
no row, or the row is old because no worker runs, the reader computes the number itself.

No process computes numbers for itself alone: every process would compute them while a request
waits, and two processes would return different numbers. A process may cache the stored value until
the next one is due (`Aggregate.read_cached`).

Rows that rarely change, and that requests need in another form, are `Versioned`: every process
loads them itself, and the table of aggregates stores only their version.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar
from uuid import uuid4

import msgspec
from sqlalchemy import String, bindparam, select
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.orm import Mapped, mapped_column

from competition.core.database import Base
from competition.core.work import Work, changing

T = TypeVar("T")

# The greatest age of a value that readers use (decisions G31), and how often workers compute it.
OLDEST_READ = timedelta(seconds=60)
REFRESHED_EVERY = timedelta(seconds=30)


class AggregateRow(Base):
    """The last computed value of an `Aggregate`, such as the number of accounts, or the version of
    `Versioned` rows."""

    __tablename__ = "aggregate"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    value: Mapped[Any] = mapped_column(JSONB)
    computed_at: Mapped[datetime]


STORED = select(AggregateRow.value, AggregateRow.computed_at).where(
    AggregateRow.name == bindparam("name"), AggregateRow.computed_at > bindparam("since")
)
# A statement of the table takes less time than one of the mapped class.
ROWS = AggregateRow.__table__.c
VERSION = select(ROWS.value).where(ROWS.name == bindparam("name"))


class CachedValues(dict[str, tuple[Any, datetime]]):
    """The process's cache of stored values, by the aggregate's name (`Runtime.part`). Each has the
    time at which it was computed."""


@dataclass(frozen=True)
class Aggregate(Generic[T]):
    """A value that a periodic task computes, and that requests read from its row. `compute` returns
    an instance of `type`, a dataclass of plain values. `name` begins with the name of the plugin
    that declares the aggregate."""

    name: str
    type: type[T]
    compute: Callable[[Work], T]

    def read(self, work: Work) -> T:
        """The value, at most `OLDEST_READ` old.

        If there is no such value, this computes and stores it. If several readers call this at the
        same time, one of them computes the value and the others wait.
        """
        stored = self.stored(work)
        if stored is not None:
            return stored
        with changing(work) as writer:
            writer.lock(self._lock)
            return self._stored_or_new(writer)

    def read_cached(self, work: Work) -> T:
        """The same as `read`, but a value that the process has read once is used until the periodic
        task stores the next one. This is for large values, which take long to decode. Callers must
        not change the value.
        """
        values = work.runtime.part(CachedValues)
        cached = values.get(self.name)
        if cached is None or cached[1] <= work.now - REFRESHED_EVERY:
            cached = self._stored(work)
            if cached is None:
                return self.read(work)
            values[self.name] = cached
        return cached[0]

    def read_if_ready(self, work: Work) -> T | None:
        """The same as `read`, but if another transaction is computing the value, return None
        instead of waiting."""
        stored = self.stored(work)
        if stored is not None:
            return stored
        with changing(work) as writer:
            if not writer.lock(self._lock, wait=False):
                return None
            return self._stored_or_new(writer)

    def refresh(self, work: Work) -> T:
        """Compute and store the value, even if the stored value is recent."""
        work.lock(self._lock)
        return self._store(work)

    def stored(self, work: Work) -> T | None:
        """The stored value. None if there is none, if it is older than `OLDEST_READ`, or if another
        version of the service stored it in another form."""
        found = self._stored(work)
        return None if found is None else found[0]

    def _stored(self, work: Work) -> tuple[T, datetime] | None:
        """The same as `stored`, with the time at which the value was computed."""
        values = {"name": self.name, "since": work.now - OLDEST_READ}
        row = work.db.execute(STORED, values).one_or_none()
        if row is None:
            return None
        try:
            return msgspec.convert(row.value, self.type), row.computed_at
        except msgspec.ValidationError:
            return None

    @property
    def _lock(self) -> str:
        return f"aggregate {self.name}"

    def _stored_or_new(self, work: Work) -> T:
        stored = self.stored(work)
        return self._store(work) if stored is None else stored

    def _store(self, work: Work) -> T:
        value = self.compute(work)
        _store(work, self.name, msgspec.to_builtins(value))
        return value


class CachedRows(dict[str, tuple[Any, Any]]):
    """The process's cache of loaded rows, by the name of the `Versioned` (`Runtime.part`). The rows
    follow their version."""


@dataclass(frozen=True)
class Versioned(Generic[T]):
    """Rows that rarely change, and that each process loads once and caches.

    Every transaction that changes these rows calls `changed`. So `read` executes one short
    statement, and returns what is committed. `name` begins with the name of the plugin that
    declares the rows.
    """

    name: str
    load: Callable[[Work], T]

    def read(self, work: Work) -> T:
        """The rows as `load` returns them. Callers must not change them."""
        # Read the version before the rows. If another transaction changes both in between, the rows
        # are newer than the version they are cached with, and the next call loads them again.
        version = work.db.execute(VERSION, {"name": self.name}).scalar()
        cached = work.runtime.part(CachedRows)
        found = cached.get(self.name)
        if found is None or found[0] != version:
            found = cached[self.name] = version, self.load(work)
        return found[1]

    def changed(self, work: Work) -> None:
        """Give the rows a new version, which processes see when the transaction is committed.

        Versions are random: a number might come again, after a transaction has read its own
        changes and was rolled back, or after a backup was restored.
        """
        _store(work, self.name, uuid4().hex)


def _store(work: Work, name: str, value: Any) -> None:
    values = {"value": value, "computed_at": work.now}
    work.db.execute(
        insert(AggregateRow)
        .values(name=name, **values)
        .on_conflict_do_update(index_elements=[AggregateRow.name], set_=values)
    )
