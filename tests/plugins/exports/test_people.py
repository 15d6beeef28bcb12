"""Exports of candidates, staff and the audit trail."""

import json

import pytest

from competition.core.users.models import User
from competition.core.work import begin
from tests.support.exported import lines
from tests.support.imports import check, rows


def test_candidates_are_exported_with_the_headers_of_an_import(app, admin):
    person = app.candidate(first_name="Emmy", last_name="Noether", school="Hillside School")
    app.candidate(first_name="Ada")
    reply = admin.get("/exports/candidates/?search=emmy", status=200)
    header = b"\xef\xbb\xbffirst_name,last_name,school,email,external_id,phone,year,group,verified,"
    assert reply.body.startswith(header)
    [row] = lines(reply)
    assert (row["first_name"], row["school"]) == ("Emmy", "Hillside School")
    assert (row["verified"], row["candidate_id"]) == ("yes", str(person.id))


def test_the_filters_and_the_order_of_the_list_apply(app, admin):
    for name, role in (("Zoe", "league"), ("Ada", "league"), ("Emmy", "screening")):
        app.candidate(role, first_name=name)
    path = "?role=league&ordering=first_name"
    listed = admin.get(f"/candidates/{path}").json["results"]
    exported = lines(admin.get(f"/exports/candidates/{path}"))
    assert [row["first_name"] for row in exported] == ["Ada", "Zoe"]
    assert [row["candidate_id"] for row in exported] == [each["user"]["id"] for each in listed]
    later = f"{app.clock.now.year + 1}-01-01"
    assert lines(admin.get(f"/exports/candidates/?created_after={later}")) == []


def test_an_export_has_all_pages(app, admin):
    for _ in range(3):
        app.candidate()
    assert len(lines(admin.get("/exports/candidates/?page=2&limit=1"))) == 3


@pytest.mark.parametrize("change", [{"waits_for_deletion": True}, {"email": "{id}@erased.invalid"}])
def test_erased_accounts_and_those_that_wait_for_it_are_left_out(app, admin, change):
    gone, stays = app.candidate(), app.candidate()
    with begin(app.runtime) as work:
        user = work.db.get_one(User, gone.id)
        if "waits_for_deletion" in change:
            user.waits_for_deletion = True
        else:
            user.email = change["email"].format(id=gone.id)
    [row] = lines(admin.get("/exports/candidates/"))
    assert row["candidate_id"] == str(stays.id)


def test_the_school_is_the_one_that_staff_have_approved(app, admin):
    app.candidate(school="Typed School", approved_school="Approved School")
    [row] = lines(admin.get("/exports/candidates/"))
    assert row["school"] == "Approved School"


def test_staff_are_exported(app, manager):
    member = app.staff("moderator", first_name="Grace", occupation="Teacher")
    [row] = lines(manager.get("/exports/staff/?search=grace"))
    assert (row["email"], row["occupation"]) == (member.email, "Teacher")
    assert (row["role"], row["phone"]) == ("moderator", app.user(member).phone.replace("+", "'+"))


def test_the_audit_trail_is_exported_with_names_and_values(app, manager):
    person = app.candidate()
    manager.put(f"/candidates/{person.id}/roles/assign/", {"role": "league"}, status=200)
    [row] = lines(manager.get(f"/exports/audit/?target_id={person.id}&action=candidate.role"))
    [entry] = manager.get(f"/audit/?target_id={person.id}&action=candidate.role").json["results"]
    shown = {name: row[name] for name in ("actor_name", "target_name", "subject", "created_at")}
    assert shown == {name: entry[name] for name in shown}
    assert row["new"] == (
        entry["new"] if isinstance(entry["new"], str) else json.dumps(entry["new"])
    )


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_the_import_of_an_export_of_candidates_changes_nothing(app, manager, admin, form):
    app.candidate(first_name="'5", last_name="'=x", school="''a", phone="+491234567", group="007")
    app.candidate(first_name="-Ada", last_name="'", school="'s Hill", external_id="=1", year=9)
    app.candidate(email="bcd234@slip.invalid", first_name="@x", school="1.0", external_id="'0801")
    app.candidate(school="Typed", approved_school='Approved; "one"', verification="approved")
    app.candidate(verification="rejected", group="'")
    content = admin.get(f"/exports/candidates/?format={form}").body
    found = check(app, manager, "candidates", content, f"candidates.{form}")
    assert found["counts"]["unchanged"] == 5, rows(manager, found)
