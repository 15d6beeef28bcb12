"""The progress of an exam's candidates, as staff see it."""

import redis

from competition.core import shared_answers
from competition.core.limits.counters import parse_rates
from competition.core.redis import Broker
from competition.core.users.models import Candidate
from competition.core.work import begin
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import answers, make_exam, publish, submit, take
from competition.testing.waiting import wait_until


def watch(person, exam_id, query="", **expected):
    return person.get(f"/exams/{exam_id}/invigilation/{query}", **expected).json


def states(shown):
    return {row["candidate"]["user_id"]: row["state"] for row in shown["results"]}


def test_every_candidate_is_in_one_state(app, admin):
    exam_id = make_exam(app, admin, "AB")
    waiting, quiet, busy, done, late, moved = (
        app.candidate(school=school, last_name=name)
        for name, school in zip(
            "ABCDEF", ("Lycée", "Lycée", "École", "École", "x", "y"), strict=True
        )
    )
    app.candidate("league")
    app.candidate(verification="pending")
    for person in (quiet, busy, done, late, moved):
        take(person, exam_id)
    submit(done, exam_id, answers(app, exam_id, "A"), status=201)
    with begin(app.runtime) as work:
        work.db.add(
            Submission(
                exam_id=exam_id,
                candidate_id=late.id,
                answers="A-",
                submitted_at=work.now,
                handed_in_by="service",
            )
        )
        work.db.get_one(Candidate, moved.id).role = "league"
    app.clock.advance(seconds=119)
    busy.get(f"/exams/{exam_id}/time/")
    assert watch(admin, exam_id)["counts"]["silent"] == 0
    app.clock.advance(seconds=1)
    shown = watch(admin, exam_id)
    expected = [
        (waiting, "not_started"),
        (quiet, "silent"),
        (busy, "sitting"),
        (done, "submitted"),
        (late, "handed_in"),
        (moved, "silent"),
    ]
    assert list(states(shown).items()) == [(str(person.id), state) for person, state in expected]
    assert shown["counts"] == {
        "eligible": 6,
        "not_started": 1,
        "sitting": 1,
        "silent": 2,
        "submitted": 1,
        "handed_in": 1,
    }
    assert (shown["exam"], shown["status"]) == (exam_id, "ongoing")
    first, _, third, fourth, fifth, _ = shown["results"]
    not_started = {
        "candidate": {
            "user_id": str(waiting.id),
            "full_name": app.user(waiting).full_name,
            "school": "Lycée",
        },
        "state": "not_started",
        "started_at": None,
        "deadline": None,
        "extra_minutes": 0,
        "last_seen_at": None,
        "submitted_at": None,
        "handed_in_by": None,
    }
    assert not_started.items() <= first.items()
    assert third["last_seen_at"] == "2026-03-01T09:01:59Z"
    assert third["deadline"] == "2026-03-01T10:00:00Z"
    assert [row["handed_in_by"] for row in (third, fourth, fifth)] == [None, "candidate", "service"]
    for query, people in (
        ("?state=silent", (quiet, moved)),
        ("?school=lyc%C3%A9e", (waiting, quiet)),
        (f"?search={busy.email}", (busy,)),
        (f"?candidate={busy.id}", (busy,)),
        ("?limit=2&page=3", (late, moved)),
    ):
        found = watch(admin, exam_id, query)
        assert [*states(found)] == [str(person.id) for person in people]
        assert found["counts"] == shown["counts"]
    watch(admin, exam_id, "?page=9", status=404)
    watch(admin, exam_id, "?state=asleep", status=400)
    # A candidate whose time is over without a submission is silent, however recently they were
    # seen.
    app.clock.advance(minutes=64)
    assert watch(app.staff("moderator"), exam_id, "?state=sitting")["results"] == []


def test_the_reply_has_the_same_etag_until_something_changes(app, admin):
    exam_id, ada = make_exam(app, admin, "A"), app.candidate()
    take(ada, exam_id)
    path = f"/exams/{exam_id}/invigilation/"
    tag = admin.get(path).headers["ETag"]
    app.clock.advance(seconds=1)
    admin.get(path, headers={"If-None-Match": tag}, status=304)
    ada.get(f"/exams/{exam_id}/time/")
    admin.get(path, headers={"If-None-Match": tag}, status=200)


def test_moderators_share_the_counts_of_a_large_exam_for_two_seconds(app, admin, monkeypatch):
    exam_id = make_exam(app, admin, "AB")
    person = app.candidate()
    assert watch(admin, exam_id)["counts"]["not_started"] == 1
    take(person, exam_id)
    assert watch(admin, exam_id)["counts"]["sitting"] == 1
    monkeypatch.setattr(shared_answers, "FEW_ROWS", 0)
    assert watch(admin, exam_id)["counts"]["sitting"] == 1
    app.candidate()
    app.clock.advance(seconds=2)
    shown = watch(admin, exam_id)
    assert (shown["counts"]["eligible"], shown["pagination"]["count"]) == (1, 1)
    app.clock.advance(seconds=1)
    shown = watch(admin, exam_id, "?state=sitting")
    assert (shown["counts"]["eligible"], shown["pagination"]["count"]) == (2, 1)


def test_signs_of_life_reach_redis(app, admin):
    exam_id, ada, bob = make_exam(app, admin, "A"), app.candidate(), app.candidate()

    # Read Redis directly, because the endpoint would first write the pending signs of life of this
    # process.
    def is_seen(person):
        return app.runtime.redis.zscore(f"sittings.seen:{exam_id}", str(person.id))

    take(ada, exam_id)
    ada.get(f"/exams/{exam_id}/time/")
    wait_until(lambda: is_seen(ada))
    take(bob, exam_id)
    bob.get(f"/exams/{exam_id}/time/")
    app.runtime.close_parts()
    assert is_seen(bob)


def test_without_redis_no_candidate_counts_as_seen(app, admin, monkeypatch):
    exam_id, ada = make_exam(app, admin, "A"), app.candidate()
    monkeypatch.setattr(app.runtime, "redis", Broker("unix:///nowhere/redis.sock", 0.1).client)
    take(ada, exam_id)
    ada.get(f"/exams/{exam_id}/time/")
    assert watch(admin, exam_id)["counts"]["sitting"] == 1
    app.clock.advance(minutes=2)
    assert watch(admin, exam_id)["counts"]["silent"] == 1


def test_during_a_pause_redis_is_not_called(app, admin, monkeypatch):
    exam_id, ada = make_exam(app, admin, "A"), app.candidate()
    asked = []

    def fail(*args, **options):
        asked.append(args)
        raise redis.TimeoutError

    for name in ("zrange", "pipeline"):
        monkeypatch.setattr(app.runtime.redis, name, fail)
    monkeypatch.setattr("competition.core.redis.PAUSE", 1000.0)
    take(ada, exam_id)
    for _ in range(3):
        ada.get(f"/exams/{exam_id}/time/")
        watch(admin, exam_id)
    # The first failure started the pause.
    assert len(asked) == 1
    assert not app.runtime.redis_pause.is_over()


def test_the_number_of_answers_comes_from_drafts_and_submissions(app, admin):
    exam_id, ada = make_exam(app, admin, "AB"), app.candidate()
    take(ada, exam_id)
    ada.put(f"/exams/{exam_id}/draft/", {"sequence": 1, **answers(app, exam_id, "A ")})
    assert [row["answered"] for row in watch(admin, exam_id)["results"]] == [1]
    submit(ada, exam_id, answers(app, exam_id, "AB"), status=201)
    assert [row["answered"] for row in watch(admin, exam_id)["results"]] == [2]


def test_invigilation_has_a_rate_limit_of_its_own(app_with, monkeypatch):
    monkeypatch.setattr("competition.plugins.invigilation.RATE", parse_rates("1/hour"))
    app = app_with({"competition.ratelimit.enabled": "true"})
    admin = app.staff("admin")
    exam_id = make_exam(app, admin, "A")
    watch(admin, exam_id)
    watch(admin, exam_id, status=429)


def test_in_a_closed_season_candidates_who_did_not_come_have_not_started(app, admin):
    """Opening the next season sends all candidates back to the stage screening."""
    exam_id = make_exam(app, admin, "AB", stage="league")
    away, came = (app.candidate("league", last_name=name) for name in "AB")
    app.candidate()
    take(came, exam_id)
    submit(came, exam_id, answers(app, exam_id, "AB"), status=201)
    app.run_jobs()
    app.clock.advance(hours=13)
    staff = app.new_session(admin)
    publish(app, staff)
    before = watch(staff, exam_id)
    assert states(before) == {str(away.id): "not_started", str(came.id): "submitted"}
    app.staff("superadmin").post("/seasons/", {"name": "The next year"}, status=201)
    app.clock.advance(seconds=3)
    after = watch(app.new_session(admin), exam_id)
    assert (after["counts"], states(after)) == (before["counts"], states(before))
