"""Round half up: the one way to round the numbers of replies, in Python as in SQL."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlalchemy import ColumnElement, func


def half_up(value: Decimal | float, decimals: int) -> Decimal:
    """Round a value to a number of decimals. A half is rounded away from zero, as PostgreSQL does.

    A float counts as the shortest decimal that stands for it: 0.285 as 0.285, although its binary
    value is a little less.
    """
    return Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def rounded(value: Decimal | float, decimals: int) -> float:
    """The same as `half_up`, as a number for JSON."""
    return float(half_up(value, decimals))


def half_up_in_sql(value: ColumnElement[Any], decimals: int) -> ColumnElement[Any]:
    """SQL expression that rounds a numeric half up to a number of decimals."""
    return func.round(value, decimals)
