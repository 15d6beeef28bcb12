"""Scores are rounded half up, in Python as in SQL."""

from decimal import Decimal

import pytest
from sqlalchemy import Numeric, column, select, values

from competition.core.work import begin
from competition.plugins.scores.services.rounding import average, average_in_sql, rounded_in_sql

CASES = {
    ("0.00", "0.01"): "0.01",
    ("0.02", "0.03"): "0.03",
    ("33.33", "33.34"): "33.34",
    ("100.00", "0.00", "0.00"): "33.33",
    ("100.00", "100.00", "0.00"): "66.67",
}


@pytest.mark.parametrize(("scores", "expected"), CASES.items())
def test_an_average_is_the_same_in_python_and_in_sql(app, scores, expected):
    numbers = [Decimal(each) for each in scores]
    rows = values(column("value", Numeric), name="score").data([(each,) for each in numbers])
    with begin(app.runtime) as work:
        assert str(average(numbers)) == expected
        assert str(work.db.scalar(select(average_in_sql(rows.c.value)))) == expected
        exact = sum(numbers, Decimal()) / len(numbers)
        assert str(work.db.scalar(select(rounded_in_sql(exact)))) == expected


def test_without_scores_the_average_is_zero():
    assert average([]) == 0
