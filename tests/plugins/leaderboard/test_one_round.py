"""Two published exams of one stage and round: the later one is shown for the round."""

from datetime import timedelta

import pytest

from competition.testing.exam_day import make_exam, publish, season


@pytest.fixture
def two(app, admin):
    """An exam and its only candidate, and the same of a later exam of the same round."""
    start = app.clock.now
    (first, [ada]), (second, [ben]) = (
        season(
            app,
            admin,
            [sheet],
            key="ABCD",
            title=title,
            scheduled_date=(start - timedelta(hours=hours)).isoformat(),
        )
        for title, hours, sheet in (("First", 3, "AB"), ("Second", 2, "ABC"))
    )
    return first, ada, second, ben


def board(person, query, **expected):
    return person.get(f"/leaderboard/?{query}", **expected or {"status": 200}).json


def test_the_board_of_each_published_exam_is_found_by_its_id(app, admin, two):
    first, ada, second, ben = two
    # In either order, and published together or one after the other.
    for act in (
        lambda: admin.post("/leaderboard/publish/", {"exams": [second]}),
        lambda: admin.post("/leaderboard/publish/", {"exams": [first]}),
        lambda: publish(app, admin),
    ):
        act()
        app.run_jobs()
        assert board(admin, "stage=screening&round=1")["exam_details"]["id"] == second
        [listed] = board(ben, "")["available_leaderboards"]
        assert listed["exam_id"] == second
    for person, exam_id, score in ((ada, first, 50.0), (ben, second, 75.0)):
        found = board(person, f"exam_id={exam_id}")
        assert found["exam_details"]["id"] == exam_id
        assert [row["candidate"]["user_id"] for row in found["top_three"]] == [str(person.id)]
        own = f"/leaderboard/screening/1/candidate/{person.id}/?exam_id={exam_id}"
        shown = person.get(own, status=200).json
        assert shown["exam_details"]["id"] == exam_id
        assert shown["candidate_performance"]["score"] == score
    # Without the id, the place on the newest board counts.
    ada.get(f"/leaderboard/screening/1/candidate/{ada.id}/", status=404)
    ada.get(f"/leaderboard/screening/2/candidate/{ada.id}/?exam_id={first}", status=404)
    [exam] = [each for each in admin.get("/exams/").json["results"] if each["id"] == first]
    assert exam["published_at"] is not None


def test_a_replaced_exam_can_be_appealed_regraded_and_counted(app, admin, two):
    first, ada, second, _ = two
    plan = {
        "from_stage": "screening",
        "to_stage": "league",
        "exams": [first, second],
        "rule": {"top": 2},
        "ties": "in",
    }
    plan_id = admin.post("/advancement/", plan, status=201).json["id"]
    admin.get(f"/advancement/{plan_id}/preview/", status=400, code="invalid")
    ada.post(f"/exams/{first}/appeals/", {"text": "Why?"}, status=403, code="appeals_closed")
    publish(app, admin)
    found = admin.get(f"/advancement/{plan_id}/preview/", status=200).json
    assert len(found["advance"]) == 2
    ada.post(f"/exams/{first}/appeals/", {"text": "Why?"}, status=201)
    question = admin.get(f"/exams/{first}/").json["questions"]["results"][-1]["id"]
    change = {"changes": [{"question": question, "credit_all": True}], "reason": "It was unclear."}
    regrade = admin.post(f"/exams/{first}/regrades/", change, status=201).json
    assert regrade["effect"]["scores_changed"] == 1
    admin.post(f"/exams/{first}/regrades/{regrade['id']}/apply/", status=200)
    assert board(ada, f"exam_id={first}")["top_three"][0]["score"] == 75.0
    assert board(ada, "stage=screening&round=1")["exam_details"]["id"] == second


def test_the_preview_and_the_checks_name_the_other_exam(app, admin, two):
    first, _, second, _ = two
    other = {first: {"id": first, "title": "First"}, second: {"id": second, "title": "Second"}}

    def replaces(*exam_ids):
        body = {"exams": exam_ids} if exam_ids else {}
        found = admin.post("/leaderboard/publish/preview/", body, status=200).json["exams"]
        return {each["id"]: (each["replaces"], each["replaced_by"]) for each in found}

    assert replaces(first) == {first: (None, None)}
    assert replaces() == {first: (None, other[second]), second: (other[first], None)}
    admin.post("/leaderboard/publish/", {"exams": [second]})
    app.run_jobs()
    assert replaces(first) == {first: (None, other[second])}
    make_exam(app, admin, "A", stage="league", round=1)
    alone = make_exam(app, admin, "A", round=2)
    for exam_id, level in ((first, "warning"), (second, "warning"), (alone, "ok")):
        checks = admin.get(f"/exams/{exam_id}/preflight/").json["checks"]
        [check] = [each for each in checks if each["name"] == "round"]
        assert check["level"] == level
