"""What happens while a season is opened, or while that is undone."""

import pytest

from competition.plugins.seasons.services import opening
from competition.testing.exam_day import make_exam, publish, season, take
from competition.testing.races import overtaken, together
from competition.testing.service import PASSWORD

GRACE = {
    "email": "grace.hopper@school.example",
    "first_name": "Grace",
    "last_name": "Hopper",
    "phone": "+49123456789",
    "school": "Hillside School",
    "password": PASSWORD,
    "password2": PASSWORD,
}
PLAN = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}, "ties": "in"}


@pytest.fixture
def superadmin(live):
    return live.staff("superadmin")


@pytest.fixture
def admin(live):
    return live.staff("admin")


def open_season(work):
    return opening.open_season(work, "The next year", "confirm", None)


def opened(superadmin):
    return superadmin.post("/seasons/", {"name": "The next year"}, status=201).json["id"]


def test_of_two_openings_at_once_one_wins(live, superadmin):
    callers = [superadmin, live.new_session(superadmin)]
    replies = together(
        2, lambda index: callers[index].post("/seasons/", {"name": "2027"}, status="any")
    )
    assert sorted(each.status_int for each in replies) == [201, 400]
    statuses = [each["status"] for each in superadmin.get("/seasons/").json["results"]]
    assert statuses == ["current", "closed"]


def test_an_exam_that_is_created_during_an_opening_is_of_the_new_season(live, superadmin, admin):
    def create():
        return admin.post("/exams/", {"title": "Rings", "stage": "screening"}, status=201).json

    exam = overtaken(live, superadmin, open_season, create)
    assert exam["season"] == superadmin.get("/seasons/").json["results"][0]["id"]
    assert [each["id"] for each in admin.get("/exams/").json["results"]] == [exam["id"]]


def test_a_change_during_an_opening_finds_the_season_closed(live, superadmin, admin):
    exam_id = make_exam(live, admin, "AB")
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    path = f"/exams/{exam_id}/"
    change = {"title": "Ideals"}
    overtaken(
        live,
        superadmin,
        open_season,
        lambda: admin.patch(path, change, status=400, code="season_closed"),
    )


def test_a_plan_that_is_applied_during_an_opening_finds_the_season_closed(live, superadmin, admin):
    exam_id = make_exam(live, admin, "AB")
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    plan_id = admin.post("/advancement/", {**PLAN, "exams": [exam_id]}, status=201).json["id"]
    path = f"/advancement/{plan_id}/apply/"
    overtaken(
        live, superadmin, open_season, lambda: admin.post(path, status=400, code="season_closed")
    )


def test_an_appeal_during_an_opening_finds_the_season_closed(live, superadmin, admin):
    exam_id, [person] = season(live, admin, ["AB"], key="AB")
    publish(live, admin)
    path, body = f"/exams/{exam_id}/appeals/", {"question": None, "text": "Zero is even."}
    overtaken(
        live,
        superadmin,
        open_season,
        lambda: person.post(path, body, status=400, code="season_closed"),
    )


@pytest.mark.parametrize("rule", [open_season, opening.undo])
def test_a_registration_waits_for_no_season(live, superadmin, rule):
    opened(superadmin) if rule is opening.undo else None
    overtaken(
        live,
        superadmin,
        rule,
        lambda: live.anonymous.post("/register/candidate/", GRACE, status=201),
    )
    [row] = superadmin.get("/candidates/?search=hopper").json["results"]
    # A candidate who registers while a season is opened has joined the earlier one.
    is_in = "true" if rule is opening.undo else "false"
    found = superadmin.get(f"/candidates/?joined={is_in}").json["results"]
    assert [each["user"]["email"] for each in found] == [row["user"]["email"]]


def test_a_first_start_and_an_undo_at_once(live, superadmin, admin):
    opened(superadmin)
    exam_id, person = make_exam(live, admin, "AB"), live.candidate()
    acts = (
        lambda: superadmin.post("/seasons/undo/", {}, status="any"),
        lambda: take(person, exam_id, status=200),
    )
    undone, _ = together(2, lambda index: acts[index]())
    seasons = len(superadmin.get("/seasons/").json["results"])
    assert (undone.status_int, seasons) in [(200, 1), (400, 2)]
    shown = admin.get(f"/exams/{exam_id}/").json
    assert shown["season"] == superadmin.get("/seasons/").json["results"][0]["id"]
    take(person, exam_id, status=200)
