"""Lists of allowed values. Each list is defined once, as a Literal or an enum. It is the type of a
column, and the source of the column's check constraint and of the schema of an input
(`competition.core.schemas.Choice`)."""

from collections.abc import Iterable
from typing import Any, get_args

from sqlalchemy import CheckConstraint


def values_of(choices: Any) -> tuple[str, ...]:
    """The values of a Literal, of an enum of strings, or of any other iterable of strings."""
    listed: Iterable[Any] = get_args(choices) or choices
    return tuple(str(each) for each in listed)


def is_one_of(column: str, choices: Any) -> str:
    """The SQL condition that a column has one of the values. No value may contain a quote."""
    return f"{column} in ({', '.join(f'{each!r}' for each in values_of(choices))})"


def one_of(column: str, choices: Any) -> CheckConstraint:
    """The check constraint that a column has one of the values, or is NULL. It has the name of the
    column."""
    return CheckConstraint(is_one_of(column, choices), name=column)
