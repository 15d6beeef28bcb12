"""Statements that come with another one, in one round trip."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    Subquery,
    cast,
    literal_column,
    null,
    select,
    true,
    union_all,
)
from sqlalchemy.engine import result_tuple
from sqlalchemy.types import NullType

from competition.core.work import Read


def of_one_mind(
    given: Mapping[str, Any], reads: Iterable[Read]
) -> tuple[list[Read], dict[str, Any]]:
    """Those that one statement can ask for, and all values, with those that are given: a read that
    has another value under the same name is left to whoever asks for it."""
    along: list[Read] = []
    values = dict(given)
    for read in reads:
        if all(values.get(name, value) == value for name, value in read.values.items()):
            along.append(read)
            values.update(read.values)
    return along, values


@dataclass(frozen=True)
class Along:
    """Where a row has the columns of another statement, and what makes a row of those. `number`
    says which rows are of that; None where it has one, which is in each."""

    number: int | None
    columns: slice
    make: Callable[[Sequence[Any]], Row[Any]]


@dataclass(frozen=True)
class Together:
    """A statement with each row of others beside its own; once alone, if those find none. `which`
    is where a row says of whom it is."""

    statement: Select[Any]
    which: int
    along: Sequence[Along]

    def rows_along(self, rows: Sequence[Row[Any]]) -> list[list[Row[Any]]]:
        """The rows of each of the others, as if it had been asked by itself."""
        return [
            [each.make(row[each.columns]) for row in rows if row[self.which] == each.number]
            if each.number is not None
            else [each.make(row[each.columns]) for row in rows[:1]]
            for each in self.along
        ]


def together(statement: Select[Any], one: Select[Any], others: Sequence[Select[Any]]) -> Together:
    """Whatever the statement finds, it finds beside the row that `one` asks for, of a table that it
    joins: others of that row have their columns from there, without another look for it."""
    own = [_is_of(one, other) for other in others]
    apart = [other for other, is_own in zip(others, own, strict=True) if not is_own]
    below = _one_below_the_other(apart) if apart else None
    columns_below = iter(() if below is None else below.c)
    columns: list[ColumnElement[Any]] = [*islice(columns_below, 1)]
    which = len(statement.selected_columns)
    numbers = count()
    along = []
    for other, is_own in zip(others, own, strict=True):
        first = len(columns)
        for at, column in enumerate(other.selected_columns, first):
            # The statement may have it already, under its own name.
            columns.append(column.label(f"o{at}") if is_own else next(columns_below))
        place = slice(which + first, which + len(columns))
        make = result_tuple(other.selected_columns.keys())
        along.append(Along(None if is_own else next(numbers), place, make))
    if below is not None:
        statement = statement.outerjoin(below, true())
    return Together(statement.add_columns(*columns), which, along)


def _is_of(one: Select[Any], other: Select[Any]) -> bool:
    """Whether the other asks for some of its columns, and no more."""
    columns = one.selected_columns
    return all(columns.contains_column(each) for each in other.selected_columns) and (
        one.with_only_columns(*columns).compare(other.with_only_columns(*columns))
    )


def _one_below_the_other(statements: Sequence[Select[Any]]) -> Subquery:
    """Of which it is, and the columns of each. Beside each other, rows of one would be there for
    each row of the next."""
    parts = [statement.subquery() for statement in statements]
    columns = [(number, column) for number, part in enumerate(parts) for column in part.c]

    def rows_of(which: int) -> Select[Any]:
        # Short names: psycopg parses a text of more than 4096 characters anew each time.
        of_all = (
            (column if number == which else _nothing(column)).label(f"c{at}")
            for at, (number, column) in enumerate(columns)
        )
        return select(literal_column(f"{which}").label("which"), *of_all)

    return union_all(*map(rows_of, range(len(parts)))).subquery("along")


def _nothing(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """In its place, where a row is of another statement."""
    return null() if isinstance(column.type, NullType) else cast(null(), column.type)
