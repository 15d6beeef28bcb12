"""Requests of a process share answers about many rows for two seconds."""

import pytest

from competition.core.shared_answers import FEW_ROWS, SharedAnswers
from competition.core.work import begin


class Answers(SharedAnswers[int, str]):
    pass


@pytest.fixture
def recent(app):
    """Share an answer about exam 1 with this number of rows, and say what is shared about an exam
    some seconds later."""

    def share(rows, seconds, exam_id=1):
        with begin(app.runtime) as work:
            work.runtime.part(Answers).share(work, 1, "answer", rows)
        app.clock.advance(seconds=seconds)
        with begin(app.runtime) as work:
            return work.runtime.part(Answers).recent(work, exam_id)

    return share


def test_an_answer_about_many_rows_is_shared_for_two_seconds(recent):
    assert recent(FEW_ROWS + 1, seconds=2) == "answer"
    assert recent(FEW_ROWS + 1, seconds=3) is None


def test_an_answer_belongs_to_its_key(recent):
    assert recent(FEW_ROWS + 1, seconds=0, exam_id=2) is None


def test_an_answer_about_few_rows_is_not_shared(recent):
    assert recent(FEW_ROWS, seconds=0) is None


def test_an_answer_from_the_future_is_not_shared(recent):
    """The clock of the machine may be set back."""
    assert recent(FEW_ROWS + 1, seconds=-1) is None
