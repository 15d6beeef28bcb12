"""The deadline of an attempt: of a row, and in a query."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers
from competition.plugins.sittings.models import Attempt, ExtraTime
from competition.plugins.sittings.services import clock
from competition.testing.exam_day import make_exam, take

pytestmark = pytest.mark.needs("sittings")

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
NEVER = timedelta()


def minutes(count):
    return timedelta(minutes=count)


# Of an exam that opens at START for two hours, with an hour to work: when somebody starts, the
# extra time, when the window was ended, when it was switched off; and the deadline.
CASES = {
    "the countdown": (0, 0, None, None, 60),
    "the countdown and what is extra": (0, 25, None, None, 85),
    "the window": (90, 0, None, None, 120),
    "the window and what is extra": (90, 25, None, None, 145),
    "the countdown before the window, with what is extra": (50, 40, None, None, 150),
    "concluded": (0, 0, 30, None, 30),
    "concluded, whatever is extra": (0, 25, 30, None, 30),
    "cut, which leaves the window longer than planned": (90, 25, 130, None, 130),
    "concluded after the countdown": (0, 0, 70, None, 60),
    "switched off": (0, 25, None, 40, 40),
    "switched off after the countdown": (0, 0, None, 70, 60),
}


@pytest.fixture(params=CASES.values(), ids=CASES)
def case(request):
    started, extra, ended, switched_off, deadline = request.param
    exam = {
        "scheduled_date": START,
        "open_duration_hours": 2,
        "countdown_minutes": 60,
        "closes_at": START + minutes(120 if ended is None else ended),
        "is_active": switched_off is None,
        "switched_off_at": None if switched_off is None else START + minutes(switched_off),
    }
    return exam, START + minutes(started), minutes(extra), START + minutes(deadline)


def test_the_earliest_end_is_the_deadline(case):
    exam, started_at, extra, deadline = case
    assert clock.deadline(Exam(**exam), started_at, extra) == deadline


def test_in_a_query_it_is_the_same(app, case):
    fields, started_at, extra, deadline = case
    person, other = app.candidate(), app.candidate()
    exam_id = make_exam(app, app.staff("admin"), "A")
    with begin(app.runtime) as work:
        exam = work.db.get_one(Exam, exam_id)
        papers.freeze(work, exam)
        for name, value in fields.items():
            setattr(exam, name, value)
        for each in (person, other):
            work.db.add(Attempt(exam_id=exam_id, candidate_id=each.id, started_at=started_at))
        work.db.flush()
        # Several rows add up; those of others do not.
        for each, share in ((person, 0.4), (person, 0.6), (other, 7)):
            if extra:
                seconds = round(share * extra.total_seconds())
                work.db.add(
                    ExtraTime(
                        exam_id=exam_id,
                        candidate_id=each.id,
                        seconds=seconds,
                        created_at=work.now,
                    )
                )
        work.db.flush()
        own = (
            select(clock.deadlines(), clock.running(work))
            .select_from(Attempt)
            .join(Exam, Exam.id == Attempt.exam_id)
            .where(Attempt.candidate_id == person.id)
        )
        for now, is_accepting in (
            (deadline + minutes(5), True),
            (deadline + minutes(5) + timedelta(microseconds=1), False),
        ):
            work.now = now
            own = own.with_only_columns(clock.deadlines(), clock.running(work))
            assert work.db.execute(own).one() == (deadline, is_accepting)
            assert clock.is_accepting(work, deadline) == is_accepting


def test_extra_time_is_on_the_candidates_clock(app, admin):
    exam_id, person = make_exam(app, admin), app.candidate()
    before = take(person, exam_id).json
    with begin(app.runtime) as work:
        work.db.add(
            ExtraTime(exam_id=exam_id, candidate_id=person.id, seconds=90, created_at=work.now)
        )
    after = take(person, exam_id).json
    assert after["seconds_remaining"] == before["seconds_remaining"] + 90
    app.clock.advance(minutes=66, seconds=30)
    take(person, exam_id, status=200)
    app.clock.advance(seconds=1)
    take(person, exam_id, status=403, code="exam_not_open")
