"""Advancement plans in the console: created, previewed, applied and undone."""

import re

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, publish, season
from tests.support.browser import every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

# The second and the third candidate are tied.
SHEETS = ["ABCD", "ABC ", "ABC ", "A   "]
PLAN = {"from_stage": "screening", "to_stage": "league", "ties": "in"}


@pytest.fixture
def admin(site):
    return site.service.staff("admin")


@pytest.fixture
def exam(site, admin):
    """An exam with a published leaderboard, and its candidates."""
    found = season(site.service, admin, SHEETS, key="ABCD", title="The first round")
    site.service.clock.advance(minutes=6)
    publish(site.service, admin)
    return found


def stages(site, people):
    return [site.service.user(each).role for each in people]


def test_a_plan_is_created_previewed_applied_and_undone(site, admin, exam):
    _, people = exam
    page = site.signed_in(admin, "/console/advancement")
    page.get_by_text("Your plans appear here.").wait_for()
    page.get_by_role("link", name="New plan").click()
    page.get_by_role("checkbox", name=re.compile("The first round")).check()
    page.get_by_role("textbox", name="How many advance").fill("many")
    page.get_by_role("button", name="Create the plan").click()
    page.get_by_text("Write a whole number from 1.").first.wait_for()
    page.get_by_role("textbox", name="How many advance").fill("2")
    page.get_by_role("button", name="Create the plan").click()
    page.get_by_text("3 of 4 candidates advance. The cut-off is 75.00 points.").wait_for()
    page.get_by_text("2 candidates have the same total at the cut-off.").wait_for()
    advance = page.get_by_role("table", name="They advance")
    expect(advance.get_by_role("row")).to_have_count(4)
    page.get_by_role("button", name="Move 3 candidates").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("3 candidates move to the stage League and are notified.").wait_for()
    dialog.get_by_text(site.service.user(people[0]).full_name).first.wait_for()
    assert stages(site, people) == ["screening"] * 4
    dialog.get_by_role("button", name="Move 3 candidates").click()
    page.get_by_text("3 candidates have moved to the stage League.").wait_for()
    assert stages(site, people) == ["league"] * 3 + ["screening"]
    advanced = page.get_by_role("table", name="Who advanced")
    best = site.service.user(people[0])
    expect(advanced.get_by_role("row").nth(1)).to_contain_text(best.full_name)
    expect(advanced.get_by_role("row").nth(1)).to_contain_text("One of the places")
    expect(advanced.get_by_text("Tied at the cut-off")).to_have_count(2)
    page.evaluate("window.print = () => { document.title = 'printed'; }")
    page.get_by_role("button", name="Print the list").click()
    sheet = page.locator(".print")
    wait_for(page, lambda: page.title() == "printed")
    assert [
        best.full_name in each
        for each in sheet.get_by_role("row", include_hidden=True).all_text_contents()
    ].count(True) == 1
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.get_by_role("searchbox").fill(best.email)
    expect(advanced.get_by_role("row")).to_have_count(2)
    # Undoing leaves out a candidate who was moved by hand.
    winner, *others = [site.service.user(each) for each in people[:3]]
    admin.put(f"/candidates/{winner.id}/roles/assign/", {"role": "winner"}, status=200)
    page.get_by_role("button", name="Undo the advancement").click()
    dialog = page.get_by_role("dialog", name="Undo the advancement")
    dialog.get_by_text("2 candidates whom this plan has moved to League go back").wait_for()
    names = dialog.get_by_role("listitem").all_text_contents()
    assert sorted(names) == sorted(each.full_name for each in others)
    dialog.get_by_role("button", name="Move 2 candidates back").click()
    page.get_by_text("The candidates are back in the stage Screening.").wait_for()
    assert stages(site, people) == ["winner", *["screening"] * 3]
    # The plan can be applied again.
    page.get_by_text("One of them is not in the stage Screening, and does not move.").wait_for()
    page.get_by_role("button", name="Move 2 candidates").wait_for()


def test_the_dialog_counts_and_names_those_who_move_now(site, admin, exam):
    exam_id, people = exam
    body = {**PLAN, "exams": [exam_id], "rule": {"top": 2}}
    plan = admin.post("/advancement/", body, status=201).json
    page = site.signed_in(admin, f"/console/advancement/{plan['id']}")
    page.get_by_role("button", name="Move 3 candidates").wait_for()

    def assign(person, role):
        admin.put(f"/candidates/{person.id}/roles/assign/", {"role": role}, status=200)

    # The page still shows the old number.
    assign(people[0], "league")
    page.get_by_role("button", name="Move 3 candidates").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("2 candidates move to the stage League and are notified.").wait_for()
    names = dialog.get_by_role("listitem").all_text_contents()
    assert sorted(names) == sorted(site.service.user(each).full_name for each in people[1:3])
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Move 2 candidates").wait_for()
    # Nobody is left to move.
    for each in people[1:3]:
        assign(each, "league")
    page.get_by_role("button", name="Move 2 candidates").click()
    page.get_by_text("3 of them are not in the stage Screening, and do not move.").wait_for()
    expect(page.get_by_role("button", name=re.compile("^Move "))).to_have_count(0)


def test_open_appeals_are_named_before_candidates_move(site, admin, exam):
    exam_id, people = exam
    people[1].post(f"/exams/{exam_id}/appeals/", {"text": "I gave four answers."}, status=201)
    body = {**PLAN, "exams": [exam_id], "rule": {"top": 1}}
    plan = admin.post("/advancement/", body, status=201).json
    page = site.signed_in(admin, f"/console/advancement/{plan['id']}")
    page.get_by_role("button", name="Move one candidate").click()
    dialog = page.get_by_role("dialog", name="Answer the appeals first?")
    dialog.get_by_text("One appeal against an exam of this plan is open.").wait_for()
    dialog.get_by_role("button", name="Go on despite open appeals").click()
    page.get_by_role("dialog").get_by_role("button", name="Move one candidate").click()
    page.get_by_text("One candidate has moved to the stage League.").wait_for()


def test_a_plan_is_changed_and_deleted_before_its_exam_begins(site, admin):
    site.tolerate("404.*leaderboard/")
    later = site.service.clock.now.replace(year=site.service.clock.now.year + 1).isoformat()
    exam_id = make_exam(site.service, admin, title="The first round", scheduled_date=later)
    row = admin.post("/advancement/", {**PLAN, "exams": [exam_id], "rule": {"top": 9}}).json
    page = site.signed_in(admin, f"/console/advancement/{row['id']}")
    page.get_by_text("Publish the leaderboard of one exam first.").wait_for()
    page.get_by_role("link", name="Change").click()
    page.get_by_role("radio", name="A percentage of the candidates").check()
    page.get_by_role("textbox", name="How many percent advance").fill("12.5")
    page.get_by_role("radio", name="None of them advances").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The plan was changed.").wait_for()
    page.get_by_text("The best 12.5% advance").wait_for()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete one plan").click()
    page.get_by_text("The plan was deleted.").wait_for()
    assert admin.get("/advancement/").json["results"] == []


def test_the_pages_in_every_view(site, admin, exam):
    exam_id, _ = exam
    body = {**PLAN, "exams": [exam_id], "rule": {"top": 2}}
    row = admin.post("/advancement/", body, status=201).json
    other = {**body, "rule": {"percent": 12.5}, "ties": "out"}
    applied = admin.post("/advancement/", other, status=201).json
    admin.post(f"/advancement/{applied['id']}/apply/", status=200)
    page = site.signed_in(admin, "/console/advancement")
    every_view(
        page, "console-advancement-list", lambda page: page.get_by_role("row").nth(2).wait_for()
    )
    page.goto("/console/advancement/new")
    every_view(
        page, "console-advancement-new", lambda page: page.get_by_text("The first").wait_for()
    )
    page.goto(f"/console/advancement/{row['id']}")
    every_view(
        page, "console-advancement-plan", lambda page: page.get_by_role("table").nth(1).wait_for()
    )
    page.goto(f"/console/advancement/{applied['id']}")
    every_view(
        page, "console-advancement-applied", lambda page: page.locator("tbody tr").wait_for()
    )
    page.goto(f"/console/advancement/{row['id']}/change")
    every_view(page, "console-advancement-change", lambda page: page.locator("form").wait_for())
