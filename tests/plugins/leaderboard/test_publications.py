"""Publishing some exams now or later, without the exams that are scheduled for another time."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from competition.core import flags
from competition.core.audit import AuditEntry
from competition.core.jobs.runner import Runner
from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.leaderboard import SCORE_PUBLICATION
from competition.plugins.leaderboard.models import Entry, Snapshot
from competition.plugins.leaderboard.services import publishing, scheduling
from competition.testing.exam_day import (
    answers,
    make_exam,
    publish,
    score_by_hand,
    season,
    submit,
    take,
)
from competition.testing.races import overtaken, together

ORDER = "/leaderboard/publish/"
PUBLICATIONS = "/leaderboard/publications/"


def boards(reader):
    reply = reader.get("/leaderboard/", status="any")
    if reply.status_int == 404:
        return []
    return [board["exam_id"] for board in reply.json["available_leaderboards"]]


def order(app, admin, *exam_ids, **at):
    """Schedule the publication of the exams at this interval from now. Without an interval, publish
    them now. Return their publications.
    """
    body = {"exams": list(exam_ids)}
    if at:
        body["publish_at"] = (app.clock.now + timedelta(**at)).isoformat()
    return admin.post(ORDER, body, status=202).json["publications"]


def states(admin, query=""):
    found = admin.get(PUBLICATIONS + query, status=200).json["results"]
    return [(each["exam"], each["status"]) for each in found]


def three(app, admin):
    """Three exams that are over, one per round."""
    return [season(app, admin, ["ABC"], round=round, title=f"R{round}")[0] for round in (1, 2, 3)]


def test_a_scheduled_exam_is_published_only_at_its_time(app, admin):
    one, two, three_ = three(app, admin)
    [first, second] = order(app, admin, two, one, minutes=50)
    due = (app.clock.now + timedelta(minutes=50)).isoformat().replace("+00:00", "Z")
    made = app.clock.now.isoformat().replace("+00:00", "Z")
    assert first == {
        "id": first["id"],
        "exam": two,
        "publish_at": due,
        "expected_at": due,
        "status": "scheduled",
        "created_at": made,
    }
    publish(app, admin)
    assert boards(admin) == [three_]
    app.clock.advance(minutes=50, seconds=-1)
    app.run_jobs()
    assert boards(admin) == [three_]
    app.clock.advance(seconds=1)
    app.run_jobs()
    assert boards(admin) == [one, two, three_]
    assert states(admin) == [(one, "published"), (two, "published")]
    assert states(admin, "?search=r2&status=published&ordering=publish_at") == [(two, "published")]
    assert states(admin, "?status=scheduled") == []
    path = f"{PUBLICATIONS}{second['id']}/"
    admin.delete(path, status=400, code="invalid")
    with begin(app.runtime) as work:
        snapshots = len(work.db.scalars(select(Snapshot)).all())
        # A job that is run again finds nothing to publish.
        scheduling.publish_due(work)
        assert len(work.db.scalars(select(Snapshot)).all()) == snapshots


def test_a_publication_can_be_rescheduled_and_cancelled(app, admin):
    exam_id, _ = season(app, admin, ["ABC"])
    [before] = order(app, admin, exam_id, minutes=20)
    [after] = order(app, admin, exam_id, exam_id, minutes=60)
    assert after["id"] == before["id"] and after["publish_at"] > before["publish_at"]
    app.clock.advance(minutes=40)
    app.run_jobs()
    assert boards(admin) == []
    path = f"{PUBLICATIONS}{after['id']}/"
    admin.delete(path, status=204)
    admin.delete(path, status=400, code="invalid")
    assert states(admin) == [(exam_id, "cancelled")]
    app.clock.advance(minutes=40)
    app.run_jobs()
    assert boards(admin) == []
    publish(app, admin)
    assert boards(admin) == [exam_id]
    with begin(app.runtime) as work:
        entries = work.db.scalars(
            select(AuditEntry)
            .where(AuditEntry.action.startswith("leaderboard"))
            .order_by(AuditEntry.id)
        ).all()
        acts = [(each.action, each.subject) for each in entries]
        assert entries[0].new["exams"] == [exam_id]
    assert acts == [
        *[("leaderboard.publish", "")] * 2,
        ("leaderboard.unschedule", f"exam {exam_id}"),
        ("leaderboard.publish", ""),
    ]


def test_publishing_some_exams_leaves_other_leaderboards_unchanged(app, admin):
    old, [ada] = season(app, admin, ["ABC"], round=1)
    publish(app, admin)
    new, _ = season(app, admin, ["AB"], round=2)
    other, _ = season(app, admin, ["AB"], round=3)
    before = admin.get(f"/leaderboard/?exam_id={old}").json
    score_by_hand(admin, old, ada, 99)
    [publication] = order(app, admin, new)
    assert publication["status"] == "scheduled"
    app.run_jobs()
    assert boards(admin) == [old, new]
    assert admin.get(f"/leaderboard/?exam_id={old}").json == before
    with begin(app.runtime) as work:
        # The service does not write a board again that has not changed.
        assert len(work.db.scalars(select(Entry)).all()) == 2
    # If an exam is scheduled again, a publication of all other exams does not change its board.
    order(app, admin, old, minutes=30)
    publish(app, admin)
    assert boards(admin) == [old, new, other]
    assert admin.get(f"/leaderboard/?exam_id={old}").json == before
    app.clock.advance(minutes=30)
    app.run_jobs()
    assert admin.get(f"/leaderboard/?exam_id={old}").json["top_three"][0]["score"] == 99
    admin.delete(f"/exams/{old}/", status=204)
    order(app, admin, new)
    app.run_jobs()
    assert boards(admin) == [new, other]


def test_a_publication_waits_until_nobody_can_submit(app, admin):
    running, gone = make_exam(app, admin, "AB"), make_exam(app, admin, "AB", round=2)
    take(app.candidate(), running, status=200)
    score_by_hand(admin, gone, app.candidate(), 50)
    order(app, admin, running, gone, hours=-1)
    admin.delete(f"/exams/{gone}/", status=204)
    app.run_jobs()
    assert sorted(states(admin)) == sorted([(running, "scheduled"), (gone, "cancelled")])
    app.clock.advance(minutes=66)
    admin.post(f"/exams/{running}/conclude/")
    score_by_hand(admin, running, app.candidate(), 5)
    app.run_task("leaderboard.publish_due")
    assert boards(admin) == [running]
    assert (running, "published") in states(admin)


def test_a_publication_says_when_the_leaderboard_is_there_at_the_latest(app, admin):
    """A minute after the last answers are accepted: this is how often the service looks again."""
    running, empty = make_exam(app, admin, "AB"), make_exam(app, admin, "AB", round=2)
    person = app.candidate()
    take(person, running, status=200)

    def shown(at):
        return at.isoformat().replace("+00:00", "Z")

    def expected():
        found = admin.get(f"{PUBLICATIONS}?status=scheduled", status=200).json["results"]
        return {each["exam"]: each["expected_at"] for each in found}

    def hand_in_until():
        [previewed] = admin.post(f"{ORDER}preview/", {"exams": [running]}, status=200).json["exams"]
        assert (previewed["hand_in_until"] is None) == previewed["is_over"]
        return previewed["hand_in_until"]

    closes = admin.get(f"/exams/{running}/", status=200).json["closes_at"]
    last = datetime.fromisoformat(closes) + timedelta(minutes=5)
    [publication] = order(app, admin, running)
    assert publication["expected_at"] == shown(last + timedelta(minutes=1))
    assert hand_in_until() == shown(last)
    for exam_id in (running, empty):
        admin.post(f"/exams/{exam_id}/conclude/", status=200)
    order(app, admin, empty)
    last = app.clock.now + timedelta(minutes=5)
    # An exam that nobody has taken gets no leaderboard.
    assert expected() == {running: shown(last + timedelta(minutes=1)), empty: None}
    assert hand_in_until() == shown(last)
    order(app, admin, running, hours=1)
    assert expected()[running] == shown(app.clock.now + timedelta(hours=1))
    submit(person, running, answers(app, running, "AB"), status=201)
    assert hand_in_until() is None
    [publication] = order(app, admin, running)
    assert publication["expected_at"] == shown(app.clock.now)


def test_an_invalid_publication_is_rejected_and_an_empty_one_publishes_all(app, admin):
    exam_id, _ = season(app, admin, ["A"])
    for body, field in (
        ({"exams": []}, "exams"),
        ({"exams": [exam_id, 999_999]}, "exams"),
        ({"publish_at": "2026-03-01T09:00:00Z"}, "exams"),
        ({"exams": [exam_id], "publish_at": "soon"}, "publish_at"),
    ):
        refusal = admin.post(ORDER, body, status=400, code="invalid").json
        assert list(refusal["errors"]) == [field]
    admin.delete(f"{PUBLICATIONS}999999/", status=404, code="not_found")
    assert states(admin) == []
    assert set(admin.post(ORDER, {}, status=202).json) == {"message"}
    app.run_jobs()
    assert boards(admin) == [exam_id]


def test_each_exam_can_set_when_its_scores_become_visible(app, admin):
    exams = {}
    person = app.candidate()
    for round, when in enumerate(("immediately", "at_conclusion", "at_publication", None), 1):
        exam_id = make_exam(app, admin, "AB", round=round, scores_visible=when)
        score_by_hand(admin, exam_id, person, 10 * round)
        app.clock.advance(seconds=1)
        exams[when] = exam_id

    def seen():
        app.run_task("scores.standings")
        profile = person.get("/account-management/", status=200).json["profile"]
        ranking = person.get("/dashboard/candidate/", status=200).json["leaderboard_ranking"]
        assert ranking == {"current_rank": 1, "total_candidates": 1}
        return {each["exam_id"] for each in profile["scores"]["scores"]}

    at_once = {exams["immediately"], exams[None]}
    assert seen() == at_once
    for exam_id in exams.values():
        admin.post(f"/exams/{exam_id}/conclude/")
    assert seen() == {*at_once, exams["at_conclusion"]}
    publish(app, admin)
    assert seen() == set(exams.values())


def test_a_publication_survives_a_killed_worker_and_happens_once(live):
    admin = live.staff("admin")
    exam_id, [ada] = season(live, admin, ["ABC"])
    order(live, admin, exam_id)

    class Killed(BaseException):
        pass

    with pytest.raises(Killed), begin(live.runtime) as work:
        scheduling.publish_due(work)
        raise Killed
    assert (boards(admin), states(admin)) == ([], [(exam_id, "scheduled")])

    def act(_):
        with begin(live.runtime) as work:
            scheduling.publish_due(work)

    together(2, act)
    assert (boards(admin), states(admin)) == ([exam_id], [(exam_id, "published")])
    with begin(live.runtime) as work:
        assert len(work.db.scalars(select(Snapshot)).all()) == 1
        assert work.db.get_one(User, ada.id).is_active
    while Runner(live.runtime).run_next():
        pass
    with begin(live.runtime) as work:
        publishing.publish_exams(work, [999_999])
        assert len(work.db.scalars(select(Snapshot)).all()) == 1


@pytest.mark.parametrize("is_first", [True, False])
def test_the_first_of_a_publication_and_its_cancellation_wins(live, is_first):
    """If `is_first`, the publication comes before its cancellation."""
    admin = live.staff("admin")
    exam_id, _ = season(live, admin, ["ABC"])
    [made] = order(live, admin, exam_id)

    def publish_due():
        with begin(live.runtime) as work:
            scheduling.publish_due(work)

    if is_first:
        path = f"{PUBLICATIONS}{made['id']}/"
        overtaken(live, admin, scheduling.publish_due, lambda: admin.delete(path, status=400))
    else:
        overtaken(live, admin, lambda work: scheduling.cancel(work, made["id"]), publish_due)
    state = "published" if is_first else "cancelled"
    assert (boards(admin), states(admin)) == ([exam_id][: int(is_first)], [(exam_id, state)])


def test_a_repeated_publication_with_the_same_key_takes_effect_once(app, admin):
    one, two, three_ = three(app, admin)
    app.clock.advance(minutes=6)
    key = {"headers": {"Idempotency-Key": "tonight"}}
    body = {"exams": [two, one], "publish_at": (app.clock.now + timedelta(hours=1)).isoformat()}
    first = admin.post(ORDER, body, status=202, **key).json
    # The publication is cancelled, and the repeated request does not schedule it again.
    admin.delete(f"{PUBLICATIONS}{first['publications'][0]['id']}/", status=204)
    again = admin.post(ORDER, body, status=202, **key).json
    assert [each["exam"] for each in again["publications"]] == [two, one]
    assert [each["status"] for each in again["publications"]] == ["cancelled", "scheduled"]
    assert len(states(admin)) == 2
    admin.post(ORDER, {"exams": [one]}, status=400, code="idempotency_key_reused", **key)
    with begin(app.runtime) as work:
        flags.switch(work, SCORE_PUBLICATION, True)
    admin.post("/publish-scores/", status=400, code="idempotency_key_reused", **key)
    for path in (ORDER, "/publish-scores/"):
        key = {"headers": {"Idempotency-Key": path}}
        for _ in range(2):
            admin.post(path, status=202, **key)
            app.run_jobs()
    with begin(app.runtime) as work:
        assert len(work.db.scalars(select(Snapshot)).all()) == 2
    assert boards(admin) == [two, three_]
