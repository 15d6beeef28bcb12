"""Previews of actions that can't be undone. They name the people affected, and change nothing.

The rules are in `docs/decisions/contract.md`, W9.
"""

import pytest
from sqlalchemy import func, select

from competition.core.audit import AuditEntry
from competition.core.jobs.ticks import Ticks
from competition.core.work import begin
from competition.testing.exam_day import (
    answers,
    make_exam,
    publish,
    score_by_hand,
    submit,
    take,
)

MINUTES = {"everyone": True, "extra_minutes": 10, "reason": "The network was down."}


@pytest.fixture
def day(app, admin):
    """An exam that twelve candidates are taking, and that one more candidate has submitted."""
    exam_id = make_exam(app, admin, "AB")
    people = [app.candidate(last_name=f"Name{index:02}") for index in range(13)]
    for person in people:
        take(person, exam_id, status=200)
    submit(people[0], exam_id, answers(app, exam_id, "AB"), status=201)
    return exam_id, people


def audited(app):
    with begin(app.runtime) as work:
        return work.db.scalars(select(func.count()).select_from(AuditEntry)).one()


def names(reply):
    return [each["full_name"].split()[-1] for each in reply["people"]]


def test_the_preview_of_an_allowance_names_the_affected_candidates(app, admin, day):
    exam_id, people = day
    before = audited(app), people[1].get(f"/exams/{exam_id}/time/").json["deadline"]
    path = f"/exams/{exam_id}/allowances/preview/"
    shown = admin.post(path, MINUTES, status=200).json
    assert shown["affected"] == 12
    assert names(shown) == [f"Name{index:02}" for index in range(1, 11)]
    assert shown["can_start"] == 0
    assert before == (audited(app), people[1].get(f"/exams/{exam_id}/time/").json["deadline"])
    assert admin.get(f"/exams/{exam_id}/allowances/").json["results"] == []
    one = {**MINUTES, "everyone": False, "candidate_id": str(people[0].id)}
    admin.post(path, one, status=400, code="invalid")
    given = admin.post(f"/exams/{exam_id}/allowances/", MINUTES, status=201).json
    assert given["affected"] == 12


def test_the_preview_of_an_allowance_counts_the_candidates_of_the_school(app, admin, day):
    exam_id, _ = day
    path = f"/exams/{exam_id}/allowances/"
    for role in ("screening", "league"):
        app.candidate(role, school="Hillside")
    app.candidate(school="Elsewhere")
    take(app.candidate(school="Hillside"), exam_id, status=200)

    def counted(**time):
        body = {"school": "hillside", "reason": "The bus was late.", **time}
        shown = admin.post(f"{path}preview/", body, status=200).json
        return shown["affected"], shown["can_start"]

    assert counted(extra_minutes=10) == (1, 1)
    # Who starts later has lost nothing of an interval that is over.
    app.clock.advance(minutes=10)
    assert counted(lost={"from": "2026-03-01T08:50:00Z", "until": "2026-03-01T09:05:00Z"}) == (1, 0)
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    misspelt = {"school": "Hilside", "extra_minutes": 10, "reason": "The bus was late."}
    for each in (path, f"{path}preview/"):
        refused = admin.post(each, misspelt, status=400, code="invalid").json
        assert [*refused["errors"]] == ["school"]
    assert admin.get(path).json["results"] == []


def test_the_preview_of_a_conclusion_names_candidates_taking_the_exam(app, admin, day):
    exam_id, _ = day
    # Two can start. The others are of another stage, or not verified.
    for role, fields in (
        *[("screening", {})] * 2,
        ("league", {}),
        ("screening", {"verification": "not_submitted"}),
    ):
        app.candidate(role, **fields)
    shown = admin.get(f"/exams/{exam_id}/conclude/preview/", status=200).json
    assert (shown["affected"], shown["hand_in_until"]) == (12, "2026-03-01T09:05:00Z")
    assert shown["not_started"] == 2
    assert len(shown["people"]) == 10
    assert admin.get(f"/exams/{exam_id}/", status=200).json["status"] == "ongoing"


def test_the_preview_of_an_announcement_counts_its_recipients(app, admin, day):
    exam_id, people = day
    moderator = app.staff("moderator")
    before = audited(app)
    shown = moderator.get(f"/exams/{exam_id}/announcements/preview/", status=200).json
    assert shown["affected"] == 13
    # The first ten candidates by name, including those who have submitted.
    assert names(shown) == [f"Name{index:02}" for index in range(10)]
    assert shown["people"][0]["user_id"] == str(people[0].id)
    assert audited(app) == before
    assert moderator.get(f"/exams/{exam_id}/announcements/").json["results"] == []


def test_the_preview_of_a_publication_lists_the_leaderboards(app, admin, day):
    exam_id, _ = day
    preview = "/leaderboard/publish/preview/"
    assert admin.post(preview, {}, status=200).json["exams"] == []
    admin.post(f"/exams/{exam_id}/conclude/")
    [shown] = admin.post(preview, {}, status=200).json["exams"]
    assert (shown["id"], shown["candidates"], shown["is_over"]) == (exam_id, 1, False)
    app.clock.advance(minutes=6)
    [shown] = admin.post(preview, {"exams": [exam_id]}, status=200).json["exams"]
    assert shown["is_over"] is True
    assert admin.get(f"/exams/{exam_id}/").json["concluded_at"] is not None
    admin.get("/leaderboard/", status=404, code="leaderboard_not_published")
    admin.post(preview, {"exams": [999_999]}, status=400, code="invalid")


def test_an_exam_that_was_sat_only_on_paper_is_ready_to_publish(app, admin):
    exam_id = make_exam(app, admin, "AB")
    never_sat = make_exam(app, admin, "AB", round=2)
    score_by_hand(admin, exam_id, app.candidate(), 50)
    for each in (exam_id, never_sat):
        admin.post(f"/exams/{each}/conclude/")
    [shown] = admin.post("/leaderboard/publish/preview/", {}, status=200).json["exams"]
    assert (shown["id"], shown["candidates"], shown["is_over"]) == (exam_id, 1, True)
    app.clock.advance(seconds=30)
    Ticks(app.runtime).make()
    app.run_jobs()
    todo = {each["kind"]: each["link"] for each in admin.get("/dashboard/staff/").json["todo"]}
    assert todo["leaderboard.unpublished"] == f"boards/publish?exams={exam_id}"
    publish(app, admin)
    [board] = admin.get("/leaderboard/").json["available_leaderboards"]
    assert (board["exam_id"], board["total_candidates"]) == (exam_id, 1)


def test_the_preview_of_a_broadcast_names_its_recipients(app):
    manager = app.staff("manager")
    for _ in range(12):
        app.candidate("final")
    app.candidate("final", is_active=False)
    body = {"target_roles": {"candidate": ["final"]}}
    shown = manager.post("/broadcasts/preview/", body, status=200).json
    assert (shown["affected"], len(shown["people"])) == (12, 10)
    assert manager.get("/broadcasts/").json["results"] == []
    nobody = {"target_roles": {"candidate": ["winner"]}}
    assert manager.post("/broadcasts/preview/", nobody, status=200).json["affected"] == 0
    manager.post("/broadcasts/preview/", {}, status=400, code="invalid")


def test_the_preview_of_a_deactivation_says_what_it_interrupts(app, admin):
    manager = app.staff("manager")
    ada = app.candidate()
    preview = f"/account-management/{ada.id}/activation/preview/"
    exam_id = make_exam(app, admin, "AB", title="Round 1")
    take(ada, exam_id, status=200)
    before = audited(app)
    shown = manager.get(preview, status=200).json
    [session] = shown["sessions"]
    assert session["created_at"] == app.clock.now.isoformat().replace("+00:00", "Z")
    [exam] = shown["running_exams"]
    assert (exam["id"], exam["title"]) == (exam_id, "Round 1")
    assert exam["deadline"] == ada.get(f"/exams/{exam_id}/time/").json["deadline"]
    assert shown["erase_at"] is None
    assert audited(app) == before
    ada.get("/account-management/", status=200)
    submit(ada, exam_id, answers(app, exam_id, "AB"), status=201)
    assert manager.get(preview).json["running_exams"] == []
    # A manager may preview only what they may do.
    own = f"/account-management/{manager.id}/activation/preview/"
    manager.get(own, status=403, code="permission_denied")


def test_the_preview_of_a_deactivation_has_the_time_of_a_requested_erasure(app):
    manager = app.staff("manager")
    ada = app.candidate()
    erase_at = manager.delete(f"/users/{ada.id}/", status="any").json["erase_at"]
    shown = manager.get(f"/account-management/{ada.id}/activation/preview/").json
    assert (shown["erase_at"], shown["sessions"]) == (erase_at, [])
