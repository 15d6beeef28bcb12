"""Exports of leaderboards and advancement plans."""

import pytest

from competition.testing.exam_day import publish, score_by_hand, season
from tests.support.exported import lines, members


@pytest.fixture
def board(app, admin):
    """A published leaderboard: 100, 50 and 50 percent."""
    exam_id, people = season(app, admin, ["AB", "A ", "A "], key="AB")
    publish(app, admin)
    return exam_id, people


def ranks(rows):
    return [(row["rank"], row["score"]) for row in rows]


def test_a_board_is_exported_by_rank(app, admin, board):
    rows = lines(admin.get("/exports/leaderboard/screening/1/", status=200))
    assert ranks(rows) == [("1", "100"), ("2", "50"), ("2", "50")]
    assert rows[0]["candidate_id"] == str(board[1][0].id)


def test_the_names_have_the_form_of_boards(app_with):
    app = app_with({"competition.names.shown": "initials"})
    admin = app.staff("admin")
    season(app, admin, ["AB"], key="AB")
    publish(app, admin)
    [row] = lines(admin.get("/exports/leaderboard/screening/1/"))
    assert row["name"] == "A. N."


def test_each_school_of_a_board_gets_a_file(app, admin, board):
    [content] = members(admin.get("/exports/leaderboard/screening/1/?per_school=true")).values()
    assert len(lines(content)) == 3


def test_a_school_that_a_candidate_has_only_typed_gets_no_file(app, admin):
    _, people = season(app, admin, ["AB", "A "], key="AB")
    app.new_session(people[0]).patch("/account-management/", {"school": "Delta"}, status=200)
    publish(app, admin)
    [content] = members(admin.get("/exports/leaderboard/screening/1/?per_school=true")).values()
    assert len(lines(content)) == 2
    path = "/exports/leaderboard/screening/1/?school=Hillside School"
    assert len(lines(admin.get(path))) == 2


@pytest.mark.parametrize("table", ["", "schools/"])
def test_the_board_of_a_replaced_exam_can_be_exported(app, admin, board, table):
    path = f"/exports/leaderboard/screening/1/{table}"
    latest, _ = season(app, admin, ["AB"], key="AB")
    publish(app, admin)
    before, now = (lines(admin.get(f"{path}?exam_id={each}")) for each in (board[0], latest))
    assert before != now
    assert now == lines(admin.get(path))
    admin.get(f"{path}?exam_id=999999", status=404, code="not_found")


def test_a_board_that_does_not_exist_is_rejected(app, admin):
    path = "/exports/leaderboard"
    admin.get(f"{path}/screening/1/", status=404, code="leaderboard_not_published")
    admin.get(f"{path}/nothing/1/", status=400, code="invalid")
    admin.get(f"{path}/screening/x/", status=404, code="not_found")
    season(app, admin, ["AB"], key="AB")
    publish(app, admin)
    admin.get(f"{path}/screening/2/", status=404, code="not_found")


def plan(admin, exam_id, **fields):
    body = {"from_stage": "screening", "to_stage": "league", "exams": [exam_id], **fields}
    return admin.post("/advancement/", body, status=201).json["id"]


def advancing(admin, plan_id):
    rows = lines(admin.get(f"/exports/advancement/{plan_id}/", status=200))
    return [(row["rank"], row["score"], row["advances"], row["reason"]) for row in rows]


def test_a_plan_says_who_advances_and_why(app, admin, board):
    exam_id, people = board
    plan_id = plan(admin, exam_id, rule={"top": 2}, ties="in")
    would = [("1", "100", "yes", "place"), ("2", "50", "yes", "tie"), ("2", "50", "yes", "tie")]
    assert advancing(admin, plan_id) == would
    plan_id = plan(admin, exam_id, rule={"top": 2}, ties="out")
    one = [("1", "100", "yes", "place"), ("2", "50", "no", ""), ("2", "50", "no", "")]
    assert advancing(admin, plan_id) == one
    # A plan that is applied keeps the values of that moment.
    admin.post(f"/advancement/{plan_id}/apply/", status=200)
    score_by_hand(admin, exam_id, people[0], 10)
    stays = ("1", "50", "no", "")
    assert advancing(admin, plan_id) == [("1", "100", "yes", "place"), stays, stays]


def test_a_plan_needs_published_boards(app, admin):
    exam_id, _ = season(app, admin, ["AB"], key="AB")
    plan_id = plan(admin, exam_id, rule={"top": 1})
    admin.get(f"/exports/advancement/{plan_id}/", status=400, code="invalid")
    admin.get("/exports/advancement/999999/", status=404, code="not_found")
