"""Leaderboards of schools (contract O3)."""

import pytest
from sqlalchemy import text

from competition.core.users.personal_data import erase
from competition.core.work import begin
from tests.support.exported import lines


@pytest.fixture
def service(app_with):
    return app_with({"competition.schools.best": "2", "competition.schools.minimum": "1"})


def published_exam(app, scores, erased=()):
    """An exam whose board has these scores, by candidate. Some are erased before that."""
    admin = app.staff("admin")
    exam = {
        "title": "Round 1",
        "stage": "screening",
        "round": 1,
        "description": "",
        "scheduled_date": "2026-03-02T09:00:00Z",
        "countdown_minutes": 60,
        "open_duration_hours": 2,
    }
    exam_id = admin.post("/exams/", exam).json["id"]
    app.clock.advance(days=3)
    admin = app.staff("admin")
    for person, score in scores.items():
        body = {"candidate_id": str(person), "score": score}
        admin.put(f"/exams/{exam_id}/submit-exam-score/", body)
    for person in erased:
        with begin(app.runtime) as work:
            erase(work, person)
    admin.post("/leaderboard/publish/", status="any")
    app.run_jobs()
    return exam_id


def board(person, query="", **expected):
    return person.get(f"/leaderboard/screening/1/schools/{query}", **expected).json


def test_a_school_has_the_sum_of_its_best_scores(service):
    app = service
    scores = {}
    for school, values in {"West": (90, 80, 70), "East": (85, 85), "North": (100,)}.items():
        for value in values:
            scores[app.candidate(school=school).id] = value
    admin = app.staff("admin")
    west = admin.get("/schools/?search=west").json["results"][0]
    admin.patch(f"/schools/{west['id']}/", {"region": "Lagos"})
    exam_id = published_exam(app, scores)
    reader = app.candidate()
    found = board(reader)
    assert found["rule"] == {"best": 2, "minimum": 1}
    assert found["exam_details"]["id"] == exam_id
    assert [tuple(each.values()) for each in found["results"]] == [
        (1, "East", "", 2, 2, 170.0),
        (1, "West", "Lagos", 3, 2, 170.0),
        (3, "North", "", 1, 1, 100.0),
    ]
    assert [each["school"] for each in board(reader, "?region=lagos")["results"]] == ["West"]
    assert board(reader, f"?exam_id={exam_id}")["results"] == found["results"]
    # It is frozen: a later change of school, region, rule or an erasure changes nothing.
    first = next(iter(scores))
    with begin(app.runtime) as work:
        erase(work, first)
    app.staff("admin").patch(f"/schools/{west['id']}/", {"name": "Westend"})
    assert board(reader)["results"] == found["results"]


def test_the_board_is_exported(service):
    app = service
    scores = {app.candidate(school=name).id: 90 for name in ("West", "=1+1")}
    published_exam(app, scores | {app.candidate(school="East").id: 80.5})
    admin = app.staff("admin")
    reply = admin.get("/exports/leaderboard/screening/1/schools/")
    assert [tuple(each.values()) for each in lines(reply)] == [
        ("1", "'=1+1", "", "1", "1", "90"),
        ("1", "West", "", "1", "1", "90"),
        ("3", "East", "", "1", "1", "80.5"),
    ]
    shown = board(admin)["results"]
    assert [*lines(reply)[0]] == [*shown[0]]
    # Without rows that were stored at the publication, it is computed.
    with begin(app.runtime) as work:
        work.db.execute(text("delete from school_board"))
    again = admin.get("/exports/leaderboard/screening/1/schools/?school=west")
    assert [each["school"] for each in lines(again)] == ["West"]
    for path, status in (("nothing/1", 400), ("screening/9", 404)):
        admin.get(f"/exports/leaderboard/{path}/schools/", status=status)
    app.staff("moderator").get("/exports/leaderboard/screening/1/schools/", status=403)


def test_erased_candidates_count_for_no_school(service):
    app = service
    gone, stays = app.candidate(school="West"), app.candidate(school="East")
    published_exam(app, {gone.id: 90, stays.id: 10}, erased=[gone.id])
    assert [each["school"] for each in board(app.staff("admin"))["results"]] == ["East"]


def test_the_school_that_staff_have_approved_counts(service):
    app = service
    child = app.candidate(school="West")
    child.patch("/account-management/", {"school": "East"})
    published_exam(app, {child.id: 90})
    assert [each["school"] for each in board(app.staff("admin"))["results"]] == ["West"]


def test_a_board_that_is_polled_is_sent_once_and_another_season_can_be_read(service):
    app = service
    published_exam(app, {app.candidate(school="West").id: 90})
    reader, path = app.candidate(), "/leaderboard/screening/1/schools/"
    first = reader.get(path, status=200)
    reader.get(path, headers={"If-None-Match": first.headers["ETag"]}, status=304)
    [season] = reader.get("/seasons/").json["results"]
    assert board(reader, f"?season={season['id']}") == first.json
    board(reader, "?season=999", status=400, code="invalid")


def test_there_is_no_board_before_the_publication(service):
    app = service
    board(app.candidate(), status="any")
    admin = app.staff("admin")
    admin.get("/leaderboard/nothing/1/schools/", status=400, code="invalid")
    admin.get("/leaderboard/screening/x/schools/", status=404)
