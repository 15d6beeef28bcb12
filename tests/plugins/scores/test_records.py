"""The details of one candidate as admins see them, with past and upcoming exams."""

import pytest

from competition.testing.exam_day import KEY, answers, make_exam, score_by_hand, submit


@pytest.fixture
def candidate(app):
    return app.candidate(school="Valley", face_id="documents/face.png")


def hand_in(app, candidate, exam_id, letters):
    submit(candidate, exam_id, answers(app, exam_id, letters), status=201)
    app.run_jobs()


def detail(person, candidate, **options):
    return person.get(f"/candidates/{candidate.id}/", **{"status": 200, **options}).json


def test_the_detail_has_the_profile_and_the_records(admin, candidate):
    seen = detail(admin, candidate)
    assert seen["user"]["id"] == str(candidate.id)
    assert (seen["profile_type"], seen["school"]) == ("candidate", "Valley")
    assert set(seen["records"]) == {"performance", "available_exams"}
    assert set(seen["records"]["performance"]) == {"stats", "exams_taken"}


def test_an_admin_does_not_see_identity_documents(app, admin, candidate):
    assert detail(admin, candidate)["face_id"] is None
    assert "documents/face.png?" in detail(app.staff("manager"), candidate)["face_id"]


def test_without_an_exam_the_records_are_empty(admin, candidate):
    records = detail(admin, candidate)["records"]
    assert records["performance"]["exams_taken"] == []
    assert records["performance"]["stats"] == {
        "total_score": 0.0,
        "average_score": 0.0,
        "leaderboard_ranking": {"current_rank": None, "total_candidates": 0},
        "latest_score": None,
        "highest_score": 0.0,
        "lowest_score": 0.0,
        "total_exams_taken": 0,
        "highest_obtainable_score": 100.0,
    }
    assert records["available_exams"] == []


def test_the_records_show_the_exams_taken_and_available(app, admin, candidate):
    first = make_exam(app, admin, title="First")
    second = make_exam(app, admin, title="Second")
    available = make_exam(app, admin, title="Third")
    hand_in(app, candidate, first, KEY)
    app.clock.advance(minutes=1)
    score_by_hand(admin, second, candidate, 50, status=200)
    records = detail(admin, candidate)["records"]
    stats = records["performance"]["stats"]
    assert (stats["total_score"], stats["average_score"]) == (150.0, 75.0)
    assert (stats["highest_score"], stats["lowest_score"]) == (100.0, 50.0)
    assert stats["total_exams_taken"] == 2
    assert stats["latest_score"] == {
        "score": 50.0,
        "exam_title": "Second",
        "date": "2026-03-01T09:01:00Z",
    }
    assert stats["leaderboard_ranking"] == {"current_rank": 1, "total_candidates": 1}
    by_hand, automatic = records["performance"]["exams_taken"]
    assert (automatic["exam_id"], automatic["exam_title"]) == (first, "First")
    assert (automatic["exam_stage"], automatic["score"]) == ("screening", 100.0)
    assert (automatic["score_submitted_by"], automatic["auto_score"]) == ("Auto Score", True)
    assert [each["selected_option"] for each in automatic["submission"]] == list(KEY)
    assert automatic["submission"][0]["answered_at"] == "2026-03-01T09:00:00Z"
    assert (by_hand["auto_score"], by_hand["submission"]) == (False, [])
    assert (automatic["handed_in_by"], by_hand["handed_in_by"]) == ("candidate", None)
    listed = {each["id"]: each["enrollment"] for each in records["available_exams"]}
    assert listed == {first: "done", second: "done", available: "not_done"}
    closes = {each["closes_at"] for each in records["available_exams"]}
    assert closes == {"2026-03-01T20:00:00Z"}


def test_scores_and_history_show_the_candidates_latest_exam_first(app, admin, candidate):
    first, second = (make_exam(app, admin, title=title) for title in ("First", "Second"))
    score_by_hand(admin, first, app.candidate(), 10, status=200)
    score_by_hand(admin, first, candidate, 70.5, status=200)
    app.clock.advance(minutes=1)
    score_by_hand(admin, second, candidate, 80, status=200)
    latest, earlier = admin.get(f"/candidates/{candidate.id}/scores/", status=200).json
    assert latest["id"] != earlier["id"]
    assert latest["candidate"]["user"]["id"] == str(candidate.id)
    assert latest["candidate"]["face_id"] is None
    assert (latest["exam"]["id"], latest["exam"]["title"]) == (second, "Second")
    assert (latest["exam"]["stage"], latest["exam"]["question_count"]) == ("screening", len(KEY))
    assert (latest["score"], latest["recorded_at"]) == (80.0, "2026-03-01T09:01:00Z")
    assert admin.get(f"/candidates/{candidate.id}/exam-history/", status=200).json == [
        {"exam": "Second", "score": 80.0},
        {"exam": "First", "score": 70.5},
    ]


def test_the_account_of_a_candidate_has_the_scores(app, admin, candidate):
    exam_id = make_exam(app, admin)
    score_by_hand(admin, exam_id, candidate, 70.5, status=200)
    manager = app.staff("manager")
    account = f"/account-management/{candidate.id}/"
    replies = [
        candidate.get("/account-management/"),
        manager.get(account),
        manager.patch(account, {"first_name": "Grace"}),
        manager.put(f"{account}activation/", {"is_active": True}),
    ]
    for reply in replies:
        scores = reply.json["profile"]["scores"]
        assert (scores["total_score"], scores["average_score"]) == (70.5, 70.5)
        [score] = scores["scores"]
        assert (score["exam_id"], score["score"]) == (exam_id, 70.5)
        assert (score["auto_score"], score["recorded_at"]) == (False, "2026-03-01T09:00:00Z")
    assert "scores" not in admin.get("/account-management/").json["profile"]


@pytest.mark.parametrize("what", ["", "scores/", "exam-history/"])
def test_a_user_who_is_no_candidate_has_no_records(app, admin, what):
    for user_id in (app.staff("volunteer").id, "00000000-0000-4000-8000-000000000000", "7"):
        admin.get(f"/candidates/{user_id}/{what}", status=404, code="not_found")


def test_many_exams_take_as_many_statements_as_one(app, admin, candidate, statements):
    counts = []
    for _ in range(2):
        for _ in range(1 + len(counts) * 4):
            hand_in(app, candidate, make_exam(app, admin), KEY)
        # The first request of a minute computes the ranks, and the next one caches them in the
        # process.
        for _ in range(2):
            detail(admin, candidate)
        with statements() as executed:
            detail(admin, candidate)
        counts.append(len(executed))
    assert counts[0] == counts[1]
