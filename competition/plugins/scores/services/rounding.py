"""Scores and averages of scores have two decimals, rounded half up.

A rule that has the values rounds in Python, a query in SQL; both functions give the same number.
"""

from collections.abc import Collection
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlalchemy import ColumnElement, func

DECIMALS = 2


def average(values: Collection[Decimal]) -> Decimal:
    """The average of some scores; 0 without any."""
    exact = sum(values, Decimal()) / max(len(values), 1)
    return exact.quantize(Decimal(1).scaleb(-DECIMALS), ROUND_HALF_UP)


def average_in_sql(values: ColumnElement[Decimal] | Any) -> ColumnElement[Any]:
    """The average of the scores in a column, for a query that selects it; NULL without any."""
    return rounded_in_sql(func.avg(values))


def rounded_in_sql(value: ColumnElement[Any]) -> ColumnElement[Any]:
    """A number with the decimals of a score, in SQL: PostgreSQL rounds a numeric half up."""
    return func.round(value, DECIMALS)
