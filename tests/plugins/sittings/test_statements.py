"""The number of SQL statements for taking an exam, which thousands of candidates do in the same
minute."""

from competition.testing.exam_day import KEY, answers, make_exam, submit, take
from tests.support.statements import above, counts


def test_starting_and_submitting_take_few_statements(app_with, ours, statements):
    app = app_with(ours)
    exam_id = make_exam(app, app.staff("admin"))
    first, second, third = (app.candidate() for _ in range(3))
    body = answers(app, exam_id, KEY)
    acts = {
        "the first start of the exam": lambda: take(first, exam_id, status=200),
        "the first start that this process sees": lambda: take(second, exam_id, status=200),
        "opened again": lambda: take(first, exam_id, status=200),
        "submitted": lambda: submit(first, exam_id, body, status=201),
        "submitted without a start": lambda: submit(third, exam_id, body, status=201),
        "submitted again": lambda: submit(first, exam_id, body, status=400),
    }
    # One statement of each start looks for extra time that was given before.
    limits = {
        "the first start of the exam": 13,
        "the first start that this process sees": 6,
        "opened again": 3,
        "submitted": 6,
        "submitted without a start": 9,
        "submitted again": 2,
    }
    assert above(limits, counts(statements, acts)) == {}
