"""Candidates in the console: the list, and the page of one candidate."""

from playwright.sync_api import expect

from competition.testing import exam_day
from tests.support.browser import arrived, every_view, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

LONG_SCHOOL = "Collège international bilingue Notre-Dame-des-Victoires de Ouagadougou-Centre"


def named(site, first_name, last_name, **fields):
    return site.service.candidate(first_name=first_name, last_name=last_name, **fields)


def say(page, text):
    page.get_by_role("status").filter(has_text=text).wait_for()


def test_candidates_are_searched_sorted_and_opened_by_keys(site):
    named(site, "Amara", "Obi")
    named(site, "Chloé", "Martin", school=LONG_SCHOOL, verification="pending")
    named(site, "Ben", "Carter", verification="rejected")
    named(site, "Adaeze", "Nwosu", role="league")
    named(site, "Tomás", "Rivera", is_active=False)
    page = site.signed_in(site.service.staff("admin"), "/console/candidates")
    arrived(page, "Candidates")
    every_view(
        page, "console-people-list", lambda page: page.get_by_text("Adaeze Nwosu").wait_for()
    )
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("ouaga")
    page.get_by_role("row", name="Amara Obi").wait_for(state="detached")
    page.get_by_role("row", name="Chloé Martin").get_by_text("Documents waiting").wait_for()
    page.get_by_label("State").select_option("Active")
    page.get_by_text("Nothing matches these filters").wait_for()
    assert page.url.endswith("?search=ouaga&status=active")
    page.goto("/console/candidates?ordering=-last_name")
    arrived(page, "Candidates")
    page.get_by_role("link", name="Tomás Rivera").wait_for()
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="Tomás Rivera")).to_be_focused()
    page.keyboard.press("Enter")
    arrived(page, "Tomás Rivera")


def test_a_candidate_gets_time_and_a_stage_and_is_edited_and_deactivated(site):
    manager = site.service.staff("manager", first_name="Maria", last_name="Okafor")
    exam_day.season(site.service, manager, ["ABCDABCDAB", "ABCDABCDAA"], title="Screening 1")
    amara = named(site, "Amara", "Oby", school=LONG_SCHOOL)
    exam = exam_day.make_exam(site.service, manager, title="Screening 2")
    exam_day.sit(site.service, amara, exam, "ABCD")
    site.service.run_jobs()
    second = exam_day.make_exam(site.service, manager, title="Screening 3", round=2)
    exam_day.take(amara, second)
    page = site.signed_in(manager, f"/console/candidates/{amara.id}")
    arrived(page, "Amara Oby")
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Give time").click()
    dialog.get_by_label("Exam").select_option("Screening 3")
    dialog.get_by_label("Extra minutes").fill("10")
    dialog.get_by_label("Reason").fill("The room was flooded.")
    dialog.get_by_role("button", name="Give time").click()
    page.get_by_role("cell", name="The room was flooded.", exact=True).wait_for()
    page.get_by_role("button", name="Change").click()
    dialog.get_by_label("Extra time, in percent").fill("25")
    dialog.get_by_label("Reason").fill("Letter of 3 November")
    dialog.get_by_role("button", name="Save").click()
    page.get_by_text("25% more time in every exam. The reason").wait_for()
    page.get_by_role("button", name="Edit details").click()
    dialog.get_by_label("Last name").fill("Obi")
    dialog.get_by_role("button", name="Save").click()
    arrived(page, "Amara Obi")
    page.get_by_role("row", name="Details changed").get_by_text("Last name: Oby → Obi").wait_for()
    # The page has asked for no document, so the audit trail does not say that it was read.
    seen = manager.get(f"/audit/?target_id={amara.id}&action=document.link", status=200).json
    assert seen["pagination"]["count"] == 0

    def ready(page):
        page.get_by_text("The room was flooded.").first.wait_for()
        page.locator("tbody .when").first.wait_for()

    every_view(page, "console-people-candidate", ready)
    page.get_by_role("button", name="Deactivate").click()
    dialog.get_by_text("Screening 3").wait_for()
    dialog.get_by_role("button", name="Deactivate").click()
    say(page, "Amara Obi is deactivated.")
    assert not site.service.user(amara).is_active
    amara.get("/account-management/", status=401)
    page.get_by_role("button", name="Activate again").click()
    dialog.get_by_role("button", name="Activate again").click()
    say(page, "Amara Obi is active again.")
    page.get_by_role("button", name="Assign stage").click()
    dialog.get_by_label("Stage").select_option("League")
    dialog.get_by_role("button", name="Assign stage").click()
    say(page, "Amara Obi is now in this stage: League.")
    assert site.service.user(amara).role == "league"
