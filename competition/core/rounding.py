"""Round half up: the only way to round the numbers of replies.

In SQL, the function `round` does the same with values of the type `numeric`.
"""

from decimal import ROUND_HALF_UP, Decimal


def half_up(value: Decimal | float, decimals: int) -> Decimal:
    """Round a value to a number of decimals. Like in PostgreSQL, a half is rounded away from zero.

    A float is read as the shortest decimal number that represents it. So 0.285 is rounded to 0.29,
    although its binary value is a little less than 0.285.
    """
    return Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def rounded(value: Decimal | float, decimals: int) -> float:
    """The same as `half_up`, as a number for JSON."""
    return float(half_up(value, decimals))
