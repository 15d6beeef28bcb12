from decimal import Decimal

import pytest

from competition.core.rounding import half_up, rounded


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Decimal("0.125"), "0.13"),
        (Decimal("-0.125"), "-0.13"),
        (Decimal("0.1249"), "0.12"),
        # Python's own `round` gives 0.12 and 0.28.
        (0.125, "0.13"),
        (0.285, "0.29"),
        (3, "3.00"),
    ],
)
def test_a_half_is_rounded_up(value, shown):
    assert str(half_up(value, 2)) == shown
    assert rounded(value, 2) == float(shown)
