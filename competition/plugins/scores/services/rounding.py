"""Average scores, with the two decimals of a score.

`average` computes in Python, `average_in_sql` in a query. Both give the same number.
"""

from collections.abc import Collection
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, func

from competition.core.rounding import half_up
from competition.plugins.scores.presenters.scores import DECIMALS


def average(values: Collection[Decimal]) -> Decimal:
    """The average of the scores; 0 if there are none."""
    return half_up(sum(values, Decimal()) / max(len(values), 1), DECIMALS)


def average_in_sql(values: ColumnElement[Decimal] | Any) -> ColumnElement[Any]:
    """SQL expression for the average of the scores in a column; NULL if there are none."""
    return rounded_in_sql(func.avg(values))


def rounded_in_sql(value: ColumnElement[Any]) -> ColumnElement[Any]:
    """SQL expression that rounds a numeric to the decimals of a score."""
    return func.round(value, DECIMALS)
