"""The time lost in an outage is given back in full, and only once."""

from datetime import timedelta

from sqlalchemy import select

from competition.core.repeats import RepeatableRequest
from competition.core.work import begin
from competition.plugins.sittings.models import ExtraTime
from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.races import together

KEY = {"Idempotency-Key": "the-outage"}


def give(admin, exam_id, body, **options):
    body = {"everyone": True, "reason": "The power failed.", **body}
    return admin.post(f"/exams/{exam_id}/allowances/", body, **{"status": 201, **options}).json


def lost(app, start, first, last):
    """An allowance for the interval between two times, in minutes after the start."""
    begun, ended = (start + timedelta(minutes=each) for each in (first, last))
    return {"lost": {"from": begun.isoformat(), "until": ended.isoformat()}}


def left(app, person, exam_id):
    """How many minutes the candidate has left."""
    shown = app.new_session(person).get(f"/exams/{exam_id}/time/", status=200).json
    return shown["seconds_remaining"] / 60


def test_an_outage_beyond_the_deadline_is_given_back_in_full(app, admin):
    """The outage lasts from minute 40 of 60 to minute 80. After the allowance, all candidates who
    were sitting have 20 minutes left.
    """
    exam_id, start = make_exam(app, admin, "AB"), app.clock.now
    ada, own, later = (app.candidate() for _ in range(3))
    for person in (ada, own):
        take(person, exam_id)
    submit(own, exam_id, answers(app, exam_id, "AB"), status=201)
    ada.put(f"/exams/{exam_id}/draft/", {"sequence": 1, **answers(app, exam_id, "A")}, status=200)
    app.clock.advance(minutes=50)
    take(later, exam_id)
    app.clock.advance(minutes=32)
    app.run_task("drafts.hand_in")
    outage = lost(app, start, 40, 80)
    assert give(admin, exam_id, outage)["affected"] == 2
    assert left(app, ada, exam_id) == 20
    # The outage lay within this candidate's time, so the lost minutes are added as usual.
    assert left(app, later, exam_id) == 60 - 32 + 30
    # Minutes that were given back once are not given back again.
    for again in (outage, lost(app, start, 45, 80), lost(app, start, 40, 60)):
        assert give(admin, exam_id, again, status=400)["code"] == "invalid"
    assert left(app, ada, exam_id) == 20
    assert give(admin, exam_id, lost(app, start, 35, 80))["affected"] == 1
    assert left(app, ada, exam_id) == 25
    # After five minutes of work the power fails again, until the candidates' time is over.
    app.clock.advance(minutes=5)
    before = left(app, ada, exam_id)
    app.clock.advance(minutes=40)
    give(app.new_session(admin), exam_id, lost(app, start, 87, 127))
    assert left(app, ada, exam_id) == before


def test_giving_back_an_outage_that_reopens_nothing_is_rejected(app, admin):
    exam_id, start, ada = make_exam(app, admin, "A"), app.clock.now, app.candidate()
    take(ada, exam_id)
    app.clock.advance(minutes=90)
    # The outage ended before the deadline, so only its length, 10 minutes, would be given back.
    # This would reopen nothing, because the deadline passed longer ago.
    refused = give(admin, exam_id, lost(app, start, 30, 40), status=400)
    assert (refused["code"], "Give more" in refused["detail"]) == ("invalid", True)
    with begin(app.runtime) as work:
        assert work.db.scalars(select(ExtraTime)).all() == []
    # No attempt was running, so the allowance affects nobody.
    assert give(admin, exam_id, lost(app, start, -30, -20))["affected"] == 0
    other = make_exam(app, admin, "A")
    submit(ada := app.candidate(), other, answers(app, other, "A"), status=201)
    refused = give(admin, other, lost(app, app.clock.now, -5, 5), status=400)
    assert "submitted" in refused["detail"]


def test_a_candidate_who_starts_during_two_lost_intervals_gets_the_time_once(app, admin):
    exam_id, start = make_exam(app, admin, "A"), app.clock.now
    for last in (20, 30):
        give(admin, exam_id, lost(app, start, 0, last))
    app.clock.advance(minutes=10)
    late = app.candidate()
    take(late, exam_id)
    assert left(app, late, exam_id) == 60 + 20


def test_a_repeated_allowance_with_the_same_key_is_given_once(app, admin):
    exam_id, ada = make_exam(app, admin, "A"), app.candidate()
    take(ada, exam_id)
    body = {"extra_minutes": 10}
    first = give(admin, exam_id, body, headers=KEY)
    app.clock.advance(minutes=30)
    assert give(admin, exam_id, {**body, "lost": None}, headers=KEY) == first
    assert left(app, ada, exam_id) == 40
    changed = give(admin, exam_id, {"extra_minutes": 11}, headers=KEY, status=400)
    assert changed["code"] == "idempotency_key_reused"
    give(admin, exam_id, body, headers={"Idempotency-Key": "a b"}, status=400)
    # The key is valid for this member of staff and this exam only.
    other = make_exam(app, admin, "A")
    assert give(admin, other, body, headers=KEY)["id"] != first["id"]
    assert give(app.staff("admin"), exam_id, body, headers=KEY)["id"] != first["id"]
    # The repeated request is answered even when the exam can get no more extra time.
    app.clock.advance(hours=12)
    assert give(app.new_session(admin), exam_id, body, headers=KEY)["id"] == first["id"]
    app.clock.advance(days=7)
    app.forget("core.repeats")
    with begin(app.runtime) as work:
        assert work.db.scalars(select(RepeatableRequest)).all() == []


def test_a_rejected_allowance_can_be_repeated_with_the_same_key(app, admin):
    exam_id, ada = make_exam(app, admin, "A"), app.candidate()
    take(ada, exam_id)
    app.clock.advance(minutes=80)
    body = {"everyone": False, "candidate_id": str(ada.id)}
    give(admin, exam_id, {**body, "extra_minutes": 1}, headers=KEY, status=400)
    assert give(admin, exam_id, {**body, "extra_minutes": 30}, headers=KEY)["affected"] == 1


def test_simultaneous_repeats_of_an_allowance_give_it_once(live):
    admin, ada = live.staff("admin"), live.candidate()
    exam_id = make_exam(live, admin, "A")
    take(ada, exam_id)
    clients = [live.new_session(admin) for _ in range(5)]
    body = {"extra_minutes": 10}
    replies = together(5, lambda index: give(clients[index], exam_id, body, headers=KEY)["id"])
    assert len({*replies}) == 1
    assert ada.get(f"/exams/{exam_id}/time/").json["extra_minutes"] == 10
