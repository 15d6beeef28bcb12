"""The status of an exam at a given time (decisions G1), computed from a row and as an SQL
condition.
"""

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.exams.models import Exam, ExamStatus, concluded_at, status_of

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
HOUR, INSTANT = timedelta(hours=1), timedelta(microseconds=1)


def exam(starts, *, is_active=True):
    """An exam that is open for an hour."""
    return Exam(
        title="Rings",
        stage="final",
        round=1,
        description="",
        scheduled_date=starts,
        closes_at=starts and starts + HOUR,
        countdown_minutes=60,
        open_duration_hours=1,
        is_active=is_active,
        switched_off_at=None if is_active else NOW,
        created_at=NOW,
        updated_at=NOW,
    )


CASES = [
    (exam(None), "draft"),
    (exam(None, is_active=False), "draft"),
    (exam(NOW + INSTANT), "scheduled"),
    (exam(NOW + INSTANT, is_active=False), "cancelled"),
    (exam(NOW), "ongoing"),
    (exam(NOW, is_active=False), "cancelled"),
    (exam(NOW - HOUR + INSTANT), "ongoing"),
    (exam(NOW - HOUR), "concluded"),
    (exam(NOW - HOUR, is_active=False), "concluded"),
]


@pytest.mark.parametrize(("exam", "status"), CASES)
def test_the_first_matching_case_is_the_status(exam, status):
    assert status_of(exam, NOW) == status
    assert concluded_at(exam, NOW) == (exam.closes_at if status == "concluded" else None)


def test_the_sql_condition_finds_exams_of_the_status(app):
    with begin(app.runtime) as work:
        work.db.add_all(each for each, _ in CASES)
        work.db.flush()
        found = {
            status: set(work.db.scalars(select(Exam).where(Exam.has_status(status, NOW))))
            for status in get_args(ExamStatus)
        }
        assert found == {
            status: {each for each, other in CASES if other == status}
            for status in get_args(ExamStatus)
        }
        for each, _ in CASES:
            work.db.expunge(each)
