"""Open a season, read the closed one, join, and undo."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from competition.core.audit import AuditEntry
from competition.core.jobs import jobs
from competition.core.users import personal_data
from competition.core.work import begin
from competition.plugins.notifications.models import Notification
from competition.plugins.seasons import tasks
from competition.testing.exam_day import (
    answers,
    make_exam,
    publish,
    score_by_hand,
    sit,
    submit,
    take,
)


@pytest.fixture
def superadmin(app):
    return app.staff("superadmin")


def a_year(app, admin, letters=("ABCD", "ABCA"), stage="screening"):
    """An exam that was taken, scored and published, and its candidates."""
    exam_id = make_exam(app, admin, "ABCD", stage=stage)
    people = [app.candidate(role=stage) for _ in letters]
    for person, given in zip(people, letters, strict=True):
        take(person, exam_id, status=200)
        submit(person, exam_id, answers(app, exam_id, given), status=201)
    app.run_jobs()
    app.clock.advance(hours=13)
    publish(app, app.new_session(admin))
    return exam_id, people


def test_the_first_season_has_everything_and_everybody(app, admin, superadmin):
    exam_id = make_exam(app, admin, "AB")
    person = app.candidate()
    [season] = person.get("/seasons/", status=200).json["results"]
    assert season["status"] == "current"
    assert "exams" not in season
    [counted] = admin.get("/seasons/", status=200).json["results"]
    assert (counted["exams"], counted["candidates"]) == (1, 1)
    shown = admin.get(f"/exams/{exam_id}/", status=200).json
    assert shown["season"] == season["id"]
    me = person.get("/candidates/me/", status=200).json
    assert me["season"] == season["id"]
    assert me["current_season"] == {"id": season["id"], "name": season["name"], "joined": True}
    path = f"/seasons/{season['id']}/"
    assert admin.patch(path, {"name": "2026"}, status=200).json["name"] == "2026"
    admin.patch("/seasons/999/", {"name": "2027"}, status=404)


def test_each_season_counts_the_candidates_who_joined_it(app, superadmin):
    """Also if a candidate has joined several seasons, and another one only the first."""
    loyal, _ = app.candidate(), app.candidate()
    for name in ("Second", "Third"):
        superadmin.post("/seasons/", {"name": name, "join": "confirm"}, status=201)
        loyal.post("/seasons/join/", {}, status=200)
    app.candidate()
    superadmin.post("/seasons/", {"name": "Fourth", "join": "everybody"}, status=201)
    listed = superadmin.get("/seasons/", status=200).json["results"]
    assert [each["candidates"] for each in listed] == [3, 2, 1, 2]


def test_an_open_exam_keeps_the_next_season_from_being_opened(app, admin, superadmin):
    exam_id = make_exam(app, admin, "AB")
    found = superadmin.post("/seasons/preview/", {"name": "2027"}, status=200).json
    [blocker] = found["blockers"]
    assert blocker == {"kind": "exams", "id": exam_id, "title": "Screening", "status": "ongoing"}
    refused = superadmin.post("/seasons/", {"name": "2027"}, status=400, code="season_open").json
    assert refused["blockers"] == found["blockers"]
    admin.delete(f"/exams/{exam_id}/", status=204)
    superadmin.post("/seasons/", {"name": "2027"}, status=201)


def test_a_deleted_exam_blocks_nothing(app, admin, superadmin):
    exam_id = make_exam(app, admin, "AB")
    plan = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}, "ties": "in"}
    plan = admin.post("/advancement/", {**plan, "exams": [exam_id]}, status=201).json
    sit(app, app.candidate(), exam_id, "AB")
    app.clock.advance(hours=13)
    admin, superadmin = app.new_session(admin), app.new_session(superadmin)

    def blockers():
        found = superadmin.post("/seasons/preview/", {"name": "2027"}, status=200).json["blockers"]
        return {(each["kind"], each["id"]) for each in found}

    assert blockers() == {("advancement", plan["id"]), ("exams.unsealed", exam_id)}
    admin.delete(f"/exams/{exam_id}/", status=204)
    # The plan can no longer be applied.
    admin.post(f"/advancement/{plan['id']}/apply/", status=400, code="invalid")
    assert blockers() == set()
    superadmin.post("/seasons/", {"name": "2027"}, status=201)


def test_two_seasons_with_the_same_stages_live_beside_each_other(app, admin, superadmin):
    exam_id, [best, _] = a_year(app, admin)
    admin = app.new_session(admin)
    draft = admin.post("/exams/", {"title": "Next", "stage": "screening"}, status=201).json
    superadmin, best_id = app.new_session(superadmin), best.id
    best = app.new_session(best)
    numbers = superadmin.post("/seasons/preview/", {"name": "2027"}, status=200).json
    assert numbers["candidates"] == {"all": 2, "moved": 0, "joined": 0}
    [old] = admin.get("/seasons/", status=200).json["results"]
    new = superadmin.post("/seasons/", {"name": "2027"}, status=201).json
    rows = admin.get("/seasons/", status=200).json["results"]
    assert [(row["id"], row["status"]) for row in rows] == [
        (new["id"], "current"),
        (old["id"], "closed"),
    ]
    # Without a parameter, everything is about the new season.
    assert [each["id"] for each in admin.get("/exams/").json["results"]] == [draft["id"]]
    assert admin.get(f"/exams/{draft['id']}/").json["season"] == new["id"]
    earlier = admin.get(f"/exams/?season={old['id']}").json["results"]
    assert [each["id"] for each in earlier] == [exam_id]
    assert admin.get("/exams/?season=999", status=400).json["code"] == "invalid"
    best.get("/leaderboard/", status=404, code="leaderboard_not_published")
    path = "/leaderboard/?stage=screening&round=1"
    best.get(path, status=404, code="leaderboard_not_published")
    [board] = best.get(f"/leaderboard/?season={old['id']}", status=200).json[
        "available_leaderboards"
    ]
    assert board["exam_id"] == exam_id
    for name in (f"{path}&season={old['id']}", f"/leaderboard/?exam_id={exam_id}"):
        assert best.get(name, status=200).json["top_three"][0]["candidate"]["user_id"] == str(
            best_id
        )
    assert admin.get(f"/candidates/{best_id}/scores/").json == []
    assert len(admin.get(f"/candidates/{best_id}/scores/?season={old['id']}").json) == 1
    stats = best.get("/dashboard/candidate/", status=200).json
    assert stats["current_season"]["joined"] is False
    assert stats["concluded_exams"] == []
    earlier = best.get(f"/dashboard/candidate/?season={old['id']}", status=200).json
    assert [each["id"] for each in earlier["concluded_exams"]] == [exam_id]
    assert earlier["exam_stats"]["total_exams_taken"] == 1
    assert best.get("/account-management/").json["profile"]["scores"]["scores"] == []
    account = best.get(f"/account-management/?season={old['id']}", status=200).json
    assert [each["exam_id"] for each in account["profile"]["scores"]["scores"]] == [exam_id]
    totals = admin.get("/dashboard/staff/", status=200).json
    assert (totals["exams"]["total"], totals["scores"]["total_submissions"]) == (1, 0)
    totals = admin.get(f"/dashboard/staff/?season={old['id']}", status=200).json
    assert (totals["exams"]["total"], totals["scores"]["total_submissions"]) == (1, 2)
    assert totals["upcoming_exams"] == []
    for path in (f"/candidates/{best_id}/", "/dashboard/staff/"):
        admin.get(f"{path}?season=999", status=400, code="invalid")
    path = f"/candidates/{best_id}/"
    assert admin.get(path).json["records"]["performance"]["exams_taken"] == []
    records = admin.get(f"{path}?season={old['id']}").json["records"]
    assert [each["exam_id"] for each in records["performance"]["exams_taken"]] == [exam_id]
    detail = admin.get(f"/candidates/{best_id}/", status=200).json
    assert [each["stage"] for each in detail["seasons"]] == ["screening"]
    assert detail["seasons"][0]["season"] == old["id"]
    # A board of the same stage and round replaces none of the closed season.
    boards = [f"/leaderboard/?{each}" for each in (f"season={old['id']}", f"exam_id={exam_id}")]
    boards.append(f"/leaderboard/?stage=screening&round=1&season={old['id']}")
    before = [best.get(each, status=200).json for each in boards]
    best.post("/seasons/join/", {}, status=200)
    again = make_exam(app, admin, "ABCD", title="Again")
    sit(app, best, again, "A")
    admin.post(f"/exams/{again}/conclude/", status=200)
    app.clock.advance(minutes=6)
    publish(app, admin)
    assert [best.get(each, status=200).json for each in boards] == before
    shown = best.get("/leaderboard/?stage=screening&round=1", status=200).json
    assert shown["exam_details"]["title"] == "Again"
    assert [each["score"] for each in shown["top_three"]] == [25.0]


def test_an_import_joins_the_candidates_whom_it_names(app, admin, superadmin):
    person = app.candidate()
    superadmin.post("/seasons/", {"name": "2027"}, status=201)
    me = person.get("/candidates/me/").json
    names = f"{me['user']['first_name']},{me['user']['last_name']}"
    content = f"email,first_name,last_name,school\n{person.email},{names},{me['school']}\n"
    form = {"file": ("people.csv", content.encode())}
    first = superadmin.upload("POST", "/imports/candidates/", form, status=202).json["id"]
    app.run_jobs()
    [row] = superadmin.get(f"/imports/{first}/rows/", status=200).json["results"]
    assert (row["state"], row["before"]) == ("changed", {"season": me["season"]})
    [warning] = row["warnings"]
    assert "joins it by this line" in warning
    # An exported file can leave out the candidates who have not joined.
    export = "/exports/candidates/"
    assert person.email in superadmin.get(export, status=200).text
    assert person.email not in superadmin.get(f"{export}?joined=true", status=200).text
    superadmin.post(f"/imports/{first}/apply/", {}, status=202)
    app.run_jobs()
    assert person.get("/candidates/me/").json["current_season"]["joined"] is True
    again = superadmin.upload("POST", "/imports/candidates/", form, status=202).json["id"]
    app.run_jobs()
    [row] = superadmin.get(f"/imports/{again}/rows/", status=200).json["results"]
    assert (row["state"], row["warnings"]) == ("unchanged", [])
    assert person.email in superadmin.get(f"{export}?joined=true", status=200).text


def test_an_exam_that_comes_along_leaves_a_plan_until_the_season_is_undone(app, admin, superadmin):
    over = make_exam(app, admin, "AB")
    admin.post(f"/exams/{over}/conclude/", status=200)
    drafts = [
        admin.post("/exams/", {"title": title, "stage": "screening"}, status=201).json["id"]
        for title in ("Rings", "Ideals")
    ]
    plan = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}, "ties": "in"}
    mixed, moving = (
        admin.post("/advancement/", {**plan, "exams": exams}, status=201).json
        for exams in ([drafts[0], over], drafts)
    )
    path = f"/advancement/{mixed['id']}/"
    version = admin.get(path).headers["ETag"]
    [old] = superadmin.get("/seasons/").json["results"]
    new = superadmin.post("/seasons/", {"name": "2027"}, status=201).json

    def planned(query):
        found = admin.get(f"/advancement/{query}", status=200).json["results"]
        return {each["id"]: each["exams"] for each in found}

    assert planned("") == planned(f"?season={new['id']}") == {moving["id"]: drafts}
    assert planned(f"?season={old['id']}") == {mixed["id"]: [over]}
    admin.patch(path, {"ties": "out"}, status=400, code="season_closed")
    superadmin.post("/seasons/undo/", {}, status=200)
    assert planned("") == {moving["id"]: drafts, mixed["id"]: [drafts[0], over]}
    restored = admin.get(path)
    assert (restored.json, restored.headers["ETag"]) == (mixed, version)
    # A plan of a closed season is not about a first start of the exam that has left it.
    superadmin.post("/seasons/", {"name": "2028"}, status=201)
    dated = {"scheduled_date": app.clock.now.isoformat(), "is_active": True}
    for each in admin.get(f"/exams/{over}/questions/").json:
        question = {"add_to_exams": [drafts[0]], "remove_from_exams": []}
        admin.post(f"/questions/{each['id']}/exams/", question, status=200)
    admin.patch(f"/exams/{drafts[0]}/", dated, status=200)
    newcomer = app.candidate()
    take(newcomer, drafts[0], status=200)
    statuses = [admin.get(f"/advancement/{each['id']}/").json["status"] for each in (mixed, moving)]
    assert statuses == ["open", "frozen"]


def test_who_has_not_joined_is_not_eligible(app, admin, superadmin):
    person = app.candidate()
    superadmin.post("/seasons/", {"name": "2027"}, status=201)
    exam_id = make_exam(app, admin, "AB")
    refused = take(person, exam_id, status=403, code="exam_not_eligible").json
    assert refused["reason"] == "season_not_joined"
    newcomer = app.candidate()
    take(newcomer, exam_id, status=200)
    assert admin.get("/candidates/?joined=false").json["pagination"]["count"] == 1
    school = person.get("/candidates/me/").json["school"]
    body = {"school": school, "year": 9}
    for _ in range(2):
        joined = person.post("/seasons/join/", body, status=200).json
        assert (joined["school"], joined["year"]) == (school, 9)
    assert person.post("/seasons/join/", {"year": 8}, status=400).json["errors"]["year"]
    assert person.post("/seasons/join/", {"year": 10}, status=200).json["year"] == 10
    assert person.get("/candidates/me/").json["current_season"]["joined"] is True
    take(person, exam_id, status=200)


def test_joining_confirms_the_school_and_the_year_and_needs_no_approval(app, admin, superadmin):
    approved, pending = app.candidate(year=9), app.candidate(verification="pending", year=9)
    unproved = app.candidate(is_email_verified=False, verification="not_submitted")
    new = superadmin.post("/seasons/", {"name": "2027"}, status=201).json["id"]
    valley = {"school": "Valley School"}
    joined = approved.post("/seasons/join/", valley, status=200).json
    assert joined == {"season": new, "school": "Valley School", "year": 9}
    # The new school of an approved candidate counts once staff have approved it.
    assert (app.user(approved).school, app.user(approved).counted_school) == (
        "Valley School",
        "Hillside School",
    )
    # Before the approval, the candidate can also correct the year.
    joined = pending.post("/seasons/join/", {**valley, "year": 8}, status=200).json
    assert (joined["school"], joined["year"]) == ("Valley School", 8)
    assert app.user(pending).counted_school == "Valley School"
    assert unproved.get("/seasons/", status=200).json["results"][0]["id"] == new
    assert unproved.post("/seasons/join/", {}, status=200).json["season"] == new
    for wrong in ({"school": ""}, {"school": None}, {"year": 0}, {"year": 14}, {"year": "nine"}):
        approved.post("/seasons/join/", wrong, status=400, code="invalid")
    admin.post("/seasons/join/", {}, status=403)


def test_a_closed_season_has_the_school_that_counted(app, admin, superadmin):
    approved, pending = app.candidate(), app.candidate(verification="pending")
    for person in (approved, pending):
        person.patch("/account-management/", {"school": "Valley School"}, status=200)
    superadmin.post("/seasons/", {"name": "2027"}, status=201)
    for person, school in ((approved, "Hillside School"), (pending, "Valley School")):
        [past] = admin.get(f"/candidates/{person.id}/", status=200).json["seasons"]
        assert past["school"] == school


def test_who_joins_after_an_exam_has_not_missed_it(app, admin, superadmin):
    early, late = app.candidate(), app.candidate()
    superadmin.post("/seasons/", {"name": "2027"}, status=201)
    early.post("/seasons/join/", {}, status=200)
    app.clock.advance(seconds=1)
    admin.post(f"/exams/{make_exam(app, admin, 'AB')}/conclude/", status=200)
    app.clock.advance(seconds=1)
    late.post("/seasons/join/", {}, status=200)
    for person, enrollment in ((early, "missed"), (late, "not_done")):
        [exam] = person.get("/dashboard/candidate/", status=200).json["concluded_exams"]
        assert exam["enrollment"] == enrollment


def test_only_who_had_joined_a_closed_season_has_missed_its_exams(app, admin, superadmin):
    early, late, never = (app.candidate() for _ in range(3))
    finalist = app.candidate()
    old = superadmin.post("/seasons/", {"name": "2027"}, status=201).json["id"]
    for person in (early, finalist):
        person.post("/seasons/join/", {}, status=200)
    role = {"role": "league"}
    app.staff("manager").put(f"/candidates/{finalist.id}/roles/assign/", role, status=200)
    app.clock.advance(seconds=1)
    for stage in ("screening", "league"):
        exam_id = make_exam(app, admin, "AB", stage=stage)
        admin.post(f"/exams/{exam_id}/conclude/", status=200)
    app.clock.advance(seconds=1)
    late.post("/seasons/join/", {}, status=200)
    superadmin.post("/seasons/", {"name": "2028"}, status=201)
    for person in (early, late, never, finalist):
        person.post("/seasons/join/", {}, status=200)

    def enrollments(person):
        exams = person.get(f"/dashboard/candidate/?season={old}", status=200).json
        return {each["stage"]: each["enrollment"] for each in exams["concluded_exams"]}

    assert enrollments(early) == {"screening": "missed"}
    assert enrollments(late) == enrollments(never) == {"screening": "not_done"}
    # What counts is the stage that the candidate had reached in that season.
    assert enrollments(finalist) == {"screening": "missed", "league": "missed"}


def test_with_everybody_nobody_has_to_join(app, admin, superadmin):
    person = app.candidate()
    before = app.user(person).updated_at
    app.clock.advance(seconds=1)
    body = {"name": "2027", "join": "everybody"}
    numbers = superadmin.post("/seasons/preview/", body, status=200).json["candidates"]
    assert numbers == {"all": 1, "moved": 0, "joined": 1}
    new = superadmin.post("/seasons/", body, status=201).json
    assert app.user(person).updated_at == before
    exam_id = make_exam(app, admin, "AB")
    assert person.get("/candidates/me/").json["season"] == new["id"]
    take(person, exam_id, status=200)


def test_a_season_sends_everybody_back_to_screening_and_undo_gives_the_stage_back(
    app, admin, superadmin, monkeypatch
):
    # The four active candidates are notified in batches.
    monkeypatch.setattr(tasks, "BATCH", 2)
    winner, finalist = app.candidate(role="winner", year=12), app.candidate(role="final")
    beginner, pending = app.candidate(), app.candidate("league", verification="pending")
    gone = app.candidate("final", is_active=False)
    sent_back = {"winner": winner, "final": finalist, "league": pending}
    [old] = admin.get("/seasons/").json["results"]
    numbers = superadmin.post("/seasons/preview/", {"name": "2027"}, status=200).json["candidates"]
    assert numbers == {"all": 5, "moved": 4, "joined": 0}
    app.clock.advance(seconds=1)
    superadmin.post("/seasons/", {"name": "2027"}, status=201)
    app.run_jobs()

    def subjects(person):
        rows = person.get("/notifications/").json["results"]
        return [each["subject"] for each in rows]

    for person in (*sent_back.values(), beginner):
        assert person.get("/candidates/me/").json["role"] == "screening"
        assert subjects(person) == ["A new season"]
    assert app.user(gone).role == "screening"
    # Candidates who are in screening already are not written.
    assert app.user(beginner).updated_at < app.user(gone).updated_at == app.clock.now
    past = {"season": old["id"], "name": old["name"], "stage": "winner", "year": 12}
    past["school"] = "Hillside School"
    assert admin.get(f"/candidates/{winner.id}/").json["seasons"] == [past]
    assert winner.get("/account-management/").json["profile"]["seasons"] == [past]
    with begin(app.runtime) as work:
        notified = select(Notification.user_id).where(Notification.user_id == gone.id)
        assert work.db.scalars(notified).all() == []
        exported = personal_data.export(work, winner.id)["seasons"]
        record = {"group": "", "was_pupil": False, "had_joined": True, "joined_at": None}
        assert exported == [{**past, **record}]
        entries = work.db.execute(
            select(AuditEntry.target_id, AuditEntry.old, AuditEntry.new).where(
                AuditEntry.action == "candidate.role"
            )
        ).all()
    expected = {(each.id, role, "screening") for role, each in sent_back.items()}
    assert {tuple(each) for each in entries} == expected | {(gone.id, "final", "screening")}
    newcomer = app.candidate()
    finalist.post("/seasons/join/", {}, status=200)
    beginner.post("/seasons/join/", {"school": "Valley School"}, status=200)
    exam = admin.post("/exams/", {"title": "New", "stage": "screening"}, status=201).json
    undone = superadmin.post("/seasons/undo/", {}, status=200).json
    app.run_jobs()
    assert (undone["id"], undone["status"]) == (old["id"], "current")
    for role, person in sent_back.items():
        assert person.get("/candidates/me/").json["role"] == role
        assert subjects(person) == ["A correction", "A new season"]
    assert app.user(gone).role == "final"
    assert (subjects(beginner), subjects(newcomer)) == (["A new season"], [])
    assert beginner.get("/candidates/me/").json["school"] == "Valley School"
    boss = app.staff("manager")
    [entry] = [
        each for each in boss.get("/audit/").json["results"] if each["action"] == "season.undo"
    ]
    assert entry["old"]["name"] == "2027"
    for person in (winner, finalist, newcomer):
        assert person.get("/candidates/me/").json["current_season"]["joined"] is True
        assert person.get("/candidates/me/").json["season"] == old["id"]
    assert admin.get(f"/exams/{exam['id']}/").json["season"] == old["id"]
    assert admin.get(f"/candidates/{winner.id}/").json["seasons"] == []
    superadmin.post("/seasons/undo/", {}, status=400, code="invalid")


def test_undo_gives_a_promoted_candidate_who_had_not_joined_the_stage_back(app, admin, superadmin):
    """Such a candidate still has not joined that season, wherever a season is read."""
    stays, joins, beginner = app.candidate(), app.candidate(), app.candidate()
    [first] = superadmin.get("/seasons/", status=200).json["results"]
    second = superadmin.post("/seasons/", {"name": "2027"}, status=201).json["id"]
    manager = app.staff("manager")
    for person, role in ((stays, "final"), (joins, "league")):
        manager.put(f"/candidates/{person.id}/roles/assign/", {"role": role}, status=200)
    app.clock.advance(seconds=1)
    exam_id = make_exam(app, admin, "AB", stage="final")
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    app.clock.advance(seconds=1)
    superadmin.post("/seasons/", {"name": "2028"}, status=201)
    app.run_jobs()
    everybody = (stays, joins, beginner)
    assert [app.user(each).role for each in everybody] == ["screening"] * 3
    for person, stage in zip(everybody, ("final", "league", None), strict=True):
        seasons = admin.get(f"/candidates/{person.id}/").json["seasons"]
        assert [each["season"] for each in seasons] == [first["id"]]
        with begin(app.runtime) as work:
            exported = personal_data.export(work, person.id)["seasons"]
        # The record of a season that the candidate had not joined is personal data, too.
        not_joined = [] if stage is None else [(second, stage, False)]
        shown = [(each["season"], each["stage"], each["had_joined"]) for each in exported]
        assert shown == [*not_joined, (first["id"], "screening", True)]
    listed = superadmin.get("/seasons/", status=200).json["results"]
    assert [each["candidates"] for each in listed] == [0, 0, 3]
    before = stays.get(f"/dashboard/candidate/?season={second}", status=200).json
    assert before["concluded_exams"] == []
    absent = admin.get(f"/exports/exams/{exam_id}/results/?absent=true", status=200)
    assert len(absent.text.splitlines()) == 1
    joins.post("/seasons/join/", {}, status=200)
    joined_at = app.user(joins).season_joined_at
    superadmin.post("/seasons/undo/", {}, status=200)
    app.run_jobs()
    assert [app.user(each).role for each in everybody] == ["final", "league", "screening"]
    are_in = [each.get("/candidates/me/").json["current_season"]["joined"] for each in everybody]
    assert are_in == [False, True, False]
    assert app.user(joins).season_joined_at == joined_at == app.clock.now
    latest = [each.get("/notifications/").json["results"][0]["subject"] for each in everybody]
    assert latest == ["A correction", "A correction", "A new season"]


@pytest.mark.parametrize("late", [True, False])
def test_an_old_or_used_season_can_not_be_undone(app, admin, superadmin, late):
    person, _ = app.candidate(), app.candidate()

    def undoing():
        return superadmin.post("/seasons/preview/", {"name": "2028"}, status=200).json["undo"]

    assert undoing() is None
    superadmin.post("/seasons/", {"name": "2027"}, status=201)
    person.post("/seasons/join/", {}, status=200)
    until = (app.clock.now + timedelta(hours=24)).isoformat().replace("+00:00", "Z")
    assert undoing() == {"until": until, "refusal": None, "confirmed": 1}
    if late:
        app.clock.advance(hours=24, seconds=1)
        superadmin = app.new_session(superadmin)
        assert undoing() is None
    else:
        take(person, make_exam(app, admin, "AB"), status=200)
        assert "already started" in undoing()["refusal"]
    superadmin.post("/seasons/undo/", {}, status=400, code="invalid")


def test_names_are_unique_and_unknown_fields_are_rejected(app, superadmin):
    [first] = superadmin.get("/seasons/").json["results"]
    for path in ("/seasons/", "/seasons/preview/"):
        refused = superadmin.post(path, {"name": first["name"]}, status=400, code="invalid").json
        assert refused["errors"]["name"]
    body = {"name": "2027", "joins": "everybody"}
    superadmin.post("/seasons/", body, status=400, code="invalid")
    key = {"Idempotency-Key": "the-new-year"}
    made = [superadmin.post("/seasons/", {"name": "2027"}, headers=key, status=201) for _ in "ab"]
    assert made[0].json["id"] == made[1].json["id"]
    for name in (first["name"], "", "x" * 51):
        superadmin.patch(f"/seasons/{made[0].json['id']}/", {"name": name}, status=400)


def test_a_closed_season_is_read_only(app, admin, superadmin):
    exam_id, [person, _] = a_year(app, admin)
    app.new_session(superadmin).post("/seasons/", {"name": "2027"}, status=201)
    admin = app.new_session(admin)
    exam = f"/exams/{exam_id}/"
    acts = [
        ("PATCH", exam, {"title": "Other"}),
        ("DELETE", exam, None),
        ("POST", f"{exam}conclude/", None),
        ("POST", f"{exam}prepare/", None),
        ("PUT", f"{exam}submit-exam-score/", {"candidate_id": str(person.id), "score": 1}),
        ("POST", f"{exam}allowances/", {"everyone": True, "extra_minutes": 5, "reason": "x"}),
        ("POST", f"{exam}attempts/{person.id}/reopen/", {"reason": "x"}),
        ("POST", "/leaderboard/publish/", {"exams": [exam_id]}),
        (
            "POST",
            "/advancement/",
            {
                "from_stage": "screening",
                "to_stage": "league",
                "exams": [exam_id],
                "rule": {"top": 1},
                "ties": "in",
            },
        ),
    ]
    found = {
        (method, path): admin.request(method, path, body, status="any").json.get("code")
        for method, path, body in acts
    }
    assert set(found.values()) == {"season_closed"}, found
    # It can be copied.
    copied = admin.post(f"{exam}copy/", {}, status=201).json
    assert copied["season"] != admin.get(exam).json["season"]
    assert len(copied["questions"]) == 4


def test_an_erasure_goes_on_in_a_closed_season(app, admin, superadmin):
    exam_id, [person, _] = a_year(app, admin)
    app.new_session(superadmin).post("/seasons/", {"name": "2027"}, status=201)
    with begin(app.runtime) as work:
        personal_data.erase(work, person.id)
    admin = app.new_session(admin)
    [past] = admin.get(f"/candidates/{person.id}/").json["seasons"]
    assert (past["stage"], past["school"], past["year"]) == ("screening", "Erased", None)
    best, _ = admin.get(f"/leaderboard/?exam_id={exam_id}").json["top_three"]
    assert "Ada" not in str(best)


def test_a_broadcast_can_go_to_those_who_have_not_joined(app, admin, superadmin):
    absent = app.candidate()
    superadmin.post("/seasons/", {"name": "2027"}, status=201)
    newcomer = app.candidate()
    app.run_jobs()
    roles = {"target_roles": {"candidate": ["screening"]}, "mediums": ["platform"]}

    def received(person):
        rows = person.get("/notifications/").json["results"]
        return [each["subject"] for each in rows if each["message"] == "Hello."]

    for joined, subject in ((False, "Come back"), (True, "Welcome")):
        body = {**roles, "joined": joined, "subject": subject, "message": "Hello."}
        audience = {"target_roles": roles["target_roles"], "joined": joined}
        preview = superadmin.post("/broadcasts/preview/", audience, status=200).json
        assert preview["affected"] == 1
        made = superadmin.post("/broadcasts/", body, status=201).json
        assert made["joined"] is joined
        [listed] = superadmin.get("/broadcasts/?limit=1").json["results"]
        assert (listed["id"], listed["joined"]) == (made["id"], joined)
        app.run_jobs()
    assert (received(absent), received(newcomer)) == (["Come back"], ["Welcome"])


def test_a_copy_has_rules_and_questions_but_nothing_of_people(app, admin):
    exam_id, _ = a_year(app, admin)
    admin = app.new_session(admin)
    first, *others = admin.get(f"/exams/{exam_id}/questions/").json
    admin.delete(f"/questions/{first['id']}/", status=204)
    copied = admin.post(f"/exams/{exam_id}/copy/", {}, status=201).json
    exam = admin.get(f"/exams/{exam_id}/").json
    same = ("title", "stage", "round", "description", "countdown_minutes", "open_duration_hours")
    for name in (*same, "ranking", "scores_visible", "season"):
        assert copied[name] == exam[name]
    assert (copied["left_out"], copied["questions"]) == (
        [first["id"]],
        [each["id"] for each in others],
    )
    assert (copied["status"], copied["scheduled_date"]) == ("draft", None)
    body = {"title": "Again", "stage": "league", "round": 3}
    body |= {"scheduled_date": "2030-01-01T09:00:00Z"}
    other = admin.post(f"/exams/{exam_id}/copy/", body, status=201).json
    assert {name: other[name] for name in body} == body
    checks = admin.get(f"/exams/{other['id']}/preflight/").json["checks"]
    [known] = [each for each in checks if each["name"] == "known_questions"]
    assert known["level"] == "warning"
    admin.post("/exams/999999/copy/", {}, status=404)
    admin.post(f"/exams/{exam_id}/copy/", {"round": 0}, status=400, code="invalid")


def test_every_unfinished_thing_blocks_the_next_season(app, admin, superadmin):
    def found():
        caller = app.new_session(superadmin)
        reply = caller.post("/seasons/preview/", {"name": "2027"}, status=200).json
        return [(each["kind"], each["id"]) for each in reply["blockers"]], [
            each["kind"] for each in reply["warnings"]
        ]

    assert found() == ([], ["backups"])
    rows = {"file": ("people.csv", b"first_name,last_name,school\nEmmy,Noether,Hillside\n")}
    imported = superadmin.upload("POST", "/imports/candidates/", rows, status=202).json["id"]
    person = app.candidate()
    news = {"subject": "Rings", "message": "The league begins.", "mediums": ["platform"]}
    news |= {"target_roles": {"candidate": ["screening"]}}
    superadmin.post("/broadcasts/", news)
    [broadcast] = [each["id"] for each in superadmin.get("/broadcasts/").json["results"]]
    assert found()[0] == [("broadcasts", broadcast), ("imports", imported)]
    app.run_jobs()
    exam_id = make_exam(app, admin, "AB")
    plan = {"from_stage": "screening", "to_stage": "league", "rule": {"top": 1}, "ties": "in"}
    plan_id = admin.post("/advancement/", {**plan, "exams": [exam_id]}, status=201).json["id"]
    sit(app, person, exam_id, "AB")
    on_paper = make_exam(app, admin, "AB", round=2)
    score_by_hand(admin, on_paper, person, 50)
    for each in (exam_id, on_paper):
        admin.post(f"/exams/{each}/conclude/", status=200)
    unfinished = [("advancement", plan_id), ("exams.unsealed", exam_id), ("scores", on_paper)]
    assert sorted(found()[0]) == unfinished
    app.clock.advance(hours=13)
    caller = app.new_session(admin)
    later = (app.clock.now + timedelta(hours=1)).isoformat()
    caller.post("/leaderboard/publish/", {"exams": [on_paper], "publish_at": later})
    [publication] = caller.get("/leaderboard/publications/").json["results"]
    assert ("leaderboard.publications", publication["id"]) in found()[0]
    refused = app.new_session(superadmin).post("/seasons/", {"name": "2027"}, status=400).json
    [blocker] = [each for each in refused["blockers"] if each["kind"] == "leaderboard.publications"]
    assert (blocker["exam"], blocker["expected_at"]) == (on_paper, publication["publish_at"])
    app.clock.advance(hours=2)
    caller = app.new_session(admin)
    publish(app, caller)
    caller.post(f"/advancement/{plan_id}/apply/", status=200)
    app.run_jobs()
    person = app.new_session(person)
    text = {"question": None, "text": "Why?"}
    appeal = person.post(f"/exams/{exam_id}/appeals/", text, status=201).json["id"]
    assert found() == ([("appeals", appeal)], ["advancement", "appeals", "backups"])
    answer = {"status": "rejected", "answer": "No."}
    caller.post(f"/appeals/{appeal}/answer/", answer, status=200)
    assert found()[0] == []


def test_candidates_read_the_boards_of_a_closed_season_that_concern_them(app, admin, superadmin):
    exams = {}
    on_it = app.candidate("league")
    other = app.candidate("league")
    for title, stage in (("First", "league"), ("Repeated", "league"), ("Screening", "screening")):
        exam_id = make_exam(app, admin, "AB", title=title, stage=stage)
        people = [on_it, app.candidate("league")] if stage == "league" else [app.candidate()]
        for person in people:
            sit(app, person, exam_id, "AB")
        admin.post(f"/exams/{exam_id}/conclude/", status=200)
        app.clock.advance(minutes=6)
        exams[title] = exam_id
    publish(app, admin)
    [old] = superadmin.get("/seasons/").json["results"]
    superadmin.post("/seasons/", {"name": "2027"}, status=201)
    of_old = f"season={old['id']}"
    of_exam = f"exam_id={exams['First']}"
    [snapshot] = admin.get(f"/leaderboard/snapshots/?{of_exam}").json["results"]
    assert snapshot["season"] == old["id"]
    # The exam that another one of its round replaces has its own leaderboard, too.
    for title, exam_id in exams.items():
        board = on_it.get(f"/leaderboard/?exam_id={exam_id}", status=200).json
        assert board["exam_details"]["title"] == title
    for person, stages in ((on_it, {"screening", "league"}), (other, {"screening"})):
        boards = person.get(f"/leaderboard/?{of_old}").json["available_leaderboards"]
        assert {each["stage"] for each in boards} == stages
    for query in (f"exam_id={exams['Repeated']}", f"stage=league&round=1&{of_old}"):
        other.get(f"/leaderboard/?{query}", status=403, code="permission_denied")
        on_it.get(f"/leaderboard/?{query}", status=200)
    for title in ("First", "Repeated"):
        path = "/leaderboard/league/1/candidate/{}/" + f"?exam_id={exams[title]}"
        on_it.get(path.format(on_it.id), status=200)
        on_it.get(path.format(other.id), status=403, code="permission_denied")
    on_it.get(f"/leaderboard/league/1/candidate/{on_it.id}/?{of_old}", status=200)
    table = f"/exports/leaderboard/league/1/?{of_old}"
    assert len(admin.get(table, status=200, content_type="text/csv").text.splitlines()) == 3
    admin.get("/exports/leaderboard/league/1/?season=999", status=400, code="invalid")


def test_undoing_writes_no_board_again_and_a_repeated_opening_is_not_found(app, admin, superadmin):
    exam_id, [best, _] = a_year(app, admin, stage="final")
    admin, superadmin = app.new_session(admin), app.new_session(superadmin)
    reader, path = app.new_session(best), f"/leaderboard/?exam_id={exam_id}"
    shown = admin.get(path, status=200).json
    key = {"Idempotency-Key": "an-opening-that-is-undone"}
    superadmin.post("/seasons/", {"name": "2027"}, headers=key, status=201)
    publish(app, admin)
    told = reader.get("/notifications/").json["pagination"]["count"]
    superadmin.post("/seasons/undo/", {}, status=200)
    app.run_jobs()
    again = admin.get(path, status=200).json
    assert again["top_three"] == shown["top_three"]
    # One notification says that the season was undone.
    assert reader.get("/notifications/").json["pagination"]["count"] == told + 1
    superadmin.post("/seasons/", {"name": "2027"}, headers=key, status=404, code="not_found")


@pytest.mark.parametrize("is_undone", [True, False])
def test_a_publication_is_only_of_the_season_that_was_current_at_the_request(
    app, admin, superadmin, is_undone
):
    exam_id, _ = a_year(app, admin)
    admin, superadmin = app.new_session(admin), app.new_session(superadmin)
    path = f"/leaderboard/snapshots/?exam_id={exam_id}"
    before = admin.get(path, status=200).json["pagination"]["count"]
    if is_undone:
        superadmin.post("/seasons/", {"name": "2027"}, status=201)
        admin.post("/leaderboard/publish/", {}, status=202)
    else:
        admin.post("/leaderboard/publish/", {}, status=202)
        superadmin.post("/seasons/", {"name": "2027"}, status=201)
    superadmin.post("/seasons/undo/", {}, status=200)
    app.run_jobs()
    assert (admin.get(path, status=200).json["pagination"]["count"] == before) is is_undone


def test_a_publication_that_an_earlier_version_has_requested_is_of_the_current_season(app, admin):
    exam_id, _ = a_year(app, admin)
    admin = app.new_session(admin)
    path = f"/leaderboard/snapshots/?exam_id={exam_id}"
    before = admin.get(path, status=200).json["pagination"]["count"]
    with begin(app.runtime) as work:
        jobs.enqueue(work, "leaderboard.publish")
    app.run_jobs()
    assert admin.get(path, status=200).json["pagination"]["count"] > before
