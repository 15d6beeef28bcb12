"""Statements that come with another one, in one round trip."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
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
class Together:
    """A statement with each row of others beside its own; once alone, if those find none. `which`
    is where a row says of whom it is, `along` where the columns of each of them are, and what makes
    its rows."""

    statement: Select[Any]
    which: int
    along: Sequence[tuple[slice, Callable[[Sequence[Any]], Row[Any]]]]

    def rows_along(self, rows: Sequence[Row[Any]]) -> list[list[Row[Any]]]:
        """The rows of each of the others, as if it had been asked by itself."""
        return [
            [make(row[columns]) for row in rows if row[self.which] == number]
            for number, (columns, make) in enumerate(self.along)
        ]


def together(statement: Select[Any], others: Sequence[Select[Any]]) -> Together:
    if not others:
        return Together(statement, 0, ())
    parts = [other.subquery() for other in others]
    columns = [(number, column) for number, part in enumerate(parts) for column in part.c]

    def rows_of(which: int) -> Select[Any]:
        # Short names: psycopg parses a text of more than 4096 characters anew each time.
        of_all = (
            (column if number == which else _nothing(column)).label(f"c{at}")
            for at, (number, column) in enumerate(columns)
        )
        return select(literal_column(f"{which}").label("which"), *of_all)

    # One below the other: beside each other, rows of one would be there for each row of the next.
    along = union_all(*map(rows_of, range(len(parts)))).subquery("along")
    which = len(statement.selected_columns)
    ends = accumulate((len(part.c) for part in parts), initial=which + 1)
    return Together(
        statement.add_columns(*along.c).outerjoin(along, true()),
        which,
        [
            (slice(first, end), result_tuple(part.c.keys()))
            for (first, end), part in zip(pairwise(ends), parts, strict=True)
        ],
    )


def _nothing(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """In its place, where a row is of another statement."""
    return null() if isinstance(column.type, NullType) else cast(null(), column.type)
