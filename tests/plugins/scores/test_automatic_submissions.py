"""Until an exam is sealed, candidates whose answers the service submitted can get more time.

A score would tell them how many of their answers are right, so they see it only after that.
"""

import pytest

from competition.core.work import begin
from competition.plugins.scores.services import records
from competition.testing.exam_day import answers, make_exam, publish, score_by_hand, sit, take

WHEN = ["immediately", "at_conclusion"]


def save(app, person, exam_id, letters):
    take(person, exam_id, status=200)
    draft = {"sequence": 1, **answers(app, exam_id, letters)}
    person.put(f"/exams/{exam_id}/draft/", draft, status=200)


def end(app, **more):
    """Let the time of all candidates be over, and the service submit and score."""
    app.clock.advance(**more)
    app.run_task("drafts.hand_in")
    app.run_jobs()
    app.run_task("scores.standings")


def season(app_with, ours, when):
    """An exam in which one candidate has submitted, and the service did so for the other."""
    app = app_with({**ours, "competition.notifications.on": "scores"})
    admin = app.staff("admin")
    exam_id = make_exam(app, admin, "AB", scores_visible=when)
    late, done = app.candidate(), app.candidate()
    save(app, late, exam_id, "A ")
    sit(app, done, exam_id, "AB")
    return app, admin, exam_id, late, done


def seen(app, person):
    """All that a candidate learns about their scores: the scores on each page and in the export,
    the rank, and the notifications."""
    me = app.new_session(person)
    account = me.get("/account-management/", status=200).json["profile"]["scores"]
    dashboard = me.get("/dashboard/candidate/", status=200).json
    with begin(app.runtime) as work:
        exported = [row["score"] for row in records.export(work, person)]
    notified = me.get("/notifications/", status=200).json["results"]
    return {
        "account": [each["score"] for each in account["scores"]],
        "total": account["total_score"],
        "highest": dashboard["exam_stats"]["highest_score"],
        "recent": [each["score"] for each in dashboard["recent_scores"]],
        "rank": dashboard["leaderboard_ranking"]["current_rank"],
        "exported": exported,
        "notified": "Your score" in [each["subject"] for each in notified],
    }


def all_of(score, rank, *, notified):
    numbers = {"account": [score], "total": score, "highest": score}
    return {**numbers, "recent": [score], "rank": rank, "exported": [score], "notified": notified}


NOTHING = {
    **{"account": [], "total": 0.0, "highest": 0.0, "recent": [], "rank": None},
    **{"exported": [None], "notified": False},
}


@pytest.mark.parametrize("when", WHEN)
def test_the_score_of_an_automatic_submission_is_shown_once_nobody_can_get_time(
    app_with, ours, when
):
    app, admin, exam_id, late, done = season(app_with, ours, when)
    end(app, minutes=66)
    assert seen(app, late) == NOTHING
    # The exam closes, and staff can still reopen the attempt.
    end(app, hours=12)
    assert seen(app, late) == NOTHING
    at_once = when == "immediately"
    assert seen(app, done) == all_of(100.0, 1, notified=at_once)
    admin = app.new_session(admin)
    [first, last] = admin.get(f"/exams/{exam_id}/results/").json
    assert (first["score"], last["score"]) == (100.0, 50.0)
    records = admin.get(f"/candidates/{late.id}/").json["records"]["performance"]
    assert records["stats"]["leaderboard_ranking"]["current_rank"] == 2
    publish(app, admin)
    assert seen(app, late) == all_of(50.0, 2, notified=False)


def test_a_reopened_attempt_submitted_by_the_candidate_shows_its_score(app_with, ours):
    app, admin, exam_id, late, _ = season(app_with, ours, "immediately")
    end(app, minutes=66)
    give = {"candidate_id": str(late.id), "extra_minutes": 30, "reason": "Fire alarm."}
    admin.post(f"/exams/{exam_id}/allowances/", give, status=201)
    sit(app, late, exam_id, "BB")
    end(app, minutes=1)
    assert seen(app, late) == all_of(50.0, 2, notified=True)


def test_nobody_can_get_time_for_a_deleted_exam(app_with, ours):
    app, admin, exam_id, late, _ = season(app_with, ours, "immediately")
    end(app, minutes=66)
    admin.delete(f"/exams/{exam_id}/", status=204)
    end(app, seconds=1)
    assert seen(app, late)["account"] == [50.0]


def test_a_score_by_hand_is_shown_although_the_service_submitted(app_with, ours):
    """More time does not change it."""
    app, admin, exam_id, late, _ = season(app_with, ours, "immediately")
    end(app, minutes=66)
    score_by_hand(admin, exam_id, late, 75)
    end(app, minutes=1)
    assert seen(app, late) == all_of(75.0, 2, notified=True)
