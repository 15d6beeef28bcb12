"""Advancement plans in the console: created, applied and undone.

`tests/pages/console/advancement` has what the pages show for which reply.
"""

import re
from datetime import timedelta

from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, publish, season
from tests.support.browser import arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

# The second and the third candidate are tied.
SHEETS = ["ABCD", "ABC ", "ABC ", "A   "]
LONG = "The first round of Wolfeschlegelsteinhausenbergerdorff"


def stages(site, people):
    return [site.service.user(each).role for each in people]


def test_a_plan_is_created_applied_undone_and_changed(site):
    admin = site.service.staff("admin")
    _, people = season(site.service, admin, SHEETS, key="ABCD", title=LONG)
    site.service.clock.advance(minutes=6)
    publish(site.service, admin)
    page = site.signed_in(admin, "/console/advancement")
    page.get_by_text("Your plans appear here.").wait_for()
    page.get_by_role("link", name="New plan").click()
    every_view(page, "console-advancement-new", lambda it: it.get_by_text(LONG).wait_for())
    page.get_by_role("checkbox", name=re.compile(LONG)).check()
    page.get_by_role("textbox", name="How many advance").fill("2")
    page.get_by_role("button", name="Create the plan").click()
    advance = page.get_by_role("table", name="They advance")
    expect(advance.get_by_role("row")).to_have_count(4)
    every_view(
        page, "console-advancement-plan", lambda it: it.get_by_role("table").nth(1).wait_for()
    )
    page.get_by_role("button", name="Move 3 candidates").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("3 candidates move to the stage League and are notified.").wait_for()
    assert stages(site, people) == ["screening"] * 4
    dialog.get_by_role("button", name="Move 3 candidates").click()
    page.get_by_text("3 candidates have moved to the stage League.").wait_for()
    assert stages(site, people) == ["league"] * 3 + ["screening"]
    advanced = page.get_by_role("table", name="Who advanced")
    expect(advanced.get_by_text("Tied at the cut-off")).to_have_count(2)
    every_view(
        page, "console-advancement-applied", lambda it: it.locator("tbody tr").nth(2).wait_for()
    )
    # Undoing leaves out a candidate who was moved by hand.
    winner, *others = [site.service.user(each) for each in people[:3]]
    admin.put(f"/candidates/{winner.id}/roles/assign/", {"role": "winner"}, status=200)
    page.get_by_role("button", name="Undo the advancement").click()
    dialog = page.get_by_role("dialog", name="Undo the advancement")
    expect(dialog.get_by_role("listitem")).to_have_count(2)
    names = dialog.get_by_role("listitem").all_text_contents()
    assert sorted(names) == sorted(each.full_name for each in others)
    dialog.get_by_role("button", name="Move 2 candidates back").click()
    page.get_by_text("The candidates are back in the stage Screening.").wait_for()
    assert stages(site, people) == ["winner", *["screening"] * 3]
    # The plan can be applied again.
    page.get_by_role("button", name="Move 2 candidates").wait_for()
    page.goto("/console/advancement")
    every_view(page, "console-advancement-list", lambda it: it.get_by_role("row").nth(1).wait_for())
    # The exam of the next plan has no board yet.
    site.tolerate(r"status of 404 .*/leaderboard/\?exam_id=")
    # Only before its exam begins can a plan be changed.
    at = (site.service.clock.now + timedelta(days=9)).isoformat()
    later = make_exam(site.service, admin, title="Later", round=2, scheduled_date=at)
    body = {"from_stage": "screening", "to_stage": "league", "exams": [later]}
    plan = admin.post("/advancement/", {**body, "rule": {"top": 9}, "ties": "in"}, status=201).json
    page.goto(f"/console/advancement/{plan['id']}/change")
    arrived(page, "Change the plan")
    every_view(page, "console-advancement-change", lambda it: it.locator("form").wait_for())
    page.get_by_role("radio", name="A percentage of the candidates").check()
    page.get_by_role("textbox", name="How many percent advance").fill("12.5")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The best 12.5% advance").wait_for()
    assert admin.get(f"/advancement/{plan['id']}/").json["rule"] == {"percent": 12.5}
