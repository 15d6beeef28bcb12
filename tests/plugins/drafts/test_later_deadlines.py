"""However a deadline moves, candidates for whom the service has submitted continue as others do."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from competition.core.users import callers, personal_data
from competition.core.work import begin
from competition.plugins.drafts.services import saving
from competition.plugins.exams.errors import ExamNotOpen
from competition.plugins.scores.services import ending
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import answers, make_exam, score_of, submit, take


@dataclass(frozen=True)
class Act:
    """How an exam is planned, what happens an hour after its start, and what gives more time, when
    the service has submitted."""

    later: Any
    countdown: int = 110
    hours: int = 1
    at_the_hour: Any = None


def patch(**changes):
    return lambda app, admin, exam_id: admin.patch(f"/exams/{exam_id}/", changes, status=200)


def conclude(app, admin, exam_id):
    admin.post(f"/exams/{exam_id}/conclude/", status=200)


def give(**time):
    body = {"everyone": True, "reason": "The power failed.", **time}

    def act(app, admin, exam_id):
        admin.post(f"/exams/{exam_id}/allowances/", body, status=201)

    return act


def postpone(app, admin, exam_id):
    date = (app.clock.now - timedelta(minutes=36)).isoformat()
    admin.patch(f"/exams/{exam_id}/", {"scheduled_date": date}, status=200)


def outage(app, admin, exam_id):
    lost = [(app.clock.now - timedelta(minutes=each)).isoformat() for each in (30, 0)]
    give(lost={"from": lost[0], "until": lost[1]})(app, admin, exam_id)


ACTS = {
    "a longer window": Act(patch(open_duration_hours=2)),
    "a later date": Act(postpone),
    "a longer countdown": Act(patch(countdown_minutes=110), countdown=60, hours=2),
    "off and on": Act(patch(is_active=True), hours=2, at_the_hour=patch(is_active=False)),
    "concluded, and a longer window": Act(
        patch(open_duration_hours=3), hours=2, at_the_hour=conclude
    ),
    "extra minutes": Act(give(extra_minutes=40)),
    "an outage": Act(outage),
    "extra minutes, and a longer window": Act(
        patch(open_duration_hours=2), at_the_hour=give(extra_minutes=40)
    ),
}


def save(app, person, exam_id, sequence, letters, **expected):
    body = {"sequence": sequence, **answers(app, exam_id, letters)}
    return app.new_session(person).put(f"/exams/{exam_id}/draft/", body, **expected)


def submission(app, person, exam_id):
    with begin(app.runtime) as work:
        row = work.db.get(Submission, (exam_id, person.id), populate_existing=True)
        return row and (row.answers, row.handed_in_by)


@pytest.mark.parametrize("name", ACTS)
def test_every_act_that_moves_a_deadline_lets_all_continue(app, admin, name):
    act = ACTS[name]
    exam_id = make_exam(
        app,
        admin,
        "ABCD",
        scheduled_date=app.clock.now.isoformat(),
        countdown_minutes=act.countdown,
        open_duration_hours=act.hours,
    )
    saved, cleared, silent, done = people = [app.candidate() for _ in range(4)]
    for person in people:
        take(person, exam_id, status=200)
    save(app, saved, exam_id, 1, "AB", status=200)
    save(app, cleared, exam_id, 1, " ", status=200)
    submit(done, exam_id, answers(app, exam_id, "A"), status=201)
    app.clock.advance(hours=1)
    if act.at_the_hour is not None:
        act.at_the_hour(app, admin, exam_id)
    app.clock.advance(minutes=46 if name.startswith("extra minutes, and") else 6)
    app.run_task("drafts.hand_in")
    assert submission(app, saved, exam_id) == ("AB--", "service")
    assert score_of(app, saved, exam_id) == 50

    act.later(app, admin, exam_id)
    assert score_of(app, saved, exam_id) is None
    for person in (saved, cleared, silent):
        assert app.new_session(person).get(f"/exams/{exam_id}/time/").json["submitted"] is False
    paper = take(app.new_session(saved), exam_id, status=200).json
    assert [each["selected_option"] for each in paper["draft"]["answers"]] == ["A", "B"]
    take(app.new_session(done), exam_id, status=400, code="exam_already_submitted")
    save(app, saved, exam_id, 2, "ABC", status=200)
    save(app, cleared, exam_id, 2, "D", status=200)
    save(app, silent, exam_id, 1, "C", status=200)
    app.clock.advance(hours=3)
    app.run_task("drafts.hand_in")
    found = [submission(app, person, exam_id) for person in people]
    assert found == [
        ("ABC-", "service"),
        ("D---", "service"),
        ("C---", "service"),
        ("A---", "candidate"),
    ]


@pytest.fixture
def submitted(app, admin):
    """An exam with a window of an hour that is over, and a candidate for whom the service has
    submitted."""
    exam_id = make_exam(
        app,
        admin,
        "AB",
        scheduled_date=app.clock.now.isoformat(),
        countdown_minutes=110,
        open_duration_hours=1,
    )
    person = app.candidate()
    take(person, exam_id, status=200)
    save(app, person, exam_id, 1, "AB", status=200)
    app.clock.advance(minutes=66)
    app.run_task("drafts.hand_in")
    return exam_id, person


def test_an_act_that_gives_no_time_reopens_nothing(app, admin, submitted):
    exam_id, person = submitted
    for changes in (
        {"title": "Another"},
        {"countdown_minutes": 1440},
        {"is_active": False},
        {"is_active": True},
    ):
        admin.patch(f"/exams/{exam_id}/", changes, status=200)
        assert submission(app, person, exam_id) == ("AB", "service")


def test_a_sealed_exam_stays_as_it_is_whatever_is_changed(app, admin, submitted):
    exam_id, person = submitted
    with begin(app.runtime) as work:
        assert [exam.id for exam in ending.seal_and_score(work)] == [exam_id]
    admin.patch(f"/exams/{exam_id}/", {"open_duration_hours": 2}, status=400, code="invalid")
    assert submission(app, person, exam_id) == ("AB", "service")


def test_the_submission_of_an_erased_account_stays(app, admin, submitted):
    exam_id, person = submitted
    with begin(app.runtime) as work:
        personal_data.erase(work, person.id)
    admin.patch(f"/exams/{exam_id}/", {"open_duration_hours": 2}, status=200)
    assert submission(app, person, exam_id) == ("AB", "service")
    assert score_of(app, person, exam_id) == 100


def test_a_save_that_arrives_after_the_automatic_submission_is_not_applied(app, admin):
    exam_id, person = make_exam(app, admin, "AB"), app.candidate()
    take(person, exam_id, status=200)
    save(app, person, exam_id, 1, "A", status=200)
    with begin(app.runtime) as work:
        work.actor = callers.identify(work, person.client.token or "")
        # This request has read the deadline, and is slow.
        attempt = saving.running_attempt(work, exam_id)
    conclude(app, admin, exam_id)
    app.clock.advance(minutes=6)
    app.run_task("drafts.hand_in")
    with begin(app.runtime) as work, pytest.raises(ExamNotOpen):
        work.actor = callers.identify(work, person.client.token or "")
        saving.save(work, attempt, exam_id, 2, [])
    assert submission(app, person, exam_id) == ("A-", "service")
