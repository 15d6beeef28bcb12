"""Totals and averages of a candidate's scores."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score
from competition.plugins.scores.services.statistics.candidate import stats, totals

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


RANKING = {"current_rank": 1, "total_candidates": 2}


def results(*values):
    """Scores of one candidate, the latest first."""
    return [
        Score(
            value=Decimal(value),
            is_auto=True,
            recorded_at=NOW - timedelta(days=age),
            exam=Exam(title=f"Exam {age}"),
        )
        for age, value in enumerate(values)
    ]


def test_without_scores_all_totals_are_zero():
    assert stats([], RANKING) == {
        "total_score": 0.0,
        "average_score": 0.0,
        "leaderboard_ranking": RANKING,
        "latest_score": None,
        "highest_score": 0.0,
        "lowest_score": 0.0,
        "total_exams_taken": 0,
        "highest_obtainable_score": 100.0,
    }


def test_the_stats_of_several_scores():
    assert stats(results("20", "95.5", "50"), RANKING) == {
        "total_score": 165.5,
        "average_score": 55.17,
        "leaderboard_ranking": RANKING,
        "latest_score": {"score": 20.0, "exam_title": "Exam 0", "date": NOW},
        "highest_score": 95.5,
        "lowest_score": 20.0,
        "total_exams_taken": 3,
        "highest_obtainable_score": 100.0,
    }


@pytest.mark.parametrize(
    ("values", "average"),
    [
        (("33.32", "33.33"), 33.33),
        (("0.01", "0"), 0.01),
        (("66.67", "66.67", "66.66"), 66.67),
        (("0", "0"), 0.0),
    ],
)
def test_an_average_is_rounded_half_up_as_in_the_database(values, average):
    assert totals([Decimal(value) for value in values])["average_score"] == average
