"""The console's pages of leaderboards, advancement, appeals and broadcasts."""

import re

import pytest

from competition.testing.exam_day import publish, season
from tests.support.browser import SCREEN, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


@pytest.fixture
def over(site):
    """An exam that is over, with the candidates who have taken it: `(exam_id, people)`."""
    site.tolerate(r"Failed to load resource")
    admin = site.service.staff("admin")
    exam_id, people = season(
        site.service, admin, ["ABCDABCDAB", "ABCDABCDAA", "AAAAAAAAAA"], title="Screening, round 1"
    )
    site.service.clock.advance(minutes=10)
    site.service.run_jobs()
    return exam_id, people


def test_a_leaderboard_is_published_after_its_number_is_shown(site, over):
    page = site.signed_in(site.service.staff("admin"), "/console/boards", viewport=SCREEN)
    page.get_by_text("Nothing has been published yet.").wait_for()
    page.get_by_role("row", name=re.compile("Screening, round 1")).get_by_role(
        "button", name="Publish"
    ).click()
    dialog = page.get_by_role("dialog", name="Publish “Screening, round 1”")
    dialog.get_by_text("with 3 candidates. ").wait_for()
    dialog.get_by_role("button", name="Publish for 3 candidates").click()
    page.get_by_text("“Screening, round 1” is being published.").wait_for()
    site.service.run_jobs()
    page.reload()
    page.get_by_role("link", name="Screening, round 1").last.click()
    page.get_by_role("heading", name="Screening, round 1", level=1).wait_for()
    assert page.get_by_role("row").count() == 4
    page.get_by_role("row", name=re.compile("100.00")).wait_for()


def test_a_publication_is_planned_and_cancelled(site, over):
    page = site.signed_in(site.service.staff("admin"), "/console/boards", viewport=SCREEN)
    page.get_by_role("button", name="At a set time").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Date").fill("2031-03-01")
    dialog.get_by_label("Time", exact=True).fill("14:00")
    dialog.get_by_role("button", name="Plan the publication").click()
    page.get_by_text(re.compile("will be published on")).wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("The publication was cancelled.").wait_for()


def test_a_plan_advances_candidates_and_is_undone(site, over):
    publish(site.service, site.service.staff("admin"))
    page = site.signed_in(site.service.staff("admin"), "/console/advancement", viewport=SCREEN)
    page.get_by_role("link", name="New plan").click()
    page.get_by_label("Screening, round 1").check()
    page.get_by_label("How many candidates").fill("1")
    page.get_by_role("button", name="Create the plan").click()
    page.get_by_text("One of 3 candidates advances. The cut-off is 100 points.").wait_for()
    page.get_by_role("button", name="Advance one candidate").click()
    page.get_by_role("dialog").get_by_role("button", name="Advance one candidate").click()
    page.get_by_text("One candidate is now in the stage League.").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    page.get_by_text("The plan is undone.").wait_for()


def test_an_appeal_is_answered(site, over):
    exam_id, people = over
    publish(site.service, site.service.staff("admin"))
    body = {"text": "Question 3 has two correct answers."}
    people[0].post(f"/exams/{exam_id}/appeals/", body, status=201)
    page = site.signed_in(site.service.staff("admin"), "/console/appeals", viewport=SCREEN)
    page.get_by_role("table").get_by_role("button", name=re.compile("^Ada ")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Question 3 has two correct answers.").wait_for()
    dialog.get_by_label("Reject").check()
    dialog.get_by_label("Reply to the candidate").fill("Only B is correct.")
    dialog.get_by_role("button", name="Send the reply").click()
    page.get_by_text("The candidate has been told.").wait_for()
    [appeal] = people[0].get(f"/exams/{exam_id}/appeals/").json["results"]
    assert (appeal["status"], appeal["answer"]) == ("rejected", "Only B is correct.")


def test_a_broadcast_is_sent_after_its_audience_is_shown(site):
    for _ in range(3):
        site.service.candidate("final")
    path = "/console/broadcasts/new"
    page = site.signed_in(site.service.staff("manager"), path, viewport=SCREEN)
    page.get_by_label("Final candidates").check()
    page.get_by_text("3 people would receive it now.").wait_for()
    page.get_by_label("Subject").fill("The final begins at 10:00")
    page.get_by_role("textbox", name="Message").fill("Please be there in time.")
    page.get_by_role("button", name="Review and send").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel").click()
    assert page.get_by_label("Subject").input_value() == "The final begins at 10:00"
    page.get_by_role("button", name="Review and send").click()
    dialog.get_by_text("3 people receive it (On the platform).").wait_for()
    dialog.get_by_role("button", name="Send to 3 people").click()
    page.get_by_text("The broadcast is being sent.").wait_for()
    site.service.run_jobs()
    page.get_by_text("Sent", exact=True).first.wait_for()


@pytest.mark.long
def test_every_view(site, over):
    exam_id, people = over
    admin = site.service.staff("admin")
    publish(site.service, admin)
    people[0].post(f"/exams/{exam_id}/appeals/", {"text": "B is correct, too."}, status=201)
    plan = {
        "from_stage": "screening",
        "to_stage": "league",
        "exams": [exam_id],
        "rule": {"top": 1},
        "ties": "in",
    }
    plan_id = admin.post("/advancement/", plan, status=201).json["id"]
    manager = site.service.staff("manager")
    body = {
        "subject": "The final begins at 10:00",
        "message": "Please be there in time.",
        "mediums": ["platform", "email"],
        "target_roles": {"candidate": ["screening"]},
    }
    broadcast = manager.post("/broadcasts/", body, status=201).json["id"]
    site.service.run_jobs()
    page = site.signed_in(manager, "/console/boards", viewport=SCREEN)
    for path in (
        "boards",
        "boards?tab=earlier",
        "boards/screening/1",
        "advancement",
        "advancement/new",
        f"advancement/{plan_id}",
        "appeals",
        "broadcasts",
        "broadcasts/new",
        f"broadcasts/{broadcast}",
    ):
        page.goto(f"/console/{path}")
        name = "console-" + re.sub(r"\W", "-", path)
        shown = "form" if path.endswith("/new") else "table, dl"
        data = ("Screening, round 1", "Ada Lovelace")
        every_view(
            page, name, lambda it, shown=shown: it.locator(shown).first.wait_for(), data=data
        )
