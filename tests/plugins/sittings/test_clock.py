"""The deadline of an attempt, computed in Python and in a query."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from competition.core.users.models import Candidate
from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers
from competition.plugins.sittings.models import Attempt, ExtraTime
from competition.plugins.sittings.services import clock
from competition.testing.exam_day import answers, make_exam, submit, take
from tests.support.statements import counts

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
NEVER = timedelta()


def minutes(count):
    return timedelta(minutes=count)


# Each exam opens at START for two hours, with a countdown of one hour. The values are: when the
# attempt started, the extra time, the percentage, the changed closing time, when the exam was
# switched off, the deadline, and by how much extra time moved it. Times are in minutes from START.
CASES = {
    "the countdown": (0, 0, 0, None, None, 60, 0),
    "the countdown and what is extra": (0, 25, 0, None, None, 85, 25),
    "the countdown and its percentage": (0, 0, 50, None, None, 90, 30),
    "the window": (90, 0, 0, None, None, 120, 0),
    "the window and what is extra": (90, 25, 0, None, None, 145, 25),
    "the window and the percentage": (90, 0, 50, None, None, 150, 30),
    "the window, the percentage and what is extra": (60, 25, 50, None, None, 175, 55),
    "the countdown before the window, with what is extra": (50, 40, 0, None, None, 150, 40),
    "concluded": (0, 0, 0, 30, None, 30, 0),
    "concluded, whatever is extra": (0, 25, 50, 30, None, 30, 0),
    "cut, which leaves the window longer than planned": (90, 25, 50, 130, None, 185, 55),
    "cut, and the countdown ends before": (50, 25, 50, 130, None, 165, 55),
    "concluded after the countdown": (0, 0, 0, 70, None, 60, 0),
    "switched off": (0, 25, 50, None, 40, 40, 0),
    "switched off after the countdown": (0, 0, 0, None, 70, 60, 0),
}


@pytest.fixture(params=CASES.values(), ids=CASES)
def case(request):
    started, extra, percent, ended, switched_off, deadline, given = request.param
    exam = {
        "scheduled_date": START,
        "open_duration_hours": 2,
        "countdown_minutes": 60,
        "closes_at": START + minutes(120 if ended is None else ended),
        "is_active": switched_off is None,
        "switched_off_at": None if switched_off is None else START + minutes(switched_off),
    }
    attempt = (START + minutes(started), minutes(extra), percent)
    return exam, attempt, START + minutes(deadline), minutes(given)


def test_the_earliest_end_is_the_deadline(case):
    exam, attempt, deadline, given = case
    assert clock.deadline(Exam(**exam), *attempt) == deadline
    assert clock.given(Exam(**exam), *attempt) == given


def test_the_deadline_in_a_query_is_the_same(app, case):
    fields, (started_at, extra, percent), deadline, _ = case
    person, other = app.candidate(), app.candidate()
    exam_id = make_exam(app, app.staff("admin"), "A")
    with begin(app.runtime) as work:
        exam = work.db.get_one(Exam, exam_id)
        papers.freeze(work, exam)
        for name, value in fields.items():
            setattr(exam, name, value)
        begun = {"exam_id": exam_id, "started_at": started_at}
        work.db.add(Attempt(candidate_id=person.id, extra_percent=percent, **begun))
        work.db.add(Attempt(candidate_id=other.id, **begun))
        work.db.flush()
        # Rows of extra time add up. Those of other candidates do not count.
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


def test_submitting_needs_time_no_earlier_submission_and_no_seal(app, admin):
    exam_id, sealed_id, over_id = exams = [make_exam(app, admin) for _ in range(3)]
    ada, ben = app.candidate(), app.candidate()
    for each in exams:
        take(ada, each)
        take(ben, each)
        submit(ada, each, answers(app, each, "A"), status=201)
    with begin(app.runtime) as work:
        work.db.get_one(Exam, sealed_id).sealed_at = work.now
        work.db.get_one(Exam, over_id).closes_at = work.now - minutes(10)
        work.db.flush()
        attempts = select(Attempt.exam_id, Attempt.candidate_id).join(
            Exam, Exam.id == Attempt.exam_id
        )
        assert work.db.execute(attempts.where(clock.can_submit(work))).all() == [(exam_id, ben.id)]


def test_extra_time_extends_the_candidates_clock(app, admin):
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


def shown(time):
    return time.isoformat().replace("+00:00", "Z")


def read(person, exam_id, **expected):
    return person.get(f"/exams/{exam_id}/time/", **expected)


def test_the_clock_can_be_read_before_during_and_after_the_exam(app, admin, statements):
    opens_at, person = app.clock.now + minutes(30), app.candidate()
    exam_id = make_exam(app, admin, scheduled_date=shown(opens_at), open_duration_hours=2)
    window = {"opens_at": shown(opens_at), "closes_at": shown(opens_at + minutes(120))}
    not_begun = dict.fromkeys(("started_at", "deadline", "hand_in_until", "seconds_remaining"))
    assert read(person, exam_id).json == {
        **{**window, **not_begun, "server_time": shown(app.clock.now), "status": "scheduled"},
        **{"extra_minutes": 0, "submitted": False, "sealed": False, "messages": 0},
    }
    app.clock.advance(minutes=40)
    assert read(person, exam_id).json["status"] == "ongoing"
    paper = take(person, exam_id).json
    started_at = app.clock.now
    with begin(app.runtime) as work:
        extra = {"exam_id": exam_id, "candidate_id": person.id, "created_at": work.now}
        work.db.add(ExtraTime(seconds=61, **extra))
    app.clock.advance(seconds=100.5)
    deadline = started_at + timedelta(seconds=3661)
    expected = {
        **{**window, "server_time": shown(app.clock.now), "status": "ongoing"},
        "started_at": paper["started_at"],
        "deadline": shown(deadline),
        "hand_in_until": shown(deadline + minutes(5)),
        "seconds_remaining": 3560,
        # A part of a minute is rounded up.
        "extra_minutes": 2,
        "submitted": False,
    }
    assert read(person, exam_id).json == {**expected, "sealed": False, "messages": 0}
    # One of the three statements identifies the caller.
    assert counts(statements, {"read": lambda: read(person, exam_id)})["read"] <= 3
    again = take(person, exam_id).json
    assert {name: again[name] for name in expected} == expected
    submit(person, exam_id, answers(app, exam_id, "A"), status=201)
    app.clock.advance(days=1)
    over = read(app.new_session(person), exam_id).json
    assert (over["status"], over["seconds_remaining"]) == ("concluded", 0)
    assert (over["submitted"], over["deadline"]) == (True, shown(deadline))
    app.run_jobs()
    assert read(app.new_session(person), exam_id).json["sealed"] is False
    with begin(app.runtime) as work:
        work.db.get_one(Exam, exam_id).sealed_at = work.now
    assert read(app.new_session(person), exam_id).json["sealed"] is True


def test_candidates_of_the_stage_and_candidates_who_started_read_the_clock(app, admin):
    exam_id, person = make_exam(app, admin, scheduled_date=None), app.candidate()
    planned = read(person, exam_id).json
    assert (planned["status"], planned["opens_at"], planned["closes_at"]) == ("draft", None, None)
    read(person, exam_id + 1, status=404, code="not_found")
    read(app.candidate("league"), exam_id, status=403, code="exam_not_eligible")
    ongoing = make_exam(app, admin)
    take(person, ongoing)
    with begin(app.runtime) as work:
        work.db.get_one(Candidate, person.id).role = "league"
    read(person, ongoing, status=200)


def test_the_clock_has_a_rate_limit_of_its_own(app_with):
    app = app_with({"competition.ratelimit.enabled": "true"})
    exam_id, person = make_exam(app, app.staff("admin")), app.candidate()
    for _ in range(10):
        person.get("/candidates/me/", status="any")
    reply = read(person, exam_id, status=200)
    assert reply.headers["X-RateLimit-Limit"] == "120"
