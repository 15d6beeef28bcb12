"""What happens while a season is opened, or while that is undone."""

import pytest

from competition.plugins.advancement.services import applying as advancing
from competition.plugins.advancement.services import plans
from competition.plugins.imports.services import applying
from competition.plugins.leaderboard.services import publishing
from competition.plugins.seasons.services import joining, opening
from competition.plugins.sittings.services import taking
from competition.testing.exam_day import make_exam, publish, season, sit, take
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


def test_a_plan_that_is_being_applied_is_of_the_season_in_which_it_began(live, superadmin, admin):
    exam_id, [person] = season(live, admin, ["AB"], key="AB")
    publish(live, admin)
    plan_id = admin.post("/advancement/", {**PLAN, "exams": [exam_id]}, status=201).json["id"]
    superadmin.post("/seasons/", {"name": "2027"}, status=400, code="season_open")
    overtaken(
        live,
        admin,
        lambda work: advancing.apply(work, plans.locked(work, plan_id)),
        lambda: superadmin.post("/seasons/", {"name": "2027"}, status=201),
    )
    [past] = admin.get(f"/candidates/{person.id}/").json["seasons"]
    assert (past["stage"], live.user(person).role) == ("league", "screening")


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
def test_a_join_during_an_opening_or_an_undo_is_of_the_season_that_is_current_then(
    live, superadmin, rule
):
    person = live.candidate()
    superadmin.post("/seasons/", {"name": "Second"}, status=201)
    joined = overtaken(
        live, superadmin, rule, lambda: person.post("/seasons/join/", {}, status=200).json
    )
    assert joined["season"] == superadmin.get("/seasons/").json["results"][0]["id"]
    assert person.get("/candidates/me/").json["season"] == joined["season"]


def test_a_season_that_is_opened_during_a_join_records_it(live, superadmin):
    person = live.candidate()
    second = superadmin.post("/seasons/", {"name": "Second"}, status=201).json["id"]
    overtaken(
        live,
        person,
        lambda work: joining.join(work, {"contributed": {}}),
        lambda: opened(superadmin),
    )
    [latest, _] = person.get("/account-management/").json["profile"]["seasons"]
    assert latest["season"] == second
    superadmin.post("/seasons/undo/", {}, status=200)
    assert person.get("/candidates/me/").json["current_season"]["joined"] is True


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


def test_an_undo_during_a_first_start_is_refused(live, superadmin, admin):
    opened(superadmin)
    exam_id, person = make_exam(live, admin, "AB"), live.candidate()

    def start(work):
        sitting, _ = taking.opened(work, taking.find(work, exam_id))
        taking.start(work, sitting)

    overtaken(
        live,
        person,
        start,
        lambda: superadmin.post("/seasons/undo/", {}, status=400, code="invalid"),
    )


def test_a_first_start_during_an_undo_is_of_the_earlier_season(live, superadmin, admin):
    [old] = superadmin.get("/seasons/").json["results"]
    opened(superadmin)
    exam_id, person = make_exam(live, admin, "AB"), live.candidate()
    overtaken(live, superadmin, opening.undo, lambda: take(person, exam_id, status=200))
    assert admin.get(f"/exams/{exam_id}/").json["season"] == old["id"]
    assert [each["id"] for each in superadmin.get("/seasons/").json["results"]] == [old["id"]]


def test_a_first_start_and_an_opening_at_once(live, superadmin, admin):
    exam_id, person = make_exam(live, admin, "AB"), live.candidate()
    acts = (
        lambda: superadmin.post("/seasons/", {"name": "2027"}, status=400, code="season_open"),
        lambda: take(person, exam_id, status=200),
    )
    together(2, lambda index: acts[index]())


def test_a_publication_is_of_the_season_in_which_it_began(live, superadmin, admin):
    exam_id, [person] = ended(live, admin)
    path = f"/leaderboard/?exam_id={exam_id}"
    superadmin.post("/seasons/", {"name": "2027"}, status=400, code="season_open")
    overtaken(
        live,
        admin,
        lambda work: publishing.publish_exams(work, [exam_id]),
        lambda: superadmin.post("/seasons/", {"name": "2027"}, status=201),
    )
    assert person.get(path, status=200).json["top_three"]
    person.get("/leaderboard/", status=404, code="leaderboard_not_published")


def ended(live, admin):
    """An exam that a candidate took, and that is over and not published."""
    exam_id, person = make_exam(live, admin, "AB"), live.candidate()
    sit(live, person, exam_id, "AB")
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    live.clock.advance(minutes=6)
    return exam_id, [person]


def test_a_publication_during_an_opening_finds_the_season_closed(live, superadmin, admin):
    exam_id, _ = ended(live, admin)
    publish(live, admin)
    body = {"exams": [exam_id]}
    overtaken(
        live,
        superadmin,
        open_season,
        lambda: admin.post("/leaderboard/publish/", body, status=400, code="season_closed"),
    )


def test_an_import_that_is_being_applied_is_of_the_season_in_which_it_began(live, superadmin):
    file = ("people.csv", b"first_name,last_name,school\nEmmy,Noether,Hillside\n")
    imported = superadmin.upload("POST", "/imports/candidates/", {"file": file}, status=202).json
    path = f"/imports/{imported['id']}/"
    live.run_jobs()
    superadmin.post(f"{path}apply/", {}, status=202)
    superadmin.post("/seasons/", {"name": "2027"}, status=400, code="season_open")
    overtaken(
        live,
        superadmin,
        lambda work: applying.apply(work, imported["id"]),
        lambda: superadmin.post("/seasons/", {"name": "2027"}, status=201),
    )
    assert superadmin.get(path).json["status"] == "applied"
    assert superadmin.get("/candidates/?joined=false").json["pagination"]["count"] == 1


@pytest.mark.parametrize("is_checked", [False, True])
def test_an_import_of_scores_during_an_opening_finds_the_season_closed(
    live, superadmin, admin, is_checked
):
    exam_id, person = make_exam(live, admin, "AB"), live.candidate()
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    file = ("scores.csv", f"candidate_id,score\n{person.id},50\n".encode())
    form, path = {"file": file, "exam": str(exam_id)}, "/imports/scores/"
    refused = {"status": 400, "code": "season_closed"}
    if is_checked:
        imported = admin.upload("POST", path, form, status=202).json
        live.run_jobs()
        path = f"/imports/{imported['id']}/apply/"
        overtaken(live, superadmin, open_season, lambda: admin.post(path, {}, **refused))
    else:
        overtaken(
            live, superadmin, open_season, lambda: admin.upload("POST", path, form, **refused)
        )
