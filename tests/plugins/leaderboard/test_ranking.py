"""How equal scores are ranked: the policy of an exam, and the time that a board freezes."""

import pytest
from sqlalchemy import update

from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.testing.exam_day import (
    answers,
    make_exam,
    publish,
    score_by_hand,
    season,
    submit,
    take,
)

pytestmark = pytest.mark.needs("leaderboard")


def board(app, reader, exam_id):
    return reader.get(f"/leaderboard/?exam_id={exam_id}", status=200).json


def rows(reply):
    return [*reply["top_three"], *reply["remaining_candidates"]]


@pytest.mark.parametrize(
    ("ranking", "ranks"), [("standard", [1, 1, 3, 3, 5]), ("dense", [1, 1, 2, 2, 3])]
)
def test_equal_scores_share_a_rank(app, admin, ranking, ranks):
    sheets = ["ABCDABCDAB", "ABCD", "ABCDABCDAB", "ABCD", " "]
    exam_id, _ = season(app, admin, sheets, ranking=ranking)
    publish(app, admin)
    reply = board(app, admin, exam_id)
    assert reply["exam_details"]["ranking"] == ranking
    assert [row["rank"] for row in rows(reply)] == ranks
    assert not any("seconds_used" in row for row in rows(reply))


def test_by_time_the_shorter_one_ranks_higher_and_the_deadline_ends_it(app, admin):
    """Each takes so many minutes, of thirty; the last two hand in during the grace."""
    exam_id = make_exam(app, admin, "ABCD", ranking="time", countdown_minutes=30)
    minutes = {"slow": 20, "quick": 10, "as quick": 10, "wrong": 1, "late": 31, "later": 34}
    people = {name: app.candidate(first_name=name) for name in minutes}
    for name, person in people.items():
        take(person, exam_id, status=200)
        app.clock.advance(minutes=minutes[name], milliseconds=7)
        sheet = answers(app, exam_id, "B" if name == "wrong" else "ABCD")
        submit(person, exam_id, sheet, status=201)
    by_hand, started = app.candidate(first_name="by hand"), app.candidate(first_name="started")
    take(started, exam_id, status=200)
    app.clock.advance(minutes=1)
    admin.post(f"/exams/{exam_id}/conclude/")
    for person in (by_hand, started):
        score_by_hand(admin, exam_id, person, 100)
    app.clock.advance(minutes=6)
    publish(app, admin)
    reply = board(app, admin, exam_id)
    assert reply["exam_details"]["ranking"] == "time"
    found = [
        (row["rank"], row["candidate"]["full_name"].split(" ")[0], row["seconds_used"])
        for row in rows(reply)
    ]
    # Whoever handed in nothing has used all there was; the window ended a minute after the start.
    assert sorted(found) == sorted(
        [
            (1, "started", 60.0),
            (2, "quick", 600.007),
            (2, "as", 600.007),
            (4, "slow", 1200.007),
            (5, "late", 1800.0),
            (5, "later", 1800.0),
            (5, "by", 1800.0),
            (8, "wrong", 60.007),
        ]
    )
    assert [rank for rank, *_ in found] == [1, 2, 2, 4, 5, 5, 5, 8]
    quick = admin.get(f"/leaderboard/screening/1/candidate/{people['quick'].number}/").json
    assert quick["candidate_performance"]["seconds_used"] == 600.007
    # A board is as it was published, whatever becomes of the exam.
    with begin(app.runtime) as work:
        work.db.execute(update(Exam).values(ranking="dense", countdown_minutes=1))
    assert board(app, admin, exam_id) == reply


def test_once_somebody_has_started_the_ranking_stays(app, admin):
    exam_id = make_exam(app, admin, "AB")
    path = f"/exams/{exam_id}/"
    shown = admin.get(path, status=200).json
    assert (shown["ranking"], shown["scores_visible"]) == ("standard", None)
    assert admin.patch(path, {"ranking": "dense"}, status=200).json["ranking"] == "dense"
    admin.patch(path, {"ranking": "random"}, status=400, code="invalid")
    take(app.candidate(), exam_id, status=200)
    refusal = admin.patch(path, {"ranking": "time"}, status=400, code="invalid").json
    assert list(refusal["errors"]) == ["ranking"]
    body = {"ranking": "dense", "scores_visible": "at_conclusion"}
    assert admin.patch(path, body, status=200).json["scores_visible"] == "at_conclusion"
    assert admin.patch(path, {"scores_visible": None}, status=200).json["scores_visible"] is None
