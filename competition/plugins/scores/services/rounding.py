"""Round scores and averages of scores to two decimals, half up.

`average` computes in Python, `average_in_sql` in a query. Both give the same number.
"""

from collections.abc import Collection
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlalchemy import ColumnElement, func

DECIMALS = 2


def average(values: Collection[Decimal]) -> Decimal:
    """The average of the scores; 0 if there are none."""
    exact = sum(values, Decimal()) / max(len(values), 1)
    return exact.quantize(Decimal(1).scaleb(-DECIMALS), ROUND_HALF_UP)


def average_in_sql(values: ColumnElement[Decimal] | Any) -> ColumnElement[Any]:
    """SQL expression for the average of the scores in a column; NULL if there are none."""
    return rounded_in_sql(func.avg(values))


def rounded_in_sql(value: ColumnElement[Any]) -> ColumnElement[Any]:
    """SQL expression that rounds a numeric to the decimals of a score; PostgreSQL rounds half
    up."""
    return func.round(value, DECIMALS)
